// How a number is shown: digits, zeros, rounding, percent, as on the printed page.
"use strict";
const S = (() => {
  const size = (n) => (n < 0n ? -n : n);
  const WRITTEN_OUT = 700, SMALLEST = 4000;  // bits before and behind the point
  const ten = (places) => 10n ** BigInt(places);

  // units of 10^-places as a decimal; never a negative zero
  function decimalText(units, places, trim) {
    const digits = size(units).toString().padStart(places + 1, "0");
    let text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
    if (trim && text.includes(".")) text = text.replace(/0+$/, "").replace(/\.$/, "");
    return (units < 0n ? "-" : "") + text;
  }

  // half the units of 10^-places, as a number
  const exactly = (halves, places) => (places >= 0 ? N.rational(halves, 2n * ten(places)) : N.rational(halves * ten(-places), 2n));

  // the number in units of 10^-places, and whether that is its exact value; null where it is not decided
  function rounded(number, places, halfEven) {
    if (N.isRational(number)) {
      let [n, d] = N.fraction(number);
      if (places >= 0) n *= ten(places);
      else d *= ten(-places);
      const whole = size(n) / d, rest = size(n) % d, twice = 2n * rest;
      const up = twice > d || (twice === d && (!halfEven || whole % 2n === 1n));
      const units = whole + (up ? 1n : 0n);
      return [n < 0n ? -units : units, rest === 0n];
    }
    const b = N.ballOf(number), most = size(b.m) + b.r, least = size(b.m) - b.r;
    if (N.lengthOf(most) + b.p > WRITTEN_OUT) throw new Undefined("large");
    if (N.lengthOf(most) + b.p < -SMALLEST) return [0n, false];
    let above = 2n, below = 2n;
    if (places >= 0) above *= ten(places);
    else below *= ten(-places);
    if (b.p >= 0) above <<= BigInt(b.p);
    else below <<= BigInt(-b.p);
    const half = below / 2n, low = least > 0n ? (least * above + half) / below : 0n, high = (most * above + half) / below;
    const is = (n, d) => F.equal(number, places >= 0 ? N.rational(n, d * ten(places)) : N.rational(n * ten(-places), d));
    const signed = (units) => (b.m < 0n ? -units : units);
    if (low !== high) {  // on the boundary, if it is exactly there
      return high - low === 1n && is(signed(low + high), 2n) ? rounded(exactly(signed(low + high), places), places, halfEven) : null;
    }
    const off = size(b.m) * above - high * below;
    return [signed(high), size(off) <= b.r * above && is(signed(high), 1n)];
  }

  // what is on the boundary between two roundings shows a digit more; what is not known so well shows fewer
  function decided(number, places, halfEven) {
    const tried = [places, places + 1, places + 2, ...Array.from({ length: Math.max(places, 0) }, (_, k) => places - 1 - k)];
    for (const chosen of tried) {
      const found = rounded(number, chosen, halfEven);
      if (found) return [...found, chosen];
    }
    throw new Undefined("digits");
  }

  function magnitude(number) {
    if (N.isRational(number)) {
      const [n, d] = N.fraction(number);
      let guess = size(n).toString().length - d.toString().length;
      if (size(n) * (guess < 0 ? ten(-guess) : 1n) < d * (guess > 0 ? ten(guess) : 1n)) guess -= 1;
      return guess;
    }
    const b = N.ballOf(number);
    if (N.sign(b) === null) throw new Undefined("digits");
    return Math.floor(Math.log10(Math.abs(Number(b.m))) + b.p * Math.log10(2));
  }

  function significant(number, style) {
    if (N.sign(number) === 0) return { text: "0", exact: true, units: 0n, places: 0 };
    const digits = style.significant, half = style.rounding === "half-even";
    let places = digits - 1 - magnitude(number), found;
    for (;;) {
      found = rounded(number, places, half);
      if (!found) throw new Undefined("digits");
      if (size(found[0]) >= ten(digits)) places -= 1;
      else if (size(found[0]) < ten(digits - 1)) places += 1;
      else break;
    }
    let [units, exact] = found;
    const length = size(units).toString().length, trim = exact || style.zeros === "trim", power = length - 1 - places;
    if (power < -6 || power >= Math.max(7, digits)) {
      return { text: decimalText(units, length - 1, trim), exact, power, units, places };
    }
    if (places < 0) [units, places] = [units * ten(-places), 0];
    return { text: decimalText(units, places, trim), exact, units, places };
  }

  function terminating(d) {
    let twos = 0, fives = 0;
    for (; d % 2n === 0n; d /= 2n) twos += 1;
    for (; d % 5n === 0n; d /= 5n) fives += 1;
    return d === 1n ? Math.max(twos, fives) : null;
  }

  // an input: all its digits, or the fraction that it is; null for any other formula
  function given(number) {
    if (!N.isRational(number)) return null;
    const [n, d] = N.fraction(number), places = terminating(d);
    if (places === null || places > 100) {
      return { text: `${n}/${d}`, tex: `${n < 0n ? "- " : ""}\\frac{${size(n)}}{${d}}`, exact: true, units: n, over: d, places: 0 };
    }
    const units = (n * ten(places)) / d;
    return { text: decimalText(units, places, true), exact: true, units, places };
  }

  // a number with so many decimals, as the next line uses it
  function nearest(number, places, halfEven) {
    if (number.infinite) return number;
    const found = rounded(number, places, halfEven);
    if (!found) throw new Undefined("digits");
    return N.rational(found[0], ten(places));
  }

  // a number as it is shown: text, whether it is exact, and the number that the text says; `isTrue` tells whether the
  // number is what it stands for, or was rounded on the way
  function show(number, style, kind, isTrue = () => true) {
    if (number.infinite) return { text: number.infinite < 0 ? "-∞" : "∞", exact: true, infinite: true };
    if (kind.given) return given(number);
    const counted = style.significant === null || kind.percent || kind.places !== null;
    if (!counted) return significant(number, style);
    const asked = kind.places ?? (kind.percent ? style.percent_places : style.places);
    const whole = kind.percent ? N.multiply(number, N.rational(100n)) : number;
    const [units, whether, places] = decided(whole, asked, style.rounding === "half-even"), exact = whether && isTrue();
    const text = decimalText(units, places, exact || style.zeros === "trim");
    return { text: text + (kind.percent ? "%" : ""), exact, units, places: places };
  }

  function tex(shown, mark) {
    if (shown.tex) return shown.tex;
    const text = shown.text.replace(".", mark === "," ? "{,}" : ".").replace("%", "\\,\\%").replace("∞", "\\infty");
    return shown.power === undefined ? text : `${text} \\times 10^{${shown.power}}`;
  }

  const value = (shown) => Number(shown.units) / Number(shown.over ?? 1n) / 10 ** (shown.places ?? 0);

  // what a reader typed: a decimal with the mark of the page, perhaps with a power of ten, or a fraction, of reasonable
  // length, or −∞; null for anything else, so that 1,000 is not taken for 1
  function read(text, mark) {
    const narrow = text.trim().replace(/[！-～]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0));  // 3² is not 32
    const plain = narrow.replace(/[−‐–ー]/g, "-").replace(/。/g, ".").replace(/、/g, ",");
    if (/^-\s*(∞|inf|infinity|oo)$/i.test(plain)) return N.below;
    if (plain.includes(mark === "," ? "." : ",")) return null;
    const found = /^([+-]?)(\d{0,12})(?:\.(\d{0,12}))?(?:e([+-]?\d{1,2})|\/(\d{1,12}))?$/i.exec(plain.replace(",", "."));
    if (!found || (!found[2] && !found[3])) return null;
    const [, minus, whole, part = "", power = "0", under = "1"] = found;
    if (/^0+$/.test(under)) return null;
    const n = BigInt(whole + part || "0") * (minus === "-" ? -1n : 1n), places = part.length - Number(power);
    return N.rational(n * ten(Math.max(0, -places)), ten(Math.max(0, places)) * BigInt(under));
  }

  return { show, nearest, tex, value, read, decimalText };
})();
