// Computes the page again when a reader changes an input or moves a slider, and says what is still about the
// printed numbers. What cannot be computed leaves the last good numbers in place, and a sentence says why.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const fields = all("input[data-cell]");
const state = { cells: [], parameters: {}, bad: new Map(), results: [], shown: [] };

function numberOf(text) {
  const [n, d = "1"] = text.split("/");
  return N.rational(BigInt(n), BigInt(d));
}
const printed = data.cells.map(numberOf);
const same = (a, b) => N.isZero(N.subtract(a, b));

// -- numbers
function result(found, scope, cells) {
  if (!found[scope]) {
    const { program, parameters, slider } = data.scopes[scope];
    const known = Object.fromEntries(Object.entries(parameters).map(([name, text]) => [name, numberOf(text)]));
    if (slider !== null) known[data.sliders[slider].name] = state.parameters[slider];
    found[scope] = PROGRAMS[program](N, INPUTS[scope](N, cells, known), known);
  }
  return found[scope];
}

function shownNumber(found, [scope, place, kind, other, place2], cells) {
  const first = result(found, scope, cells)[place];
  if (other === undefined) return S.show(first, data.style, data.kinds[kind]);
  const second = result(found, other, cells)[place2];
  if (first.infinite && second.infinite) return { text: "–", exact: true, tex: "\\text{--}" };
  if (first.infinite) return S.show(first, data.style, data.kinds[kind]);
  if (second.infinite) return S.show(second.infinite < 0 ? N.above : N.below, data.style, data.kinds[kind]);
  return S.show(N.subtract(first, second), data.style, data.kinds[kind]);
}

// every number of these scopes anew; an error leaves everything as it was
function computed(cells, touched) {
  const found = state.results.map((rows, scope) => (touched(scope) ? undefined : rows));
  const shown = data.numbers.map((number, k) =>
    touched(number[0]) || (number[3] !== undefined && touched(number[3])) ? shownNumber(found, number, cells) : state.shown[k]);
  return [found, shown];
}

// -- formulas
const isNegative = (shown) => shown.text.startsWith("-");

function filled(pieces) {
  let text = "";
  for (const piece of pieces) {
    if (typeof piece === "string") {
      text += piece;
      continue;
    }
    const [number, how] = Array.isArray(piece) ? piece : [piece, ""];
    const shown = state.shown[number], tex = S.tex(shown, data.decimal);
    if (how === "(" && (isNegative(shown) || shown.power !== undefined)) text += `\\left(${tex}\\right)`;
    else if (how === "(") text += (/\d\s*$/.test(text) ? "\\times " : "") + tex;
    else if (how === "+") text += isNegative(shown) ? `- ${tex.replace(/^-\s*/, "")}` : `+ ${tex}`;
    else text += tex;
  }
  return text;
}

const numbersIn = (pieces) => pieces.filter((p) => typeof p !== "string").map((p) => (Array.isArray(p) ? p[0] : p));
const unmarked = (tex) => tex.replace(/\\followed |\\mathbf\{([^{}]*(?:\{,\}[^{}]*)*)\}/g, "$1");
const isExact = (numbers) => numbers.every((k) => state.shown[k].exact);

function setFormula(element, tex) {
  if (element.now === tex) return;
  element.now = tex;
  typeset(element, tex);
}

function updateChain(box, chain) {
  const terms = box.terms ??= all(".right > .term", box);
  const shown = [];
  let operands = true;
  chain.rights.forEach(({ kind, sign, pieces }, k) => {
    if (kind === "gone") return;
    const numbers = numbersIn(pieces), exact = isExact(numbers);
    const last = k === chain.rights.length - 1;
    let relation = numbers.length === 0 ? sign : exact && (!last || operands) ? "=" : "≈";
    if (numbers.length && !last) operands = operands && exact;
    const tex = filled(pieces), before = shown.at(-1);
    if (before && unmarked(before.tex) === unmarked(tex)) relation = shown.pop().relation;
    shown.push({ k, tex, relation });
  });
  terms.forEach((term, k) => {
    const found = shown.find((s) => s.k === k);
    term.hidden = !found;
    if (found) setFormula(term.formula ??= term.firstElementChild, `${found.relation === "=" ? "=" : "\\approx"} ${found.tex}`);
  });
  const note = box.note ??= box.querySelector(".note");
  if (note) note.hidden = operands;
}

function restoreChain(box, chain) {
  (box.terms ??= all(".right > .term", box)).forEach((term, k) => {
    term.hidden = chain.rights[k].hidden;
    setFormula(term.formula ??= term.firstElementChild, term.formula.dataset.x);
  });
  const note = box.note ??= box.querySelector(".note");
  if (note) note.hidden = !chain.note;
}

// -- tables
function inCell(shown) {
  return shown.text.replace(/^-/, "−").replace(".", data.decimal) + (shown.power === undefined ? "" : ` × 10^${shown.power}`);
}

function shaded(cell, shade) {
  const ink = shade === null ? null : 6 + Math.floor((shade * 79) / 100);
  cell.classList.toggle("on-light", ink !== null && ink <= data.blackOn);
  cell.classList.toggle("on-dark", ink !== null && ink > data.blackOn);
  cell.style.setProperty("--shade", ink ?? 0);
}

function updateTable(box, table) {
  const cells = box.cells ??= all("[data-n]", box);
  for (const cell of cells) {
    cell.printed ??= [...cell.childNodes];
    cell.textContent = inCell(state.shown[cell.dataset.n]);
  }
  if (table.heat) updateShades(box, table, cells);
}

function updateShades(box, table, cells) {
  const numbers = cells.map((cell) => state.shown[cell.dataset.n]);
  const finite = numbers.filter((x) => !x.infinite), values = finite.map(S.value);
  const ofWeights = table.weights || (finite.length === numbers.length && values.every((v) => v >= 0 && v <= 1));
  const low = ofWeights ? 0 : Math.min(...values), high = ofWeights ? 1 : Math.max(...values);
  cells.forEach((cell, k) => {
    const x = numbers[k], span = high - low;
    const none = x.infinite || (ofWeights && x.exact && S.value(x) === 0);
    shaded(cell, none ? null : span ? Math.floor((100 * (S.value(x) - low)) / span) : 50);
  });
  const legend = box.parentElement.nextElementSibling;
  if (!legend?.classList.contains("legend")) return;
  legend.printed ??= [...legend.childNodes];
  const end = (value) => inCell(finite[values.indexOf(value)] ?? { text: "–" });
  legend.textContent = ofWeights ? data.words.from_white
    : data.words.from_least.replace("{low}", () => end(low)).replace("{high}", () => end(high));
}

function restoreTable(box) {
  for (const cell of box.cells ?? []) {
    if (cell.printed) cell.replaceChildren(...cell.printed);
    if (cell.dataset.shade !== undefined) shaded(cell, cell.dataset.shade === "" ? null : Number(cell.dataset.shade));
  }
  const legend = box.parentElement.nextElementSibling;
  if (legend?.printed) legend.replaceChildren(...legend.printed);
}

// -- the page
const chains = all("[data-chain]").map((box) => ({ box, chain: data.chains[box.dataset.chain] }));
const tables = all("[data-table]").map((box) => ({ box, table: data.tables[box.dataset.table] }));
for (const item of chains) {
  item.scopes = new Set(item.chain.rights.flatMap(({ pieces }) => numbersIn(pieces)).flatMap(scopesOf));
}
for (const item of tables) item.scopes = new Set(all("[data-n]", item.box).flatMap((cell) => scopesOf(cell.dataset.n)));

function scopesOf(number) {
  const [scope, , , other] = data.numbers[number];
  return other === undefined ? [scope] : [scope, other];
}

const isLive = (scopes) => [...scopes].some((scope) => data.scopes[scope].slider !== null);

function update(touched) {
  const differs = isChanged();
  for (const { box, chain, scopes } of chains) {
    if (![...scopes].some(touched)) continue;
    if (differs || isLive(scopes)) updateChain(box, chain);
    else restoreChain(box, chain);
  }
  for (const { box, table, scopes } of tables) {
    if (![...scopes].some(touched)) continue;
    if (differs || isLive(scopes)) updateTable(box, table);
    else restoreTable(box);
  }
}

const isChanged = () => state.cells.some((cell, k) => !same(cell, printed[k]));

function tell() {
  const differs = isChanged(), problems = [...new Set(state.bad.values())];
  document.body.classList.toggle("changed", differs);
  for (const element of all(".of-printed")) element.hidden = !differs;
  for (const element of all(".only-printed")) element.hidden = differs;
  document.getElementById("differs").hidden = !differs;
  const message = document.getElementById("message"), text = problems.join(" ");
  if (message.textContent !== text) message.textContent = text;
  document.getElementById("state").hidden = !differs && problems.length === 0;
}

function attempt(cells, touched) {
  try {
    const [found, shown] = computed(cells, touched);
    [state.results, state.shown, state.cells] = [found, shown, cells];
    return null;
  } catch (error) {
    if (!(error instanceof Undefined) && !(error instanceof RangeError)) throw error;
    return data.words[error.message] ?? data.words.undecided;
  }
}

function typed(field) {
  const cell = Number(field.dataset.cell), number = S.read(field.value);
  const others = fields.filter((other) => other !== field && other.dataset.cell === field.dataset.cell);
  const cells = state.cells.with ? state.cells.with(cell, number) : state.cells.map((x, k) => (k === cell ? number : x));
  const problem = number === null ? data.words.unreadable : attempt(cells, () => true);
  for (const other of others) other.value = field.value;
  for (const own of [field, ...others]) own.setAttribute("aria-invalid", String(problem !== null));
  if (problem === null) {
    state.bad.delete(cell);
    update(() => true);
  } else {
    state.bad.set(cell, `${field.getAttribute("aria-label")}: ${problem}`);
  }
  tell();
  letScroll();
}

function moved(slider, input) {
  const before = state.parameters[slider.index];
  state.parameters[slider.index] = S.read(input.value);
  const touched = (scope) => data.scopes[scope].slider === slider.index;
  const problem = attempt(state.cells, touched);
  if (problem === null) {
    state.bad.delete(slider.name);
    slider.value.textContent = input.value.replace(/^-/, "−").replace(".", data.decimal);
    input.setAttribute("aria-valuetext", `${slider.name} = ${input.value}`);
    update(touched);
  } else {
    state.parameters[slider.index] = before;
    state.bad.set(slider.name, `${slider.name} = ${input.value}: ${problem}`);
  }
  tell();
}

function reset() {
  for (const field of fields) {
    field.value = field.defaultValue;
    field.setAttribute("aria-invalid", "false");
  }
  state.bad.clear();
  attempt(printed, () => true);
  update(() => true);
  tell();
  letScroll();
}

const sliders = all(".slider").map((box) => {
  const index = Number(box.dataset.slider), input = box.querySelector("input[type=range]");
  input.value = input.defaultValue;
  state.parameters[index] = S.read(input.defaultValue);
  const slider = { index, name: data.sliders[index].name, value: box.querySelector(".value") };
  input.addEventListener("input", () => moved(slider, input));
  box.hidden = false;
  return slider;
});
for (const field of fields) {
  field.value = field.defaultValue;
  field.addEventListener("input", () => typed(field));
}
document.getElementById("reset").addEventListener("click", reset);
state.cells = printed;
state.results = data.scopes.map(() => undefined);
if (attempt(printed, () => true) === null) for (const element of all(".editor")) element.hidden = false;
else for (const element of all(".slider")) element.hidden = true;
