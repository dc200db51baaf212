// Whether two numbers are equal, proved and never guessed. A number is written as a quotient of sums of products: of exact
// numbers, powers of e with exact exponents, and letters for what is no more than that (a root, e to a power that holds e).
// Sums that cancel term by term are equal; of what does not cancel nothing is said.
"use strict";
const F = (() => {
  const AT_MOST = 600, PRODUCTS = 6000;  // terms of a sum, and products on the way to one
  let letters = [], forms = new WeakMap();

  function forget() {
    letters = [];
    forms = new WeakMap();
  }

  // -- sums: terms {c, e, l} by what they hold beside the factor c: e to the power of e, and letters with their powers
  const written = (terms) => terms.map((term) => term.join("/")).join("+");
  const named = (e, l) => `${written(e)};${l.map((pair) => pair.join("^")).join(" ")}`;
  const term = (c, e = [], l = []) => (c.length ? new Map([[named(e, l), { c, e, l }]]) : new Map());

  function joined(a, b) {
    const found = new Map(a);
    for (const [place, own] of b) {
      const before = found.get(place), c = before ? N.sumOfTerms(before.c, own.c) : own.c;
      if (c.length) found.set(place, { ...own, c });
      else found.delete(place);
    }
    return found.size > AT_MOST ? null : found;
  }

  function withLetters(a, b) {
    if (!a.length || !b.length) return a.length ? a : b;
    const powers = new Map(a);
    for (const [id, n] of b) powers.set(id, (powers.get(id) ?? 0) + n);
    return [...powers].filter(([, n]) => n !== 0).sort((x, y) => x[0] - y[0]);
  }

  function multiplied(a, b) {
    if (a === null || b === null || a.size * b.size > PRODUCTS) return null;
    const found = new Map();
    for (const x of a.values()) {
      for (const y of b.values()) {
        const e = N.sumOfTerms(x.e, y.e), l = withLetters(x.l, y.l), place = named(e, l), before = found.get(place);
        const c = N.productOfTerms(x.c, y.c), sum = before ? N.sumOfTerms(before.c, c) : c;
        if (sum.length) found.set(place, { c: sum, e, l });
        else found.delete(place);
      }
    }
    return found.size > AT_MOST ? null : found;
  }

  // -- quotients: a sum above, and below it sums with powers, each with first factor 1 and without a common factor
  const over = (above, below = new Map()) => (above === null ? null : { above, below: above.size ? below : new Map() });
  const keyOf = (sum) => [...sum].map(([place, { c }]) => `${written(c)}*${place}`).sort().join(" ");

  // a sum as a single term times a sum that begins with 1; null where its first factor has no simple inverse
  function parted(sum) {
    const [, first] = [...sum].reduce((a, b) => (a[0] < b[0] ? a : b));
    if (first.c.length > 1) return null;
    const [k, n, d] = first.c[0], sign = n < 0n ? -1n : 1n;
    const inverse = term([[k, sign * d, sign * n * k]], first.e.map(([m, p, q]) => [m, -p, q]), first.l.map(([id, p]) => [id, -p]));
    return { inverse, rest: multiplied(sum, inverse) };
  }

  function cancelled(form) {  // what stands above as well as below
    if (form === null || form.below.size === 0 || form.above.size < 2) return form;
    const parts = parted(form.above);
    if (parts === null || parts.rest === null) return form;
    const place = keyOf(parts.rest), found = form.below.get(place);
    if (!found) return form;
    const below = new Map(form.below), back = parted(parts.inverse);
    if (found.power === 1) below.delete(place);
    else below.set(place, { ...found, power: found.power - 1 });
    return over(back.inverse, below);
  }

  function raised(sum, factors) {
    for (const [factor, power] of factors) for (let n = 0; n < power; n += 1) sum = multiplied(sum, factor);
    return sum;
  }

  function added(a, b) {
    if (a === null || b === null) return null;
    const below = new Map(a.below);
    for (const [place, own] of b.below) if (own.power > (below.get(place)?.power ?? 0)) below.set(place, own);
    const lacking = (own) => [...below].map(([place, { sum, power }]) => [sum, power - (own.get(place)?.power ?? 0)]);
    const left = raised(a.above, lacking(a.below)), right = raised(b.above, lacking(b.below));
    return left === null || right === null ? null : cancelled(over(joined(left, right), below));
  }

  function times(a, b) {
    if (a === null || b === null) return null;
    const below = new Map(a.below);
    for (const [place, own] of b.below) below.set(place, { sum: own.sum, power: own.power + (below.get(place)?.power ?? 0) });
    return withoutSquares(cancelled(over(multiplied(a.above, b.above), below)));
  }

  function inverted(a) {
    if (a === null || a.above.size === 0) return null;
    const parts = parted(a.above), above = raised(term([[1n, 1n, 1n]]), [...a.below.values()].map(({ sum, power }) => [sum, power]));
    if (parts === null || parts.rest === null) return null;
    const below = parts.rest.size > 1 ? new Map([[keyOf(parts.rest), { sum: parts.rest, power: 1 }]]) : new Map();
    return over(multiplied(above, parts.inverse), below);
  }

  // r² of a letter for a root is what stands below the root
  function withoutSquares(form) {
    if (form === null) return null;
    for (const { l } of form.above.values()) {
      for (const [id, power] of l) {
        if (letters[id].name === "sqrt" && (power < 0 || power > 1)) return squared(form, id);
      }
    }
    return form;
  }

  function squared(form, id) {
    const parts = new Map(), square = formOf(letters[id].of), inverse = inverted(square);
    for (const { c, e, l } of form.above.values()) {
      const power = l.find(([other]) => other === id)?.[1] ?? 0, twice = Math.floor(power / 2), rest = power - 2 * twice;
      const own = withLetters(l.filter(([other]) => other !== id), rest ? [[id, rest]] : []).sort((x, y) => x[0] - y[0]);
      parts.set(twice, joined(parts.get(twice) ?? new Map(), term(c, e, own)));
    }
    let sum = over(new Map());
    for (const [twice, above] of parts) {
      let part = over(above, form.below);
      for (let n = 0; n < Math.abs(twice); n += 1) part = times(part, twice > 0 ? square : inverse);
      sum = added(sum, part);
    }
    return sum;
  }

  // -- numbers
  const overlap = (a, b) => {
    const { m, r } = N.ballOf(N.subtract(a, b));
    return m <= r && m >= -r;
  };

  // the letter of a function of a number; equal numbers have one letter
  function letter(name, number) {
    let id = letters.findIndex((own) => own.name === name && (own.of === number || (name !== "" && equal(own.of, number))));
    if (id < 0) id = letters.push({ name, of: number }) - 1;
    return over(term([[1n, 1n, 1n]], [], [[id, 1]]));
  }

  const whole = (n) => over(term([[1n, BigInt(n), 1n]]));

  function power(number) {  // e to this power
    const { above, below } = formOf(number), [only] = above.values();
    if (below.size === 0 && above.size === 0) return whole(1);
    const isExact = below.size === 0 && above.size === 1 && only.e.length === 0 && only.l.length === 0;
    return isExact ? over(term([[1n, 1n, 1n]], only.c)) : letter("exp", number);
  }

  const MADE = {
    exact: ({ terms }) => over(term(terms)),
    add: (a, b) => added(formOf(a), formOf(b)),
    negate: (a) => times(whole(-1), formOf(a)),
    multiply: (a, b) => times(formOf(a), formOf(b)),
    divide: (a, b) => times(formOf(a), inverted(formOf(b))),
    exp: power,
    tanh: (a) => added(whole(1), times(whole(-2), inverted(added(whole(1), power(N.add(a, a)))))),
    sin: (a) => { const t = letter("tan", a); return times(times(whole(2), t), inverted(added(whole(1), times(t, t)))); },
    cos: (a) => { const t = letter("tan", a), square = times(t, t); return times(added(whole(1), times(whole(-1), square)), inverted(added(whole(1), square))); },
  };

  function formOf(a) {
    if (a.terms) return over(term(a.terms));
    if (!forms.has(a)) {
      const [name, ...numbers] = a.of ?? [""];
      const found = MADE[name] ? MADE[name](...numbers) : name === "" ? null : letter(name, ...numbers);
      forms.set(a, found ?? letter("", a));
    }
    return forms.get(a);
  }

  // whether two numbers are proved to be equal
  function equal(a, b) {
    if (a === b) return true;
    if (a.infinite || b.infinite) return a.infinite === b.infinite;
    try {
      return overlap(a, b) && added(formOf(a), times(whole(-1), formOf(b)))?.above.size === 0;
    } catch (error) {
      if (error instanceof RangeError) return false;  // too deep to be followed
      throw error;
    }
  }

  return { equal, forget };
})();
