// Every formula in the Markdown pages below a folder, through MathJax with what notebooks and code hosts have loaded.
//
//     node .ci/check_mathjax.mjs FOLDER_WITH_NODE_MODULES FOLDER...

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { formulas, pages } from "./formulas.mjs";

const [modules, ...folders] = process.argv.slice(2);
const load = createRequire(join(resolve(modules), "x.js"));
const { mathjax } = load("mathjax-full/js/mathjax.js");
const { TeX } = load("mathjax-full/js/input/tex.js");
const { liteAdaptor } = load("mathjax-full/js/adaptors/liteAdaptor.js");
const { RegisterHTMLHandler } = load("mathjax-full/js/handlers/html.js");
const { STATE } = load("mathjax-full/js/core/MathItem.js");
for (const name of ["ams/Ams", "newcommand/Newcommand", "boldsymbol/Boldsymbol"]) {
  load(`mathjax-full/js/input/tex/${name}Configuration.js`);
}
RegisterHTMLHandler(liteAdaptor());

// Without `noundefined` and `noerrors` an unknown command is an error, instead of red letters.
const formatError = (_, error) => {
  throw error;
};
const seen = new Set();
let refused = 0;
for (const file of folders.flatMap(pages).filter((name) => name.endsWith(".md"))) {
  for (const [formula, display] of formulas(readFileSync(file, "utf8"), file)) {
    if (seen.has(display + formula)) continue;
    seen.add(display + formula);
    const packages = ["base", "ams", "newcommand", "boldsymbol"];
    const html = mathjax.document("", { InputJax: new TeX({ packages, formatError }) });
    try {
      html.convert(formula, { display, end: STATE.CONVERT });
    } catch (error) {
      refused += 1;
      console.log(`${file}: ${error.message}\n  ${formula.slice(0, 200)}`);
    }
  }
}
console.log(`MathJax ${mathjax.version}: ${seen.size} formulas, ${refused} refused`);
process.exitCode = refused > 0 || seen.size === 0 ? 1 : 0;
