"""Random values, each as a SymPy number and by its own formula in mpmath, and random claims about them."""

from decimal import ROUND_FLOOR, Decimal, localcontext

import hypothesis.strategies as st
from mpmath import mp, mpf
from second_opinion import DIGITS, of_mpmath
from sympy import Add, Mul, Pow, Rational, S, exp, log, sqrt

rationals = st.builds(Rational, st.integers(-4000, 4000), st.sampled_from([1, 2, 3, 7, 8, 10, 16, 40, 125, 1000]))
small = st.builds(Rational, st.integers(-60, 60), st.sampled_from([1, 2, 5, 10, 16]))


def m(x):
    return mpf(int(x.p)) / int(x.q)


@st.composite
def values(draw):
    """A SymPy number, and the same as a Decimal of 120 digits."""
    kind = draw(st.sampled_from(["rational", "surd", "exp", "softmax", "log", "norm", "tie"]))
    a, b, c = draw(small), draw(small), draw(small)
    with mp.workdps(DIGITS + 20):
        if kind == "rational":
            a = draw(rationals)
            return a, of_mpmath(m(a))
        if kind == "surd":
            k = draw(st.integers(2, 99))
            return a * sqrt(k) + b, of_mpmath(m(a) * mp.sqrt(k) + m(b))
        if kind == "exp":
            return exp(a / 10), of_mpmath(mp.exp(m(a) / 10))
        if kind == "softmax":
            weights = [mp.exp(m(x)) for x in (a, b, c)]
            return exp(a) / (exp(a) + exp(b) + exp(c)), of_mpmath(weights[0] / sum(weights))
        if kind == "log":
            k = draw(st.integers(2, 99))
            return a * log(k), of_mpmath(m(a) * mp.log(k))
        if kind == "norm":
            mean, eps = (a + b + c) / 3, Rational(1, 100_000)
            spread = ((a - mean) ** 2 + (b - mean) ** 2 + (c - mean) ** 2) / 3
            by_mp = [m(a), m(b), m(c)]
            middle = sum(by_mp) / 3
            deviation = mp.sqrt(sum((x - middle) ** 2 for x in by_mp) / 3 + mpf(1) / 100_000)
            return (a - mean) / sqrt(spread + eps), of_mpmath((by_mp[0] - middle) / deviation)
        return hidden(draw(st.integers(-999, 999)), draw(st.sampled_from([8, 40, 2000])), draw(st.integers(0, 2)))


def hidden(above, below, how):
    """above / below, but not to be seen: by roots, by exponentials, or as a share."""
    fraction = Rational(above, below)
    if how == 0:
        one = Mul(sqrt(2), Pow(S(8), S.Half, evaluate=False), Rational(1, 4), evaluate=False)
    elif how == 1:
        one = Mul(exp(3), exp(-3), evaluate=False)
    else:
        both = Add(exp(2), exp(2), evaluate=False)
        one = Mul(2, exp(2), Pow(both, S.NegativeOne, evaluate=False), evaluate=False)
    return Mul(fraction, one, evaluate=False), Decimal(above) / Decimal(below)


@st.composite
def claims(draw, value):
    """A claim near the value: so many decimals, so many units off, in one of the forms."""
    form = draw(st.sampled_from(["plain", "percent", "power", "zeros", "dots"]))
    places = draw(st.integers(1 if form == "dots" else 0, 9))
    off = draw(st.integers(-3, 3))
    with localcontext() as context:
        context.prec = 200
        if form == "zeros":
            unit = Decimal(10) ** draw(st.integers(1, 3))
            units = (value / unit).to_integral_value(draw(st.sampled_from([ROUND_FLOOR, None]))) + off
            return f"{int(units * unit)}"
        if form == "percent":
            value = value * 100
        power = draw(st.integers(-4, 4)) if form == "power" else 0
        units = (value.scaleb(places - power)).to_integral_value(draw(st.sampled_from([ROUND_FLOOR, None]))) + off
        text = f"{units.scaleb(-places):.{places}f}"
    return text + {"percent": "%", "power": f"e{power}", "dots": "..."}.get(form, "")
