// Every formula in the pages (.tex, .md, .html) below a folder, through KaTeX in strict mode: what a web page could not show fails.
//
//     node .ci/check_katex.mjs FOLDER_WITH_NODE_MODULES FOLDER...

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { formulas, pages } from "./formulas.mjs";

const [modules, ...folders] = process.argv.slice(2);
const katex = createRequire(join(resolve(modules), "x.js"))("katex");

// What the head of a page defines, for KaTeX, which knows no definition of a color. Markdown has no head.
const macros = {
  "\\followed": "\\color{blue}",
  "\\narrowed": "\\@secondoftwo",  // without the width of what stands in front
  "\\blank": "\\fbox{\\rule[-0.5ex]{0pt}{2.6ex}\\hspace{3.2em}}",
  "\\gap": "\\rule[-0.6ex]{3.2em}{0.4pt}",
};

const seen = new Set();
let refused = 0;
for (const file of folders.flatMap(pages)) {
  const own = file.endsWith(".md") ? {} : macros;
  for (const [formula, displayMode] of formulas(readFileSync(file, "utf8"), file)) {
    const key = `${displayMode}${file.endsWith(".md")}${formula}`;
    if (seen.has(key)) continue;
    seen.add(key);
    try {
      katex.renderToString(formula, { displayMode, macros: { ...own }, strict: "error", throwOnError: true });
    } catch (error) {
      refused += 1;
      console.log(`${file}: ${error.message}\n  ${formula.slice(0, 200)}`);
    }
  }
}
console.log(`KaTeX ${katex.version}, strict: ${seen.size} formulas, ${refused} refused`);
process.exitCode = refused > 0 || seen.size === 0 ? 1 : 0;
