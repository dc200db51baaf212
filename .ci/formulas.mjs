// The formulas of a page in LaTeX, Markdown or HTML, as [formula, whether it stands on a line of its own].

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export function pages(path) {
  if (statSync(path).isFile()) return /\.(tex|md|html)$/.test(path) ? [path] : [];
  return readdirSync(path).sort().flatMap((name) => pages(join(path, name)));
}

export const formulas = (page, name) =>
  name.endsWith(".html") ? inHtml(page) : name.endsWith(".md") ? inMarkdown(page) : inLatex(page);

const ENTITIES = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&#34;": '"', "&#39;": "'" };

// What an element says that it holds; and the parts of those that are computed again, with numbers in their places.
function inHtml(page) {
  const written = [...page.matchAll(/class="([dm])"[^>]* data-tex="([^"]*)"/g)].map(([, kind, text]) => [
    text.replace(/&(?:amp|lt|gt|#34|#39);/g, (entity) => ENTITIES[entity]), kind === "d",
  ]);
  const data = /<script type="application\/json" id="data">([^]*?)<\/script>/.exec(page);
  const sides = data ? JSON.parse(data[1]).chains.flatMap((chain) => chain.rights) : [];
  const number = (piece) => (typeof piece === "string" ? piece : piece[1] === "+" ? "- 12.5" : piece[1] === "(" ? "\\left(-12.5\\right)" : "-12.5");
  return [...written, ...sides.map(({ pieces }) => [pieces.map(number).join(""), true])];
}

// The end of a group that begins at `start`, behind its opening brace.
function endOfGroup(text, start) {
  let depth = 1;
  for (let k = start; k < text.length; k += 1) {
    if (text[k] === "\\") k += 1;
    else if (text[k] === "{") depth += 1;
    else if (text[k] === "}" && (depth -= 1) === 0) return k;
  }
  throw new Error("a group that does not end");
}

function inLatex(page) {
  const body = page.slice(page.indexOf("\\begin{document}")).replace(/(?<!\\)%.*/g, "");
  const found = [];
  for (let k = 0; k < body.length; k += 1) {
    const take = (from, end, display) => {
      found.push([body.slice(from, end), display]);
      return end;
    };
    if (body.startsWith("\\fitted{", k)) k = take(k + 8, endOfGroup(body, k + 8), true);
    else if (body.startsWith("\\begin{align*}", k)) k = take(k, body.indexOf("\\end{align*}", k) + 12, true) - 1;
    else if (body.startsWith("\\[", k)) k = take(k + 2, body.indexOf("\\]", k), true) + 1;
    else if (body[k] === "$") k = take(k + 1, body.indexOf("$", k + 1), false);
    else if (body[k] === "\\") k += 1;
  }
  return found;
}

// A formula begins where a line begins with it, or at a dollar in a line; \$ and $ inside of a formula begin none.
function inMarkdown(page) {
  const found = [];
  const displays = /^(?:\$\$\n([^]*?)\n\$\$|```math\n([^]*?)\n```|(\\begin\{align\*\}[^]*?\\end\{align\*\}))$/gm;
  const words = page.replace(/^<!--[^]*?-->$/gm, "").replace(displays, (_, ...groups) => {
    found.push([groups.slice(0, 3).find((formula) => formula !== undefined), true]);
    return "";
  });
  for (const [, ticked, plain] of words.matchAll(/\\[^]|\$`([^`]*)`\$|\$((?:\\[^]|[^$\\])+)\$/g)) {
    if (ticked !== undefined || plain !== undefined) found.push([ticked ?? plain, false]);
  }
  if (/\$(?!\d)/.test(words.replace(/\\[^]|\$`[^`]*`\$|\$(?:\\[^]|[^$\\])+\$/g, ""))) throw new Error("a dollar alone");
  return found;
}
