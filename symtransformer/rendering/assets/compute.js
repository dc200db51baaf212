// What a page shows for some inputs and parameters: numbers, formulas, and the signs between them. Knows no browser.
"use strict";
const C = ((data) => {
  function numberOf(text) {
    if (text === "-inf") return N.below;
    const [n, d = "1"] = text.split("/");
    return N.rational(BigInt(n), BigInt(d));
  }
  const printed = data.cells.map(numberOf);

  // -- numbers
  function result(found, scope, cells, parameters) {
    if (!found[scope]) {
      const { program, parameters: own, slider } = data.scopes[scope];
      const known = Object.fromEntries(Object.entries(own).map(([name, text]) => [name, numberOf(text)]));
      if (slider !== null) known[data.sliders[slider].name] = parameters[slider];
      found[scope] = PROGRAMS[program](N, INPUTS[scope](N, cells, known), known);
    }
    return found[scope];
  }

  // a number, or how much it is above another; behind these, where steps are rounded, the numbers that they would be otherwise
  function shownNumber(found, [scope, place, kind, other = -1, place2, ...others], cells, parameters) {
    const at = (own, k) => result(found, own, cells, parameters)[k], first = at(scope, place);
    const second = other < 0 ? null : at(other, place2), style = data.style, how = data.kinds[kind];
    const isTrue = () => (!others.length || F.equal(first, at(others[0], others[1])))
      && (others.length < 4 || F.equal(second, at(others[2], others[3])));
    if (second === null) return S.show(first, style, how, isTrue);
    if (first.infinite && second.infinite) return { text: "–", exact: true, tex: "\\text{--}" };
    if (first.infinite) return S.show(first, style, how);
    if (second.infinite) return S.show(second.infinite < 0 ? N.above : N.below, style, how);
    return S.show(N.subtract(first, second), style, how, isTrue);
  }

  // every number of the scopes that are touched anew, the others as they were; throws where one is undefined
  function computed(cells, parameters, touched = () => true, before = { results: [], shown: [] }) {
    try {
      return computedWith(NUMBERS[0], cells, parameters, touched, before);
    } catch (error) {
      if (!["digits", "undecided", "zero"].includes(error.message)) throw error;
      return computedWith(NUMBERS[1], cells, parameters, touched, before);
    } finally {
      N = NUMBERS[0];
    }
  }

  function computedWith(numbers, cells, parameters, touched, before) {
    N = numbers;
    F.forget();
    const results = data.scopes.map((_, scope) => (touched(scope) ? undefined : before.results[scope]));
    const shown = data.numbers.map((number, k) =>
      scopes(number).some(touched)
        ? shownNumber(results, number, cells, parameters) : before.shown[k]);
    return { results, shown };
  }

  const scopes = ([scope, , , other = -1, , ...others]) => [scope, other, ...others.filter((_, k) => k % 2 === 0)].filter((s) => s >= 0);
  const scopesOf = (number) => scopes(data.numbers[number]);

  // -- formulas
  const isNegative = (shown) => shown.text.startsWith("-");
  const numbersIn = (pieces) => pieces.filter((p) => typeof p !== "string").map((p) => (Array.isArray(p) ? p[0] : p));
  const unmarked = (tex) => tex.replace(/\\followed |\\mathbf\{([^{}]*(?:\{,\}[^{}]*)*)\}/g, "$1");

  function filled(pieces, numbers, change = (tex) => tex) {
    let text = "";
    for (const piece of pieces) {
      if (typeof piece === "string") {
        text += piece;
        continue;
      }
      const [number, how] = Array.isArray(piece) ? piece : [piece, ""];
      const shown = numbers[number], tex = change(S.tex(shown, data.decimal));
      if (how === "(" && (isNegative(shown) || shown.power !== undefined)) text += `\\left(${tex}\\right)`;
      else if (how === "(") text += (/\d\s*$/.test(text) ? "\\times " : "") + tex;
      else if (how === "+") text += isNegative(shown) ? `- ${tex.replace(/^-\s*/, "")}` : `+ ${tex}`;
      else text += tex;
    }
    return text;
  }

  // the sides of an equation that are shown, each with its sign, and whether every operand is exact;
  // = stands before a result only where it and everything that it is computed from is exact
  function sides(chain, numbers) {
    const shown = [];
    let operands = true;
    chain.rights.forEach(({ kind, sign, pieces }, k) => {
      if (kind === "gone") return;
      const used = numbersIn(pieces), exact = used.every((number) => numbers[number].exact);
      const last = k === chain.rights.length - 1;
      let relation = used.length === 0 ? sign : exact && (!last || operands) ? "=" : "≈";
      if (used.length && !last) operands = operands && exact;
      const tex = filled(pieces, numbers), before = shown.at(-1);
      if (before && unmarked(before.tex) === unmarked(tex)) relation = shown.pop().relation;
      shown.push({ k, tex, relation, write: (change) => filled(pieces, numbers, change) });
    });
    return { shown, operands };
  }

  return { printed, computed, scopesOf, numbersIn, filled, sides };
})(DATA);
