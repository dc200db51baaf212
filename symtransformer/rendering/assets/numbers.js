// Numbers of a page: exact sums of roots of whole numbers with rational factors, or balls (a double and how far it
// may be off). A ball may know that it is a sum of exact factors times powers of e with exact exponents, so that
// e^s / (e^s + e^s) is 1/2. What is shown is decided on them: nothing is called exact, or rounded, that is not known to be.
"use strict";
class Undefined extends Error {}

const N = (() => {
  const U = 2 ** -52, MORE = 1 + 1e-9, TINY = Number.MIN_VALUE, LN2 = Math.LN2;
  const LONG = 1n << 700n, TERMS = 6, POWERS = 8;
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
    if (terms.length > TERMS || terms.some(([k, n, d]) => k > LONG || size(n) > LONG || d > LONG)) return ballOf({ terms });
    return { terms };
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

  function collected(terms) {
    const found = new Map();
    for (const [k, n, d] of terms) {
      const [, a, b] = found.get(k) ?? [k, 0n, 1n];
      found.set(k, reduced(k, a * d + n * b, b * d));
    }
    return exact([...found.values()].filter(([, n]) => n !== 0n).sort((a, b) => (a[0] < b[0] ? -1 : 1)));
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

  // -- balls: (x ± e) · 2^k, with k = 0 unless x is huge or tiny
  function scaled(x, k) {
    for (; k > 1000; k -= 1000) x *= 2 ** 1000;
    for (; k < -1000; k += 1000) x *= 2 ** -1000;
    return x * 2 ** k;
  }

  function ball(x, e, k = 0) {
    e = e * MORE + TINY;
    if (!Number.isFinite(x) || !Number.isFinite(e)) throw new Undefined("large");
    const magnitude = x === 0 ? 0 : Math.floor(Math.log2(Math.abs(x)));
    if (Math.abs(magnitude) > 400) [x, e, k] = [scaled(x, -magnitude), scaled(e, -magnitude) + TINY, k + magnitude];
    if (k !== 0 && x !== 0 && Math.abs(k + Math.log2(Math.abs(x))) < 400) [x, e, k] = [scaled(x, k), scaled(e, k) + TINY, 0];
    return { x, e, k };
  }

  // a fraction as a double and a power of two
  function quotient(n, d) {
    if (size(n) < 1n << 53n && d < 1n << 53n) return [Number(n) / Number(d), 0];
    const shift = bits(n) - bits(d) - 64;
    const whole = shift >= 0 ? n / (d << BigInt(shift)) : (n << BigInt(-shift)) / d;
    return [Number(whole), shift];
  }

  function ballOf(a) {
    if (a.infinite) throw new Undefined("infinite");
    if (a.terms === undefined) return a;
    let sum = ball(0, 0);
    for (const [k, n, d] of a.terms) {
      const [x, shift] = quotient(n, d);
      let term = ball(x, Math.abs(x) * U, shift);
      if (k > 1n) {
        const [y, up] = quotient(k, 1n);
        term = multiply(term, sqrt(ball(y, Math.abs(y) * U, up)));
      }
      sum = add(sum, term);
    }
    return sum;
  }

  // -- sums of powers of e: [factor, exponent] with exact numbers, by exponent
  const key = (a) => a.terms.map((term) => term.join("/")).join("+");
  const asPowers = (a) => (a.terms ? (isZero(a) ? [] : [[a, { terms: [] }]]) : (a.powers ?? null));

  function known(result, powers) {
    if (powers === null || powers.length > POWERS || powers.some(([c, a]) => !c.terms || !a.terms)) return result;
    const found = new Map();
    for (const [factor, exponent] of powers) {
      const place = key(exponent), before = found.get(place);
      found.set(place, [before ? add(before[0], factor) : factor, exponent]);
    }
    const kept = [...found.entries()].filter(([, [factor]]) => !isZero(factor)).sort((a, b) => (a[0] < b[0] ? -1 : 1));
    if (kept.length === 0) return rational(0n);
    if (kept.some(([, [factor]]) => !factor.terms)) return result;
    if (kept.length === 1 && isZero(kept[0][1][1])) return kept[0][1][0];
    return { ...result, powers: kept.map(([, pair]) => pair) };
  }

  // the quotient of two sums, where each power above is the same multiple of one below
  function quotientOfPowers(above, below) {
    if (!above || !below || above.length !== below.length || above.length === 0) return null;
    const ratios = above.map(([c, a], k) => [divide(c, below[k][0]), subtract(a, below[k][1])]);
    const [ratio, exponent] = ratios[0];
    if (!ratios.every(([c, a]) => c.terms && a.terms && key(c) === key(ratio) && key(a) === key(exponent))) return null;
    return [[ratio, exponent]];
  }

  const plain = (a) => [scaled(a.x, a.k), scaled(a.e, a.k) + TINY];

  // -- arithmetic
  function add(a, b) {
    if (a.terms && b.terms) return collected([...a.terms, ...b.terms]);
    if (isZero(a)) return b;
    if (isZero(b)) return a;
    const left = asPowers(a), right = asPowers(b), powers = left && right && [...left, ...right];
    [a, b] = [ballOf(a), ballOf(b)];
    if (a.k < b.k) [a, b] = [b, a];
    const [x, e] = [scaled(b.x, b.k - a.k), scaled(b.e, b.k - a.k) + TINY];
    return known(ball(a.x + x, a.e + e + Math.abs(a.x + x) * U, a.k), powers);
  }

  function negate(a) {
    if (a.terms) return { terms: a.terms.map(([k, n, d]) => [k, -n, d]) };
    const b = ballOf(a), negative = { x: -b.x, e: b.e, k: b.k };
    return a.powers ? { ...negative, powers: a.powers.map(([factor, exponent]) => [negate(factor), exponent]) } : negative;
  }

  const subtract = (a, b) => add(a, negate(b));

  function multiply(a, b) {
    if (isZero(a) || isZero(b)) return rational(0n);
    if (a.terms && b.terms) {
      return collected(a.terms.flatMap(([k, n, d]) => b.terms.map(([l, m, c]) => {
        const common = gcd(k, l);
        return [(k / common) * (l / common), n * m * common, d * c];
      })));
    }
    const left = asPowers(a), right = asPowers(b);
    const powers = left && right && left.length * right.length <= POWERS
      ? left.flatMap(([c, p]) => right.map(([d, q]) => [multiply(c, d), add(p, q)])) : null;
    [a, b] = [ballOf(a), ballOf(b)];
    const x = a.x * b.x;
    return known(ball(x, Math.abs(a.x) * b.e + Math.abs(b.x) * a.e + a.e * b.e + Math.abs(x) * U, a.k + b.k), powers);
  }

  function divide(a, b) {
    if (isZero(b)) throw new Undefined("zero");
    if (isZero(a) && b.terms) return a;
    if (a.terms && b.terms && b.terms.length === 1) {
      const [k, n, d] = b.terms[0];
      return multiply(a, exact([reduced(k, d, n * k)]));
    }
    const [above, below] = [ballOf(a), ballOf(b)];
    const least = Math.abs(below.x) - below.e;
    if (!(least > 0)) throw new Undefined("zero");
    if (isZero(a)) return a;
    const x = above.x / below.x, byExact = b.terms && a.powers && b.terms.length === 1;
    const powers = byExact ? a.powers.map(([c, p]) => [divide(c, b), p]) : quotientOfPowers(asPowers(a), asPowers(b));
    return known(ball(x, (above.e + Math.abs(x) * below.e) / least + Math.abs(x) * U, above.k - below.k), powers);
  }

  function sign(a) {
    if (a.infinite) return a.infinite;
    if (isZero(a)) return 0;
    if (a.terms && a.terms.length === 1) return a.terms[0][1] > 0n ? 1 : -1;
    const b = ballOf(a);
    return b.x > b.e ? 1 : b.x < -b.e ? -1 : null;
  }

  function decidedSign(a) {
    const found = sign(a);
    if (found === null) throw new Undefined("undecided");
    return found;
  }

  // -- functions
  function exp(a) {
    if (isZero(a)) return rational(1n);
    const [y, off] = plain(ballOf(a));
    if (!Number.isFinite(y) || Math.abs(y) > 2 ** 40) {
      if (y > 0 || !(y < 0)) throw new Undefined("large");
      return { x: 0, e: 1, k: -(2 ** 30) };
    }
    const far = Math.abs(y) > 600, n = far ? Math.round(y / LN2) : 0;
    const x = Math.exp(far ? y - n * LN2 : y);
    const power = ball(x, x * (Math.expm1(off + (far ? Math.abs(y) * 4 * U : 0)) * MORE + 8 * U), n);
    return a.terms ? known(power, [[rational(1n), a]]) : power;
  }

  function sqrt(a) {
    if (isZero(a)) return a;
    if (a.terms && a.terms.length === 1 && a.terms[0][0] === 1n) {
      const [, n, d] = a.terms[0];
      if (n < 0n) throw new Undefined("negative");
      if (n * d < 1n << 120n) {
        const [square, rest] = withoutSquares(n * d);
        return exact([reduced(rest, square, d)]);
      }
    }
    let { x, e, k } = ballOf(a);
    if (k % 2) [x, e, k] = [x * 2, e * 2, k - 1];
    if (!(x - e > 0)) throw new Undefined("negative");
    return ball(Math.sqrt(x), e / Math.sqrt(x - e) + Math.sqrt(x) * U, k / 2);
  }

  function log(a) {
    if (isRational(a) && !isZero(a) && fraction(a)[0] === fraction(a)[1]) return rational(0n);
    const { x, e, k } = ballOf(a);
    if (!(x - e > 0)) throw new Undefined("negative");
    const y = Math.log(x) + k * LN2;
    return ball(y, -Math.log1p(-e / x) * MORE + 4 * U * (Math.abs(Math.log(x)) + Math.abs(k * LN2) + U));
  }

  // a function without values far from 0 and 1, whose slope is nowhere above `slope`
  const smooth = (f, slope, atZero, exactness = 8 * U) => (a) => {
    if (isZero(a) && atZero !== null) return rational(atZero);
    const [y, off] = plain(ballOf(a));
    const clipped = Math.max(-1e300, Math.min(1e300, y));
    const x = f(clipped);
    return ball(x, slope * off + exactness * (Math.abs(x) + U));
  };
  const tanh = smooth(Math.tanh, 1, 0n), sin = smooth(Math.sin, 1, 0n), cos = smooth(Math.cos, 1, 1n);
  const erf = smooth((y) => (y < 0 ? -(1 - erfcAbove(-y)) : 1 - erfcAbove(y)), 1.1284, 0n, 1e-14);

  // erfc of y >= 0: a series of positive terms near 0, a continued fraction from 2 on
  function erfcAbove(y) {
    if (y < 2) {
      let term = y, sum = y;
      for (let n = 1; term > sum * 1e-18; n += 1) sum += term *= (2 * y * y) / (2 * n + 1);
      return 1 - (2 / Math.sqrt(Math.PI)) * Math.exp(-y * y) * sum;
    }
    let tail = 0;
    for (let n = 80; n > 0; n -= 1) tail = n / 2 / (y + tail);
    return Math.exp(-y * y) / Math.sqrt(Math.PI) / (y + tail);
  }

  // Φ(y) = erfc(-y / √2) / 2
  function normal(a) {
    if (isZero(a)) return rational(1n, 2n);
    const [y, off] = plain(ballOf(a));
    const z = -Math.max(-40, Math.min(40, y)) / Math.SQRT2;
    const x = (z < 0 ? 2 - erfcAbove(-z) : erfcAbove(z)) / 2;
    return ball(x, 0.4 * off + 4e-13 * x + (Math.abs(y) > 40 ? 1e-300 : 0));
  }

  function relu(a) {
    const s = sign(a);
    if (s !== null) return s > 0 ? a : rational(0n);
    const b = ballOf(a);
    return ball(Math.max(b.x, 0), b.e, b.k);
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

  const pi = () => ball(Math.PI, U * 4);

  return {
    below, above, rational, isRational, fraction, isZero, ballOf, add, negate, subtract, multiply, divide, sign, exp, sqrt,
    log, tanh, sin, cos, erf, normal, relu, step, share, power, pi,
  };
})();
