// What the scripts of a page compute for some settings: node run_page.mjs PAGE < settings.json > results.json
import { readFileSync } from "node:fs";
import vm from "node:vm";

const page = readFileSync(process.argv[2], "utf8");
const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map((found) => found[1]);
const text = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(page)[1];
const own = scripts.filter((script) => !script.includes("katex"));
const browser = { document: { getElementById: () => ({ textContent: text }) } };
// all but the last one, which is about the browser
const { N, S, C, DATA } = vm.runInNewContext(`${own.slice(0, -1).join("\n").replaceAll('"use strict";', "")}\n({ N, S, C, DATA })`, browser);

const numberOf = (given) => {
  if (given === "-inf") return N.below;
  const [n, d = "1"] = given.split("/");
  return N.rational(BigInt(n), BigInt(d));
};
const results = JSON.parse(readFileSync(0, "utf8")).map((setting) => {
  if (setting.typed) return setting.typed.map((typed) => {
    const read = S.read(typed, DATA.decimal);
    return read !== null && S.show(read, DATA.style, { given: true }).text;
  });
  if (setting.functions) {
    return setting.functions.map(([name, ...given]) => {
      const { m, r, p } = N.ballOf(N[name](...given.map(numberOf)));
      return [`${m}`, `${r}`, p];
    });
  }
  try {
    const { shown } = C.computed(setting.cells.map(numberOf), setting.parameters.map(numberOf));
    const chains = DATA.chains.map((chain) => C.sides(chain, shown).shown);
    return { numbers: shown.map(({ text, power, exact }) => [power === undefined ? text : `${text}e${power}`, exact]), chains };
  } catch (error) {
    return { error: error.message };
  }
});
console.log(JSON.stringify(results));
