// Numbers of a page: exact sums of roots of whole numbers with rational factors, or balls (a number of 256 bits and how
// far it may be off), which know what they were computed from: where a ball leaves open whether two numbers are equal, a
// proof is looked for (F). What is shown is decided on them: nothing is called exact, or rounded, that is not known to be.
"use strict";
class Undefined extends Error {}

function numbersOf(P) {  // bits of a ball
  const W = P + 64, STEPS = P > 512 ? 5 : 4;  // bits of what a function computes with, and steps to a logarithm
  const LONG = 1n << 700n, TERMS = 6;
  const below = { infinite: -1 }, above = { infinite: 1 };
  const size = (n) => (n < 0n ? -n : n);

  function gcd(a, b) {
    while (b) [a, b] = [b, a % b];
    return a;
  }

  function bits(n) {
    return size(n).toString(16).length * 4;
  }

  // -- exact numbers: terms [k, n, d] for n/d times the root of k, sorted by k
  function exact(terms) {
    const known = { terms };
    if (terms.length > TERMS || terms.some(([k, n, d]) => k > LONG || size(n) > LONG || d > LONG)) {
      return { ...ballOf(known), of: ["exact", known] };
    }
    return known;
  }

  function reduced(k, n, d) {
    if (d < 0n) [n, d] = [-n, -d];
    const common = gcd(size(n), d);
    return common > 1n ? [k, n / common, d / common] : [k, n, d];
  }

  function rational(n, d = 1n) {
    return exact(n === 0n ? [] : [reduced(1n, n, d)]);
  }

  const isRational = (a) => a.terms !== undefined && (a.terms.length === 0 || (a.terms.length === 1 && a.terms[0][0] === 1n));
  const fraction = (a) => (a.terms.length ? [a.terms[0][1], a.terms[0][2]] : [0n, 1n]);
  const isZero = (a) => a.terms !== undefined && a.terms.length === 0;

  function gathered(terms) {
    const found = new Map();
    for (const [k, n, d] of terms) {
      const [, a, b] = found.get(k) ?? [k, 0n, 1n];
      found.set(k, reduced(k, a * d + n * b, b * d));
    }
    return [...found.values()].filter(([, n]) => n !== 0n).sort((a, b) => (a[0] < b[0] ? -1 : 1));
  }

  const sumOfTerms = (a, b) => (a.length === 0 ? b : b.length === 0 ? a : gathered([...a, ...b]));

  function productOfTerms(a, b) {
    return gathered(a.flatMap(([k, n, d]) => b.map(([l, m, c]) => {
      const common = gcd(k, l);
      return [(k / common) * (l / common), n * m * common, d * c];
    })));
  }

  // n = square² · rest, as far as small primes and a perfect square tell
  function withoutSquares(n) {
    let square = 1n;
    for (let p = 2n; p < 1000n && p * p <= n; p += p === 2n ? 1n : 2n) {
      while (n % (p * p) === 0n) [n, square] = [n / (p * p), square * p];
    }
    const root = wholeRoot(n);
    return root * root === n ? [square * root, 1n] : [square, n];
  }

  function wholeRoot(n) {
    if (n < 2n) return n;
    let x = 1n << BigInt(Math.ceil(bits(n) / 2) + 1);
    for (;;) {
      const next = (x + n / x) >> 1n;
      if (next >= x) return x;
      x = next;
    }
  }

  // -- balls: (m ± r) · 2^p, with at most P bits
  function lengthOf(n) {
    const x = Math.abs(Number(n));
    return Number.isFinite(x) ? (x < 1 ? 0 : Math.floor(Math.log2(x)) + 1) : bits(n);
  }

  const shifted = (n, s) => (s >= 0 ? n << BigInt(s) : n >> BigInt(-s));

  function ball(m, r, p) {
    const s = Math.max(lengthOf(m) - P, lengthOf(r) - 32);
    return s > 0 ? { m: shifted(m, -s), r: shifted(r, -s) + 2n, p: p + s } : { m, r, p };
  }

  function ofFraction(n, d) {
    const s = P + lengthOf(d) - lengthOf(n);
    return ball(s >= 0 ? (n << BigInt(s)) / d : n / (d << BigInt(-s)), 1n, -s);
  }

  function ballOf(a) {
    if (a.infinite) throw new Undefined("infinite");
    if (a.terms === undefined) return a;
    let sum = { m: 0n, r: 0n, p: 0 };
    for (const [k, n, d] of a.terms) {
      const term = ofFraction(n, d);
      sum = plus(sum, k > 1n ? times(term, ball(wholeRoot(k << BigInt(2 * P)), 1n, -P)) : term);
    }
    return sum;
  }

  function plus(a, b) {
    if (a.p < b.p) [a, b] = [b, a];
    const apart = a.p - b.p;
    if (apart > 3 * P) {  // b is far below the last bit of a, or a is 0
      if (a.m === 0n && a.r === 0n) return b;
      const s = P - lengthOf(a.m), wide = s > 0 ? s : 0;
      return ball(a.m << BigInt(wide), (a.r << BigInt(wide)) + shifted(size(b.m) + b.r, -(apart - wide)) + 1n, a.p - wide);
    }
    return ball((a.m << BigInt(apart)) + b.m, (a.r << BigInt(apart)) + b.r, b.p);
  }

  const times = (a, b) => ball(a.m * b.m, size(a.m) * b.r + size(b.m) * a.r + a.r * b.r, a.p + b.p);

  function over(a, b) {
    const least = size(b.m) - b.r;
    if (least <= 0n) throw new Undefined("zero");
    const s = Math.max(0, P + 2 + lengthOf(b.m) - lengthOf(a.m));
    const quotient = (a.m << BigInt(s)) / b.m;
    return ball(quotient, ((a.r << BigInt(s)) + size(quotient) * b.r) / least + 2n, a.p - b.p - s);
  }

  function rootOf(a) {
    if (a.m <= a.r) throw new Undefined("negative");
    let s = Math.max(0, 2 * P - lengthOf(a.m));
    if ((a.p - s) % 2) s += 1;
    const least = wholeRoot((a.m - a.r) << BigInt(s));
    return ball(wholeRoot(a.m << BigInt(s)), (a.r << BigInt(s)) / least + 2n, (a.p - s) / 2);
  }

  // -- functions of balls, in units of 2^-W
  const ONE = 1n << BigInt(W);

  // middle and radius in these units; a number above 2^40 has none
  function fixed(a) {
    if (lengthOf(a.m) + a.p > 40) throw new Undefined("large");
    if (a.p + W < -4 * W) return [0n, 1n];
    const x = shifted(a.m, a.p + W), r = shifted(a.r, a.p + W) + 1n;
    if (r > ONE) throw new Undefined("digits");
    return [x, r];
  }

  function inverseTangent(n) {  // of 1/n
    let term = ONE / n, sum = term;
    for (let k = 3n; term !== 0n; k += 2n) sum += (term = -term / (n * n)) / k;
    return sum;
  }
  const PI = 16n * inverseTangent(5n) - 4n * inverseTangent(239n);  // off by less than 2^14 units
  const LN2 = (() => {  // with 64 bits more
    let term = ONE << 65n, sum = 0n;
    for (let k = 1n; term !== 0n; k += 1n) sum += (term /= 2n) / k;
    return sum >> 1n;
  })();

  // e^x of a fixed x, as a ball
  function expOf(x, r) {
    const k = (2n * (x << 64n) + LN2) / (2n * LN2) - (x < 0n ? 1n : 0n);
    const rest = ((x << 64n) - k * LN2) >> 72n;
    let term = ONE, sum = ONE;
    for (let n = 1n; term !== 0n && term !== -1n; n += 1n) sum += term = ((term * rest) >> BigInt(W)) / n;
    for (let n = 0; n < 8; n += 1) sum = (sum * sum) >> BigInt(W);
    return ball(sum, (1n << 18n) + ((sum * 2n * r) >> BigInt(W)) + 1n, Number(k) - W);
  }

  // sin and cos of a fixed x in units, from a quarter turn
  function turned(x) {
    const quarter = PI >> 1n, k = (2n * x + (x < 0n ? -quarter : quarter)) / (2n * quarter), rest = x - k * quarter;
    const series = (first, start) => {
      let term = first, sum = first;
      for (let n = start; term !== 0n && term !== -1n; n += 2n) {
        sum += term = -((((term * rest) >> BigInt(W)) * rest) >> BigInt(W)) / (n * (n + 1n));
      }
      return sum;
    };
    const sine = series(rest, 2n), cosine = series(ONE, 1n), place = Number(((k % 4n) + 4n) % 4n);
    const error = (1n << 14n) * (size(k) + 1n);
    return { sine: [sine, cosine, -sine, -cosine][place], cosine: [cosine, -sine, -cosine, sine][place], error };
  }

  // 2/√π e^(-x²) Σ 2^n x^(2n+1) / (2n+1)!!, all of one sign
  function erfOf(x, r) {
    if (size(x) >= ONE << 4n) return ball(x < 0n ? -ONE : ONE, 2n + 2n * r, -W);
    const square = (2n * x * x) >> BigInt(W);
    let term = size(x), sum = term;
    for (let n = 3n; term !== 0n; n += 2n) sum += term = ((term * square) >> BigInt(W)) / n;
    const scale = over({ m: 2n, r: 0n, p: 0 }, rootOf(ball(PI, 1n << 14n, -W)));
    const result = times(times(ball(x < 0n ? -sum : sum, 1n << 16n, -W), expOf(-(square >> 1n), 4n)), scale);
    return plus(result, { m: 0n, r: 2n * r, p: -W });
  }

  // -- arithmetic
  const made = (result, ...from) => ({ m: result.m, r: result.r, p: result.p, of: from });

  function add(a, b) {
    if (a.infinite || b.infinite) {
      if (a.infinite && b.infinite && a.infinite !== b.infinite) throw new Undefined("infinite");
      return a.infinite ? a : b;
    }
    if (a.terms && b.terms) return exact(sumOfTerms(a.terms, b.terms));
    if (isZero(a)) return b;
    if (isZero(b)) return a;
    return made(plus(ballOf(a), ballOf(b)), "add", a, b);
  }

  function negate(a) {
    if (a.infinite) return a.infinite < 0 ? above : below;
    if (a.terms) return { terms: a.terms.map(([k, n, d]) => [k, -n, d]) };
    return { m: -a.m, r: a.r, p: a.p, of: ["negate", a] };
  }

  const subtract = (a, b) => add(a, negate(b));

  function multiply(a, b) {
    if (a.infinite || b.infinite) throw new Undefined("infinite");
    if (isZero(a) || isZero(b)) return rational(0n);
    if (a.terms && b.terms) return exact(productOfTerms(a.terms, b.terms));
    return made(times(ballOf(a), ballOf(b)), "multiply", a, b);
  }

  function divide(a, b) {
    if (a.infinite || b.infinite) throw new Undefined("infinite");
    if (isZero(b)) throw new Undefined("zero");
    if (isZero(a) && b.terms) return a;
    if (a.terms && b.terms && b.terms.length === 1) {
      const [k, n, d] = b.terms[0];
      return multiply(a, exact([reduced(k, d, n * k)]));
    }
    const quotient = over(ballOf(a), ballOf(b));
    return isZero(a) ? a : a === b ? rational(1n) : made(quotient, "divide", a, b);
  }

  // -1, 0 or 1; null where it is not decided
  function sign(a) {
    if (a.infinite) return a.infinite;
    if (isZero(a)) return 0;
    if (a.terms && a.terms.length === 1) return a.terms[0][1] > 0n ? 1 : -1;
    const b = ballOf(a);
    return b.m > b.r ? 1 : b.m < -b.r ? -1 : F.equal(a, rational(0n)) ? 0 : null;
  }

  function decidedSign(a) {
    const found = sign(a);
    if (found === null) throw new Undefined("undecided");
    return found;
  }

  // a number that is proved to be this whole number, as that; any other as it is
  function settled(a, n) {
    return a.terms === undefined && !a.infinite && F.equal(a, rational(n)) ? rational(n) : a;
  }

  // -- functions
  function exp(a) {
    if (isZero(a)) return rational(1n);
    if (a.infinite < 0) return rational(0n);
    const b = ballOf(a);
    if (lengthOf(b.m) + b.p > 40) {
      if (b.m >= -b.r) throw new Undefined("large");
      return made({ m: 0n, r: 1n, p: -(2 ** 30) }, "exp", a);
    }
    return made(expOf(...fixed(b)), "exp", a);
  }

  function sqrt(a) {
    a = settled(a, 0n);
    if (isZero(a)) return a;
    if (a.terms && a.terms.length === 1 && a.terms[0][0] === 1n) {
      const [, n, d] = a.terms[0];
      if (n < 0n) throw new Undefined("negative");
      if (n * d < 1n << 120n) {
        const [square, rest] = withoutSquares(n * d);
        return exact([reduced(rest, square, d)]);
      }
    }
    return made(rootOf(ballOf(a)), "sqrt", a);
  }

  // y + log(x / e^y), where the last quotient is 1 + d: log(1 + d) is d up to d²
  function log(a) {
    a = settled(a, 1n);
    if (isRational(a) && !isZero(a) && fraction(a)[0] === fraction(a)[1]) return rational(0n);
    const x = ballOf(a), minusOne = { m: -1n, r: 0n, p: 0 };
    if (x.m <= x.r) throw new Undefined("negative");
    const start = Math.log(Number(x.m)) + x.p * Math.LN2;
    let y = { m: BigInt(Math.round(start * 2 ** 40)), r: 0n, p: -40 };
    for (let n = 0; n < STEPS; n += 1) {
      const d = plus(times(x, expOf(fixed(y)[0] * -1n, 2n)), minusOne), most = size(d.m) + d.r;
      if (lengthOf(most) + d.p > -1) throw new Undefined("digits");
      const next = plus(y, d), off = times({ m: most, r: 0n, p: d.p }, { m: most, r: 0n, p: d.p });
      if (n === STEPS - 1) return made(plus(next, { m: 0n, r: size(off.m) + off.r + 1n, p: off.p }), "log", a);
      y = { m: next.m, r: 0n, p: next.p };
    }
    return y;
  }

  function tanh(a) {
    if (isZero(a)) return a;
    const b = ballOf(a), one = { m: 1n, r: 0n, p: 0 };
    if (lengthOf(b.m) + b.p > 12) return made(ball(b.m < 0n ? -ONE : ONE, 2n, -W), "tanh", a);
    const [x, r] = fixed(b);
    return made(plus(one, over({ m: -2n, r: 0n, p: 0 }, plus(expOf(2n * x, 2n * r), one))), "tanh", a);
  }

  const ofTurn = (part, atZero) => (a) => {
    if (isZero(a)) return rational(atZero);
    const [x, r] = fixed(ballOf(a)), found = turned(x);
    return made(ball(found[part], found.error + r, -W), part === "sine" ? "sin" : "cos", a);
  };
  const sin = ofTurn("sine", 0n), cos = ofTurn("cosine", 1n);

  function erf(a) {
    if (isZero(a)) return a;
    const b = ballOf(a);
    return made(lengthOf(b.m) + b.p > 8 ? ball(b.m < 0n ? -ONE : ONE, 2n, -W) : erfOf(...fixed(b)), "erf", a);
  }

  // Φ(y) = (1 + erf(y / √2)) / 2
  const normal = (a) => divide(add(rational(1n), erf(divide(a, sqrt(rational(2n))))), rational(2n));

  function relu(a) {
    const s = sign(a);
    if (s !== null) return s > 0 ? a : rational(0n);
    const b = ballOf(a);
    return made({ m: b.m > 0n ? b.m : 0n, r: b.r, p: b.p }, "relu", a);
  }

  const step = (a) => rational(decidedSign(a) > 0 ? 1n : 0n);

  function share(k, row) {
    const signs = row.map((x, other) => (other === k ? 0 : decidedSign(subtract(x, row[k]))));
    return signs.includes(1) ? rational(0n) : rational(1n, BigInt(signs.filter((s) => s === 0).length));
  }

  function power(a, p, q) {
    if (q === 1) {
      let result = rational(1n);
      for (let n = 0; n < Math.abs(p); n += 1) result = multiply(result, a);
      return p < 0 ? divide(rational(1n), result) : result;
    }
    if (q === 2) return power(sqrt(a), p, 1);
    return exp(multiply(log(a), rational(BigInt(p), BigInt(q))));
  }

  const pi = () => made(ball(PI, 1n << 14n, -W), "pi", rational(0n));

  return {
    below, above, rational, isRational, fraction, isZero, ballOf, add, negate, subtract, multiply, divide, sign, exp, sqrt,
    log, lengthOf, sumOfTerms, productOfTerms, tanh, sin, cos, erf, normal, relu, step, share, power, pi,
  };
}

// the numbers at hand; the long ones are for what is so large, or so close, that the others leave its digits open
const NUMBERS = [numbersOf(256), numbersOf(1024)];
let N = NUMBERS[0];
