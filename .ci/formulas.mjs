// The formulas of a page in LaTeX or Markdown, as [formula, whether it stands on a line of its own].

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export function pages(path) {
  if (statSync(path).isFile()) return /\.(tex|md)$/.test(path) ? [path] : [];
  return readdirSync(path).sort().flatMap((name) => pages(join(path, name)));
}

export const formulas = (page, name) => (name.endsWith(".md") ? inMarkdown(page) : inLatex(page));

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
