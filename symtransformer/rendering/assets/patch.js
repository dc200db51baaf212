// Writes a formula anew. Where only digits differ from what stands there, only they are written: the formula has been set
// once with a code of nine digits for each run of digits that may change, and the texts with codes in them are known.
"use strict";
const RUN = /10(?=\^)|\d+(?:\.\d+)?/g, CODE = /7\d{8}/g, code = (k) => String(700000000 + k);

function textsOf(element) {
  const found = [], walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) found.push(walker.currentNode);
  return found;
}

function setFormula(element, { relation, tex, write }) {
  const sign = relation === "=" ? "=" : "\\approx", whole = `${sign} ${tex}`;
  if (element.now === whole) return;
  const runs = [], skeleton = write((part) => part.replace(RUN, (run) => (run === "10" ? run : (runs.push(run), "0"))));
  if (element.skeleton !== sign + skeleton) {
    let k = 0;
    typeset(element, `${sign} ${write((part) => part.replace(RUN, (run) => (run === "10" ? run : code(k++))))}`);
    element.skeleton = sign + skeleton;
    element.places = textsOf(element).map((node) => ({ node, text: node.data })).filter(({ text }) => text.search(CODE) >= 0);
    const seen = (kind) => element.places.filter(({ node }) => node.parentElement.closest(kind)).flatMap(({ text }) => text.match(CODE));
    element.coded = [".katex-html", "math"].every((kind) => runs.every((_, n) => seen(kind).includes(code(n))));
  }
  if (!element.coded) {
    typeset(element, whole);
    return;
  }
  for (const { node, text } of element.places) {
    const now = text.replace(CODE, (found) => runs[Number(found) - 700000000]);
    if (node.data !== now) node.data = now;
  }
  element.now = whole;
}
