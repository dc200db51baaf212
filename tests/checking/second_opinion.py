"""The verdict on a claimed decimal once more, by rounding the value with Decimal; nothing of the library is used.

The value has 120 digits, by mpmath; what lies within 1e-100 of a half is that half.
"""

import re
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext

from mpmath import mp

DIGITS, NEAR = 120, Decimal("1e-100")
NUMBER = re.compile(r"([-−]?)([0-9]+)(?:\.([0-9]+))?(\.\.\.)?(?:e(-?[0-9]+))?(%?)")


def of_mpmath(number):
    """A number of mpmath with 120 digits as a Decimal."""
    with mp.workdps(DIGITS):
        return Decimal(mp.nstr(number, DIGITS, strip_zeros=False))


def second_opinion(text, value, relation="≈"):
    """right, last_place or wrong."""
    with localcontext() as context:
        context.prec = 600
        return _opinion(text, value, relation)


def _opinion(text, value, relation):
    minus, whole, fraction, dots, power, percent = NUMBER.fullmatch(text).groups()
    fraction = fraction or ""
    exponent = int(power or 0) - len(fraction) - (2 if percent else 0)
    size = Decimal(int(whole + fraction)).scaleb(exponent)
    unit = Decimal(1).scaleb(exponent)
    claimed = -size if minus else size
    if dots:
        return _cut_off(size, unit, -value if minus else value, len(fraction))
    zeros = len(whole) - len(whole.rstrip("0")) if size and not fraction else 0
    counted = value * 100 if percent else value  # in what the claim counts
    if (
        relation == "="
        and _snapped(counted, Decimal(2)) == counted.to_integral_value()
        and zeros
        and not _is(claimed, value, unit)
    ):
        zeros = 0
    is_whole = relation == "=" and not fraction and power is None and not percent
    zeros = 0 if is_whole else zeros  # after = it stands for itself
    units = [unit.scaleb(k) for k in range(zeros + 1)]
    is_far = is_whole and abs(value - claimed) >= Decimal("0.005")
    if not is_far and any(_is(claimed, value, u) and (u == unit or abs(value) >= u - NEAR) for u in units):
        return "right"
    widest = units[-1]
    towards_zero = widest / 10 if zeros and size == widest else widest
    inner = size - towards_zero * Decimal("1.5")
    outer = size + widest * Decimal("1.5")
    along = -value if claimed < 0 else value
    return "last_place" if inner - NEAR <= along <= outer + NEAR else "wrong"


def _snapped(value, unit):
    """The value, or the half unit that it is."""
    halves = (value / unit * 2).to_integral_value(ROUND_HALF_EVEN)
    half = halves * unit / 2
    return half if abs(value - half) < NEAR else value


def _is(claimed, value, unit):
    value = _snapped(value, unit)
    return claimed in {(value / unit).to_integral_value(mode) * unit for mode in (ROUND_HALF_UP, ROUND_HALF_EVEN)}


def _cut_off(size, unit, along, decimals):
    """0.66... are the first digits of the value."""
    along = _snapped(along, unit)
    if along >= 0 and (along / unit).to_integral_value(ROUND_DOWN) * unit == size:
        return "right"
    nines = decimals and str(int(size / unit)).rjust(decimals, "0")[-decimals:] == "9" * decimals
    if nines and along == size + unit:
        return "right"
    return "last_place" if size - unit <= along <= size + 2 * unit else "wrong"
