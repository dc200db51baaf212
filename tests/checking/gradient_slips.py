"""Planted slips in gradients of products and of a linear map, and in positions."""

from attention_slips import drawing
from mpmath import cos, mpf, pi, sin, sqrt
from planted_numbers import each, had, mul, scale, t
from slip_cases import Case
from sympy import S
from sympy import sqrt as root

from symtransformer import matrix
from symtransformer.operations import (
    Addition,
    ColumnSum,
    Embedding,
    Hadamard,
    Heaviside,
    Ones,
    Product,
    RotaryEmbedding,
    Scaling,
    SinusoidalEncoding,
    Transpose,
)

SIZES = {"dS": (3, 4), "Q": (3, 2), "K": (4, 2), "A": (3, 4), "dZ": (3, 5), "V": (4, 5), "dA": (3, 4)}
SELF = {"dS": (3, 3), "Q": (3, 2), "K": (3, 2), "A": (3, 3), "dZ": (3, 5), "V": (3, 5), "dA": (3, 3)}


def letter(name, sizes):
    return matrix(name, *sizes[name])


def dQ(sizes=SIZES):
    return lambda: Scaling(Product(letter("dS", sizes), letter("K", sizes)), S.One, root(2))


def dK(sizes=SIZES):
    return lambda: Scaling(Product(Transpose(letter("dS", sizes)), letter("Q", sizes)), S.One, root(2))


def dV(sizes=SIZES):
    return lambda: Product(Transpose(letter("A", sizes)), letter("dZ", sizes))


def scaled_before(sizes=SIZES):
    """(dS / √d_k) K."""
    return lambda: Product(Scaling(letter("dS", sizes), S.One, root(2)), letter("K", sizes))


def case(slip, build, planted, sizes=SIZES):
    return Case(slip, build, drawing(7, **sizes), lambda **v: planted(v))


def over_root(a):
    return scale(a, 1 / sqrt(mpf(2)))


ATTENTION = [
    case("gradient_not_scaled", dQ(), lambda v: mul(v["dS"], v["K"])),
    case("gradient_not_scaled", dK(), lambda v: mul(t(v["dS"]), v["Q"])),
    case("gradient_not_scaled", scaled_before(), lambda v: mul(v["dS"], v["K"])),
    case("gradient_scaled_twice", dQ(), lambda v: scale(mul(v["dS"], v["K"]), mpf(1) / 2)),
    case("gradient_scaled_twice", dK(), lambda v: scale(mul(t(v["dS"]), v["Q"]), mpf(1) / 2)),
    case("dQ_and_dK_swapped", dQ(SELF), lambda v: over_root(mul(t(v["dS"]), v["Q"])), SELF),
    case("dQ_and_dK_swapped", dK(SELF), lambda v: over_root(mul(v["dS"], v["K"])), SELF),
    case("gradient_not_transposed", dK(SELF), lambda v: over_root(mul(v["dS"], v["Q"])), SELF),
    case("gradient_not_transposed", dV(SELF), lambda v: mul(v["A"], v["dZ"]), SELF),
    case("Q_for_K", dQ(SELF), lambda v: over_root(mul(v["dS"], v["Q"])), SELF),
    case("Q_for_K", dK(SELF), lambda v: over_root(mul(t(v["dS"]), v["K"])), SELF),
    case("A_for_dA", dV(), lambda v: mul(t(v["dA"]), v["dZ"])),
    case("A_for_dA", dQ(), lambda v: over_root(mul(v["A"], v["K"]))),
    case("A_for_dA", dQ(), lambda v: over_root(mul(v["dA"], v["K"]))),
]


def dS():
    from symtransformer.checking.slips.score_gradient import through_softmax

    return through_softmax(letter("A", SIZES), letter("dA", SIZES))


def through(A, dA):
    return [
        [a * (g - sum(x * y for x, y in zip(row, top, strict=True))) for a, g in zip(row, top, strict=True)]
        for row, top in zip(A, dA, strict=True)
    ]


ATTENTION.append(case("A_for_dA", dS, lambda v: through(v["A"], v["A"])))


# -- a linear map ----------------------------------------------------------------------------------------------------------
LINEAR = {"X": (3, 4), "W": (4, 4), "b": (4, 1), "dY": (3, 4)}
X, W, b, dY = (letter(name, LINEAR) for name in LINEAR)


def db_row():
    return Product(Ones(1, 3), dY)


def through_relu():
    return Hadamard(dY, Heaviside(Addition(Product(X, W), Product(Ones(3, 1), Transpose(b)))))


def step(x):
    return mpf(x > 0)


LINEAR_GRADIENT = [
    case("dW_transposed", lambda: Product(Transpose(X), dY), lambda v: mul(t(v["dY"]), v["X"]), LINEAR),
    case("weight_not_transposed", lambda: Product(dY, Transpose(W)), lambda v: mul(v["dY"], v["W"]), LINEAR),
    case("db_not_summed", lambda: ColumnSum(dY), lambda v: v["dY"], LINEAR),
    case("db_not_summed", db_row, lambda v: v["dY"], LINEAR),
    case("gradient_averaged", lambda: ColumnSum(dY), lambda v: [[sum(row) / 3] for row in t(v["dY"])], LINEAR),
    case("gradient_averaged", db_row, lambda v: [[sum(row) / 3 for row in t(v["dY"])]], LINEAR),
    case("gradient_averaged", lambda: Product(Transpose(X), dY), lambda v: scale(mul(t(v["X"]), v["dY"]), mpf(1) / 3), LINEAR),
    case("relu_mask_missing", through_relu, lambda v: v["dY"], LINEAR),
    case("relu_mask_from_input", through_relu, lambda v: had(v["dY"], each(step, v["X"])), LINEAR),
]  # fmt: skip


# -- positions ---------------------------------------------------------------------------------------------------------------
def encoding(start=0):
    return lambda: SinusoidalEncoding(3, 6, start)


def nothing(rng):
    return {}


def table(entry, start=0):
    return lambda: [[entry(mpf(i + start), j) for j in range(6)] for i in range(3)]


def speed(k, base=10_000, d=6):
    return mpf(base) ** (mpf(-2 * k) / d)


def wave(angle, j):
    return sin(angle) if j % 2 == 0 else cos(angle)


def pe(slip, entry, start=1, shown_from=None):
    return Case(slip, encoding(start), nothing, table(entry, start if shown_from is None else shown_from))


def right(p, j):
    return wave(p * speed(j // 2), j)


def halves(p, j):
    return sin(p * speed(j)) if j < 3 else cos(p * speed(j - 3))


PE = [
    pe("sine_and_cosine_swapped", lambda p, j: wave(p * speed(j // 2), j + 1)),
    pe("degrees", lambda p, j: wave(p * speed(j // 2) * pi / 180, j)),
    pe("positions_shifted", right, 0, 1),
    pe("positions_shifted", right, 1, 0),
    pe("exponent_without_two", lambda p, j: wave(p * mpf(10_000) ** (mpf(-(j // 2)) / 6), j)),
    pe("exponent_without_two", lambda p, j: wave(p * mpf(10_000) ** (mpf(-2 * j) / 6), j)),
    pe("other_base", lambda p, j: wave(p * speed(j // 2, 1000), j)),
    pe("all_sines", lambda p, j: sin(p * speed(j // 2))),
    pe("all_sines", lambda p, j: sin(p * mpf(10_000) ** (mpf(-j) / 6))),
    pe("sines_then_cosines", halves),
    pe("odd_exponent", lambda p, j: wave(p * mpf(10_000) ** (mpf(-j) / 6), j)),
]

TOKENS = {"T": (3, 5), "E": (5, 6)}


def embedded():
    return Addition(Embedding(*(letter(name, TOKENS) for name in TOKENS), scaled="yes"), SinusoidalEncoding(3, 6))


def with_positions(factor):
    def planted(T, E):
        rows = scale(mul(T, E), factor)
        return [[x + right(mpf(i), j) for j, x in enumerate(row)] for i, row in enumerate(rows)]

    return planted


ROTATED = {"K": (3, 6)}


def rotated(pairing="interleaved"):
    return lambda: RotaryEmbedding(letter("K", ROTATED), 1, pairing=pairing)


def neighbors(k):
    return 2 * k, 2 * k + 1


def of_halves(k):
    return k, k + 3


def turned(pairs=neighbors, angle=lambda p, k: p * speed(k), start=1):
    def planted(K):
        rows = []
        for i, row in enumerate(K):
            new = list(row)
            for k in range(3):
                a, c = pairs(k)
                phi = angle(mpf(i + start), k)
                new[a] = row[a] * cos(phi) - row[c] * sin(phi)
                new[c] = row[c] * cos(phi) + row[a] * sin(phi)
            rows.append(new)
        return rows

    return planted


def rope(slip, build=None, **how):
    return Case(slip, build or rotated(), drawing(7, **ROTATED), turned(**how))


ROPE = [
    Case("embedding_not_scaled", embedded, drawing(7, **TOKENS), with_positions(1)),
    rope("turned_backwards", angle=lambda p, k: -p * speed(k)),
    rope("turned_backwards", rotated("halves"), angle=lambda p, k: -p * speed(k), pairs=of_halves),
    rope("degrees", angle=lambda p, k: p * speed(k) * pi / 180),
    rope("positions_shifted", start=2),
    rope("positions_shifted", start=0),
    rope("exponent_without_two", angle=lambda p, k: p * mpf(10_000) ** (mpf(-k) / 6)),
    rope("other_base", angle=lambda p, k: p * speed(k, 1000)),
]

CASES = [*ATTENTION, *LINEAR_GRADIENT, *PE, *ROPE]
CONVENTIONS = [
    rope("rotary_pairs", pairs=of_halves),
    rope("rotary_pairs", rotated("halves")),
]
