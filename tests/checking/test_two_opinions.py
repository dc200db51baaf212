"""The verdict on a number against a second one that rounds with Decimal and mpmath: they agree on thousands of claims."""

from decimal import Decimal, localcontext
from fractions import Fraction
from random import Random

import pytest
from claimed_cases import claims, m, rationals, values
from hypothesis import HealthCheck, assume, given, seed, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from second_opinion import DIGITS, of_mpmath, second_opinion
from sympy import E, Rational, exp, log, sqrt

from symtransformer import derive, evaluate, matrix
from symtransformer.checking import entry, judge_number, number, read_number, regions
from symtransformer.operations import LayerNorm, ScaledDotProductAttention

THOROUGH = settings(max_examples=1500, deadline=None, suppress_health_check=list(HealthCheck), database=None)
relations = st.sampled_from(["=", "≈"])


def kind(text, value, relation="≈"):
    return judge_number(read_number(text), number(value), relation=relation).kind


@seed(20)
@THOROUGH
@given(st.data())
def test_both_agree(data):
    value, digits = data.draw(values())
    text, relation = data.draw(claims(digits)), data.draw(relations)
    assert kind(text, value, relation) == second_opinion(text, digits, relation)


@seed(21)
@THOROUGH
@given(st.data(), rationals, st.integers(0, 9), st.sampled_from([0, 1, -1]), st.integers(0, 80))
def test_both_agree_at_and_beside_the_boundaries(data, value, places, side, far):
    """The value is moved to half a place beside a multiple of the place, or 10^-far away from it."""
    unit = Rational(1, 10**places)
    value = (value / unit).round() * unit + unit / 2 + side * unit / 10**far
    with localcontext() as context:
        context.prec = 200
        digits = Decimal(int(value.p)) / Decimal(int(value.q))
    text, relation = data.draw(claims(digits)), data.draw(relations)
    assert kind(text, value, relation) == second_opinion(text, digits, relation)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("holds", lambda region, value: value.sign_from(region.low) >= 0 and value.sign_from(region.high) <= 0),
        ("holds", lambda region, value: value.sign_from(region.low) > 0 and value.sign_from(region.high) < 0),
        ("holds_one_place_off", lambda region, value: value.sign_from(region.low - region.below) > 0
         and value.sign_from(region.high + region.above) < 0),
        ("mirrored", lambda region: region),
    ],
)  # fmt: skip
def test_a_planted_error_is_seen(monkeypatch, name, wrong):
    texts = ("0.12", "0.37", "0.38", "-0.12", "-0.62", "2", "-4", "0.1", "0.66...", "-0.6...", "0.9...")
    pairs = [(text, count) for text in texts for count in range(-40, 40)]
    monkeypatch.setattr(regions.Region, name, wrong)
    assert any(kind(text, Rational(n, 8)) != second_opinion(text, Decimal(n) / 8) for text, n in pairs)
    monkeypatch.undo()
    assert all(kind(text, Rational(n, 8)) == second_opinion(text, Decimal(n) / 8) for text, n in pairs)


# -- within 1e-60 of a boundary ------------------------------------------------------------------------------
BASES = {
    "sqrt2": (sqrt(2), lambda: mp.sqrt(2)),
    "e": (E, lambda: mp.e),
    "log3": (log(3), lambda: mp.log(3)),
    "share": (exp(2) / (exp(2) + exp(Rational(1, 3)) + 1), lambda: mp.exp(2) / (mp.exp(2) + mp.exp(mpf(1) / 3) + 1)),
}


def beside(base, places, far, count):
    """A number with the base in it that lies less than 10^-far beside half a place, and on which side."""
    exact, by_mpmath = BASES[base]
    with mp.workdps(far + 60):
        boundary = mpf(2 * count + 1) / (2 * mpf(10) ** places)
        moved = Rational(mp.nstr(boundary - by_mpmath(), far + 8))
        apart = mpf(int(moved.p)) / int(moved.q) + by_mpmath() - boundary
        assert 0 < abs(apart) < mpf(10) ** -far
    return exact + moved, 1 if apart > 0 else -1


def text_of(count, places):
    return f"{Decimal(count).scaleb(-places):.{places}f}"


def test_claims_within_1e_60_of_a_boundary():
    judged = by_floats = 0
    for base in BASES:
        for places in range(1, 13):
            for far in (60, 75, 90):
                for count in (0, 3, -5, 8128):
                    value, side = beside(base, places, far, count)
                    right, other = (count + 1, count) if side > 0 else (count, count + 1)
                    assert kind(text_of(right, places), value) == "right"
                    assert kind(text_of(other, places), value) == "last_place"
                    judged += 2
                    by_floats += round(float(value), places) != float(text_of(right, places))
    assert judged >= 446
    assert by_floats > 50  # floats get many of them wrong


def test_a_value_beside_a_boundary_that_is_rational():
    for far in (61, 100, 300):
        for side in (1, -1):
            value = Rational(1, 8) + Rational(side, 10**far)
            assert kind("0.13", value) == ("right" if side > 0 else "last_place")
            assert kind("0.12", value) == ("right" if side < 0 else "last_place")


# -- properties ---------------------------------------------------------------------------------------------------
@seed(22)
@settings(max_examples=150, deadline=None, database=None)
@given(values())
def test_a_rounded_value_is_right_with_any_number_of_digits(pair):
    value, digits = pair
    with localcontext() as context:
        context.prec = 200
        for places in range(31):
            text = f"{digits.quantize(Decimal(1).scaleb(-places)):f}"
            assert kind(text, value) == "right", (text, value)


@seed(23)
@settings(max_examples=400, deadline=None, database=None)
@given(st.data(), st.integers(-30, 30))
def test_a_power_of_ten_on_both_sides_keeps_the_verdict(data, power):
    value, digits = data.draw(values())
    text = data.draw(claims(digits).filter(lambda t: t[-1].isdigit() and "e" not in t and ("." in t or t[-1] != "0")))
    assume(sum(c.isdigit() for c in text) < 15)  # what a program prints is known by how it is printed
    assert kind(f"{text}e{power}", value * Rational(10) ** power) == kind(text, value)
    assert kind(f"{text} × 10^{{{power}}}", value * Rational(10) ** power) == kind(text, value)
    assert kind(f"{text}%", value / 100) == kind(text, value)


@seed(24)
@settings(max_examples=300, deadline=None, database=None)
@given(st.data())
def test_both_signs_turned_keep_the_verdict(data):
    value, digits = data.draw(values())
    text = data.draw(claims(digits))
    turned = text[1:] if text.startswith("-") else "-" + text
    assert kind(turned, -value) == kind(text, value)


def test_the_second_opinion_is_its_own():
    """Against numbers that were rounded by hand."""
    for text, value, verdict in (
        ("0.67", "2/3", "right"), ("0.66", "2/3", "last_place"), ("0.66...", "2/3", "right"), ("0.67...", "2/3", "last_place"),
        ("0.12", "1/8", "right"), ("0.13", "1/8", "right"), ("0.14", "1/8", "last_place"), ("0.15", "1/8", "wrong"),
        ("700", "3326/5", "right"), ("100", "60", "wrong"), ("100", "96", "right"), ("100", "144", "right"),
    ):  # fmt: skip
        fraction = Fraction(value)
        with mp.workdps(DIGITS):
            assert second_opinion(text, of_mpmath(mpf(fraction.numerator) / fraction.denominator)) == verdict
    assert second_opinion("100", Decimal(144), "=") == "wrong"


# -- entries of attention and of LayerNorm ---------------------------------------------------------------------------
def drawn(random, rows, cols):
    return [[Rational(random.randint(-20, 20), random.choice([2, 5, 10])) for _ in range(cols)] for _ in range(rows)]


def attention_by_mpmath(q, k, v):
    rows = []
    for a in q:
        weights = [mp.exp(sum(m(x) * m(y) for x, y in zip(a, b, strict=True)) / mp.sqrt(len(a))) for b in k]
        rows.append(
            [sum(w * m(r[j]) for w, r in zip(weights, v, strict=True)) / sum(weights) for j in range(len(v[0]))]
        )
    return rows


def layer_norm_by_mpmath(rows):
    found = []
    for row in rows:
        mean = sum(map(m, row)) / len(row)
        spread = mp.sqrt(sum((m(x) - mean) ** 2 for x in row) / len(row) + mpf(1) / 100_000)
        found.append([(m(x) - mean) / spread for x in row])
    return found


@pytest.fixture(scope="module")
def entries():
    """Entries of expressions, and the same by mpmath."""
    random = Random(25)
    Q, K, V, X = matrix("Q", 3, 2), matrix("K", 4, 2), matrix("V", 4, 5), matrix("X", 3, 4)
    q, k, v, x = drawn(random, 3, 2), drawn(random, 4, 2), drawn(random, 4, 5), drawn(random, 3, 4)
    found = []
    with mp.workdps(DIGITS + 20):
        for expression, values, by_mpmath in (
            (ScaledDotProductAttention(Q, K, V), {Q: q, K: k, V: v}, attention_by_mpmath(q, k, v)),
            (LayerNorm(X), {X: x}, layer_norm_by_mpmath(x)),
        ):
            steps = derive(expression)
            cells = evaluate(steps, values).cells(steps.steps[-1].name)
            found += [
                (entry(cells, i, j), of_mpmath(by_mpmath[i][j]))
                for i in range(cells.shape[0])
                for j in range(cells.shape[1])
            ]
    return found


def test_entries_are_right_with_any_number_of_digits_and_wrong_two_units_off(entries):
    assert len(entries) == 15 + 12
    for value, digits in entries:
        with localcontext() as context:
            context.prec = 200
            for places in (*range(13), 20, 30, 38):
                unit = Decimal(1).scaleb(-places)
                rounded = digits.quantize(unit)
                for off in (0, 1, -1, 2, -2, 3):
                    text = f"{rounded + off * unit:f}"
                    verdict = judge_number(read_number(text), value).kind
                    assert verdict == second_opinion(text, digits)
                    zeros = places == 0 and text.endswith("0")
                    assert zeros or (verdict == "right") == (off == 0), text


@seed(26)
@settings(max_examples=800, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_both_agree_about_entries(entries, data):
    value, digits = data.draw(st.sampled_from(entries))
    text, relation = data.draw(claims(digits)), data.draw(relations)
    assert judge_number(read_number(text), value, relation=relation).kind == second_opinion(text, digits, relation)


def test_an_entry_that_equals_its_claim_is_exactly_right():
    """Equal scores: every weight is 1/4, of which no ball is exact; 0.75 is the mean of the values."""
    Q, K, V = matrix("Q", 2, 3), matrix("K", 4, 3), matrix("V", 4, 1)
    values = {
        Q: [[0, 0, 0], [1, 2, 3]],
        K: [[Rational(1, 10)] * 3] * 4,
        V: [[0], [1], [Rational(3, 2)], [Rational(1, 2)]],
    }
    steps = derive(ScaledDotProductAttention(Q, K, V))
    cells = evaluate(steps, values).cells(steps.steps[-1].name)
    for text, notes in (("0.75", []), ("3/4", []), ("75%", []), ("0.8", ["half_way", "equals_rounded"]), ("0.750", [])):
        verdict = judge_number(read_number(text), entry(cells, 1, 0), relation="=")
        assert (verdict.kind, [n.name for n in verdict.notes]) == ("right", notes)
    assert judge_number(read_number("0.7"), entry(cells, 1, 0)).kind == "last_place"
