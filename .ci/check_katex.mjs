// Every formula in the .tex files below a folder, through KaTeX in strict mode: what a web page could not show fails.
//
//     node .ci/check_katex.mjs FOLDER_WITH_NODE_MODULES FOLDER...

import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [modules, ...folders] = process.argv.slice(2);
const katex = createRequire(join(resolve(modules), "x.js"))("katex");

// What the head of a page defines, for KaTeX, which knows no definition of a color.
const macros = {
  "\\followed": "\\color{blue}",
  "\\blank": "\\fbox{\\rule[-0.5ex]{0pt}{2.6ex}\\hspace{3.2em}}",
  "\\gap": "\\rule[-0.6ex]{3.2em}{0.4pt}",
};

function texFiles(path) {
  if (statSync(path).isFile()) return path.endsWith(".tex") ? [path] : [];
  return readdirSync(path).sort().flatMap((name) => texFiles(join(path, name)));
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

function formulas(page) {
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

let seen = 0;
let refused = 0;
for (const file of folders.flatMap(texFiles)) {
  const known = new Set();
  for (const [formula, displayMode] of formulas(readFileSync(file, "utf8"))) {
    if (known.has(formula)) continue;
    known.add(formula);
    seen += 1;
    try {
      katex.renderToString(formula, { displayMode, macros: { ...macros }, strict: "error", throwOnError: true });
    } catch (error) {
      refused += 1;
      console.log(`${file}: ${error.message}\n  ${formula.slice(0, 200)}`);
    }
  }
}
console.log(`KaTeX ${katex.version}, strict: ${seen} formulas, ${refused} refused`);
process.exitCode = refused > 0 || seen === 0 ? 1 : 0;
