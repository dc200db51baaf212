// Computes the page again when a reader changes an input or moves a slider, and says what is still about the
// printed numbers. What cannot be computed leaves the last good numbers in place, and a sentence says why.
"use strict";
const data = DATA;
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const fields = all("input[data-cell]");
// `waiting` are numbers that were typed and could not be computed with, and may be with others
const state = { cells: C.printed, parameters: {}, bad: new Map(), waiting: new Map(), results: [], shown: [] };
const same = (a, b) => (a.infinite || b.infinite ? a.infinite === b.infinite : N.isZero(N.subtract(a, b)));

function updateChain(box, chain) {
  const key = chain.used.map((k) => `${state.shown[k].text}${state.shown[k].power ?? ""}${state.shown[k].exact}`).join(" ");
  if (box.shows === key) return;
  box.shows = key;
  const { shown, operands } = C.sides(chain, state.shown);
  (box.terms ??= all(".right > .term", box)).forEach((term, k) => {
    const found = shown.find((side) => side.k === k);
    term.hidden = !found;
    if (found) setFormula(term.formula ??= term.querySelector("[data-tex]"), found);
  });
  const note = box.note ??= box.querySelector(".note");
  if (note) note.hidden = chain.note === null || operands;
}

function restoreChain(box, chain) {
  box.shows = null;
  (box.terms ??= all(".right > .term", box)).forEach((term, k) => {
    term.hidden = chain.rights[k].hidden;
    const formula = term.formula ??= term.querySelector("[data-tex]");
    if (formula.now !== formula.dataset.tex) typeset(formula, formula.dataset.tex);
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
    const text = inCell(state.shown[cell.dataset.n]);
    if (cell.now !== text) cell.textContent = cell.now = text;
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
    cell.now = null;
    if (cell.dataset.shade !== undefined) shaded(cell, cell.dataset.shade === "" ? null : Number(cell.dataset.shade));
  }
  const legend = box.parentElement.nextElementSibling;
  if (legend?.printed) legend.replaceChildren(...legend.printed);
}

// -- the page
const chains = all("[data-chain]").map((box) => ({ box, chain: data.chains[box.dataset.chain] }));
for (const { chain } of chains) chain.used = chain.rights.flatMap(({ pieces }) => C.numbersIn(pieces));
const tables = all("[data-table]").map((box) => ({ box, table: data.tables[box.dataset.table] }));
for (const item of chains) {
  item.scopes = new Set(item.chain.used.flatMap(C.scopesOf));
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

const ofPrinted = all(".of-printed"), onlyPrinted = all(".only-printed");
const message = document.getElementById("message");

function tell() {
  const differs = isChanged(), text = [...new Set(state.bad.values())].join(" ");
  if (document.body.classList.contains("changed") !== differs) {
    document.body.classList.toggle("changed", differs);
    for (const element of ofPrinted) element.hidden = !differs;
    for (const element of onlyPrinted) element.hidden = differs;
  }
  document.getElementById("differs").hidden = !differs;
  document.getElementById("state").hidden = !differs && text === "";
  if (message.textContent !== text) message.textContent = text;
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

const fieldsOf = (cell) => fields.filter((field) => Number(field.dataset.cell) === cell);

// a problem of a cell in words; null takes it away
function complain(cell, problem) {
  const own = fieldsOf(cell);
  for (const field of own) field.setAttribute("aria-invalid", String(problem !== null));
  if (problem === null) state.bad.delete(cell);
  else state.bad.set(cell, `${own[0].getAttribute("aria-label")}${data.words.colon}${problem}`);
}

// computes with these numbers in their cells; what is wrong, in words, or null
function take(numbers) {
  const cells = state.cells.slice();
  for (const [cell, number] of numbers) cells[cell] = number;
  const problem = attempt(cells, () => true);
  for (const [cell] of problem === null ? numbers : []) {
    state.waiting.delete(cell);
    complain(cell, null);
  }
  return problem;
}

// what could not be computed before may be by now
function takeWaiting() {
  let taken = state.waiting.size > 0 && take([...state.waiting]) === null;
  for (const own of [...state.waiting]) taken = take([own]) === null || taken;
  return taken;
}

function typed(field) {
  const cell = Number(field.dataset.cell), read = S.read(field.value, data.decimal);
  for (const other of fieldsOf(cell)) if (other !== field) other.value = field.value;
  const hides = read?.infinite && !data.hides.includes(cell);
  let problem = read === null ? data.words.unreadable : hides ? data.words.unhidden : null;
  state.waiting.delete(cell);
  if (problem === null) {
    problem = take([...state.waiting, [cell, read]]);
    if (problem !== null && state.waiting.size) problem = take([[cell, read]]);
    if (problem === null) takeWaiting();
    else state.waiting.set(cell, read);
  }
  complain(cell, problem);
  update(() => true);
  tell();
  letScroll();
}

function moved(slider, input) {
  const before = state.parameters[slider.index];
  state.parameters[slider.index] = S.read(input.value, ".");
  const touched = (scope) => data.scopes[scope].slider === slider.index;
  const problem = attempt(state.cells, touched);
  if (problem === null) {
    state.bad.delete(slider.name);
    const others = takeWaiting();
    slider.value.textContent = input.value.replace(/^-/, "−").replace(".", data.decimal);
    input.setAttribute("aria-valuetext", `${slider.name} = ${input.value}`);
    update(others ? () => true : touched);
  } else {
    state.parameters[slider.index] = before;
    state.bad.set(slider.name, `${slider.name} = ${input.value}${data.words.colon}${problem}`);
  }
  tell();
}

function reset() {
  for (const field of fields) {
    field.value = field.defaultValue;
    field.setAttribute("aria-invalid", "false");
  }
  state.bad.clear();
  state.waiting.clear();
  attempt(C.printed, () => true);
  update(() => true);
  tell();
  letScroll();
}

const sliders = all(".slider").map((box) => {
  const index = Number(box.dataset.slider), input = box.querySelector("input[type=range]");
  input.value = input.defaultValue;
  state.parameters[index] = S.read(input.defaultValue, ".");
  const slider = { index, name: data.sliders[index].name, value: box.querySelector(".value") };
  input.addEventListener("input", () => moved(slider, input));
  input.addEventListener("change", letScroll);
  box.hidden = false;
  return slider;
});
for (const field of fields) {
  Object.assign(field, { value: field.defaultValue, autocomplete: "off", spellcheck: false, maxLength: 30 });
  field.setAttribute("aria-describedby", "message");
  field.addEventListener("input", () => typed(field));
}
document.getElementById("reset").addEventListener("click", reset);
if (attempt(C.printed, () => true) === null) {
  for (const element of all(".editor")) element.hidden = false;
} else {  // nothing is offered that would not be followed
  for (const element of all(".slider")) element.hidden = true;
  for (const element of all(".unchanged")) element.hidden = false;
}
letScroll();
