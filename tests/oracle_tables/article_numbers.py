"""The numbers of the article on self-attention: softmax by hand, GELU, temperatures, rotary positions, InfoNCE."""

from fractions import Fraction

from mpmath import findroot, mp, mpf
from oracle_reading import Document, as_mpf, assert_close, of, page
from sympy import Rational, floor, lambdify, log, symbols

from oracle_tables import layers
from oracle_tables.layers import dec
from oracle_tables.trees import sizes_of
from symtransformer import evaluate, matrix
from symtransformer.models import ARTICLE
from symtransformer.operations import (
    GELU,
    ColumnSlice,
    Exponential,
    GELUTanh,
    Hadamard,
    InfoNCE,
    Logarithm,
    Ones,
    ReLU,
    RotaryEmbedding,
    RowSum,
    Softmax,
    Tanh,
    TemperatureSoftmax,
)  # fmt: skip
from symtransformer.symbols import Literal

DOCUMENT = Document("attention-article")
GIVEN = DOCUMENT.inputs
n, d, d_k, d_v, d_ff = layers.n, layers.d, layers.d_k, layers.d_v, layers.d_ff

S, V = matrix("S", 1, 3), matrix("V", 3, 2)
VALUES = {S: [GIVEN["scores"]], V: GIVEN["V_first_components"]}
WEIGHTS = Softmax(S)
POINTS = Literal([GIVEN["gelu_x"]])


def number(expression, *place):
    return of(expression, VALUES, *place)


def sigmoid_form(x):
    """x sigmoid(1.702 x), a third form, which rounds differently; sigmoid(y) = (1 + tanh(y / 2)) / 2."""
    half = Tanh(dec("1.702") * x / 2) + Ones(*x.shape)
    return Hadamard(x, half) / 2


def mixed(weights):
    return of(Literal([weights]) @ V, VALUES, 0)


def turned_score(m, other):
    """The dot product of a turned query and a turned key in two components, at positions m and `other`."""
    q, k = Literal([[1, 2]]), Literal([[3, -1]])
    return of(RotaryEmbedding(q, start=m) @ RotaryEmbedding(k, start=other).T, {}, 0, 0)


SIMILARITIES = [dec(x) for x in ("0.9", "0.7", "0.4", "0.1")]
CONSISTENT = [dec(x) for x in ("0.9", "0.8011", "0.5924", "0.2443")]


def info_nce(temperature):
    return of(InfoNCE(Literal([SIMILARITIES]), Literal([[1, 0, 0, 0]]), temperature), {}, 0, 0)


def sharpened(row, power):
    """The row at another temperature: every weight to a power, divided by the sum."""
    return of(TemperatureSoftmax(Logarithm(Literal([row])), 1 / Rational(power)), {}, 0)


LOW = [dec("0.7"), dec("0.26"), dec("0.03"), dec("0.002")]  # 0.00 taken as 0.002, which rounds to it
TENTH = dec("0.1")
NUMBERS = {
    "art.exp": number(Exponential(S), 0),
    "art.expsum": number(RowSum(Exponential(S)), 0, 0),
    "art.softmax": number(WEIGHTS, 0),
    "art.softmax.sum": number(RowSum(WEIGHTS), 0, 0),
    "art.relu": of(ReLU(POINTS), {}, 0),
    "art.gelu": of(GELU(POINTS), {}, 0),
    "art.weights_used": number(WEIGHTS, 0),
    "art.d.softmax": number(WEIGHTS, 0),
    "art.d.sums": [
        of(RowSum(Literal([row])), {}, 0, 0)
        for row in (
            GIVEN["softmax_high_tau"], GIVEN["softmax_low_tau"], GIVEN["linear_mix_example"],
            [dec("0.77"), dec("0.16"), dec("0.07")],
        )
    ],
    "art.d.out12": number(WEIGHTS @ V, 0),
    "art.d.out12_rounded": mixed([dec("0.77"), dec("0.16"), dec("0.07")]),
    "art.d.gelu": of(GELU(POINTS), {}, 0),
    "art.d.gelu_tanh": of(GELUTanh(POINTS), {}, 0),
    "art.d.gelu_sigmoid": of(sigmoid_form(POINTS), {}, 0),
    "art.d.low_from_high_k10": sharpened(GIVEN["softmax_high_tau"], 10),
    "art.d.high_from_low_k10": sharpened(LOW, TENTH),
    "art.d.consistent_pair": [of(TemperatureSoftmax(Literal([CONSISTENT]), t), {}, 0) for t in (1, TENTH)],
    "art.d.rope2": [turned_score(5, 3), turned_score(2, 0), turned_score(12, 10)],
    "art.d.infonce": [info_nce(1), info_nce(TENTH)],
}  # fmt: skip


# -- other results -----------------------------------------------------------------------------------------
def slope(points):
    """GELU', as the vector-Jacobian product of GELU with a row of ones."""
    return of(GELU(points).vjp(Ones(*points.shape))[0], {}, 0)


def gelu_slopes():
    expected = DOCUMENT.derived["art.d.gelu_deriv"]["independently_computed"]
    for backend in ("exact", "digits", "numpy"):
        assert_close(slope(POINTS).numbers(backend), expected)
    return True


def gelu_minimum():
    """Where the slope is 0, found by mpmath from the library's formula of an entry."""
    x, entry = matrix("x", 1, 1), symbols("x", real=True)
    formula = GELU(x).entry(0, 0).xreplace({x[0, 0]: entry})
    with mp.workdps(40):
        place = findroot(lambdify([entry], formula.diff(entry), "mpmath"), mpf("-0.75"))
        found = [place, lambdify([entry], formula, "mpmath")(place)]
    assert_close(found, DOCUMENT.derived["art.d.gelu_min"]["independently_computed"])
    return True


def ratio_bounds():
    """From the first two entries at least this ratio of temperatures, from the next two at most that."""
    half = Fraction(5, 1000)
    (a, b, c, _), (p, q, r, _) = GIVEN["softmax_high_tau"], GIVEN["softmax_low_tau"]
    rows = Literal(
        [[(p - half) / (q + half), (a + half) / (b - half), (q + half) / (r - half), (b - half) / (c + half)]]
    )
    logs = of(Logarithm(rows)).numbers("exact")
    bounds = [logs[0] / logs[1], logs[2] / logs[3]]
    assert_close(bounds, DOCUMENT.derived["art.d.tau_ratio_bounds"]["independently_computed"])
    return as_mpf(bounds[0]) > as_mpf(bounds[1])


def sign_patterns():
    """2 to the power of the width of a head, as exp(128 log 2)."""
    (value,) = evaluate(Exponential(sizes_of(ARTICLE).d_k * Logarithm(Literal([[2]]))))
    return value


def order_of_magnitude():
    """The power of ten below it; the page says how many digits the number has."""
    value = sign_patterns()
    (figures,) = (f for s in page("attention_article").sections for fact in s.facts if value in (f := fact.values({})))
    assert figures == (sizes_of(ARTICLE).d_k, value, floor(log(value, 10)) + 1)
    return int(floor(log(value, 10)))


def power_of_two():
    value = sign_patterns()
    assert_close([value, log(value, 10)], DOCUMENT.derived["art.d.two128"]["independently_computed"])
    return value == 2**128


def slices():
    """First and last column of heads 1, 2 and 16, counted from 0, as the slices of one wide projection."""
    wide, width = matrix("Q", n, ARTICLE.d_model), ARTICLE.d_k
    taken = [ColumnSlice(wide, head * width, width) for head in (0, 1, ARTICLE.heads - 1)]
    return [[int(part.args[1]), int(part.args[1] + part.shape[1] - 1)] for part in taken]


FOUND = {"art.two_pow_128": order_of_magnitude}
