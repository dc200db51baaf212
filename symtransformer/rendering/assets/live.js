// Computes the page again when a reader changes an input or moves a slider, and says what is still about the
// printed numbers. What cannot be computed leaves the last good numbers in place, and a sentence says why.
"use strict";
const data = DATA;
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const fields = all("input[data-cell]");
const state = { cells: C.printed, parameters: {}, bad: new Map(), results: [], shown: [] };
const same = (a, b) => N.isZero(N.subtract(a, b));

function setFormula(element, tex) {
  if (element.now === tex) return;
  typeset(element, tex);
}

function updateChain(box, chain) {
  const { shown, operands } = C.sides(chain, state.shown);
  (box.terms ??= all(".right > .term", box)).forEach((term, k) => {
    const found = shown.find((side) => side.k === k);
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
  item.scopes = new Set(item.chain.rights.flatMap(({ pieces }) => C.numbersIn(pieces)).flatMap(C.scopesOf));
}
for (const item of tables) item.scopes = new Set(all("[data-n]", item.box).flatMap((cell) => C.scopesOf(cell.dataset.n)));

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

const isChanged = () => state.cells.some((cell, k) => !same(cell, C.printed[k]));

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
    Object.assign(state, C.computed(cells, state.parameters, touched, state), { cells });
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
  attempt(C.printed, () => true);
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
if (attempt(C.printed, () => true) === null) for (const element of all(".editor")) element.hidden = false;
else for (const element of all(".slider")) element.hidden = true;
