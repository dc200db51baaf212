"""The numbers of the geometry of attention: dot products, lengths and angles, scaling, saturation, the causal mask."""

from oracle_reading import Document, of
from sympy import Integer, sqrt

from oracle_tables import layers
from symtransformer import matrix
from symtransformer.operations import (
    CausalMask,
    CosineSimilarity,
    Hadamard,
    Identity,
    Mask,
    Ones,
    Row,
    RowSum,
    Softmax,
    SquareRoot,
)  # fmt: skip
from symtransformer.symbols import Literal

DOCUMENT = Document("geometry-ch9")
GIVEN = DOCUMENT.inputs
KEYS, QUERY = ("蒔絵師", "運び", "硯箱"), "漆器"
n, m, d, d_k, d_v = layers.n, layers.m, layers.d, layers.d_k, layers.d_v

Q, K, ALL = matrix("Q", 1, 3), matrix("K", 3, 3), matrix("T", 4, 3)
WORDS = {
    Q: [GIVEN["vectors"][QUERY]],
    K: [GIVEN["vectors"][word] for word in KEYS],
    ALL: [GIVEN["vectors"][word] for word in (*KEYS, QUERY)],
}
DOTS = Q @ K.T


def number(expression, *place):
    return of(expression, WORDS, *place)


def terms(key):
    """The products of the components of the query and of one key."""
    return number(Hadamard(Q, Row(K, key)), 0)


def softmax_of(scores, divisor=1):
    row = matrix("S", 1, len(scores))
    return of(Softmax(row / divisor), {row: [scores]}, 0)


def saturation(scores):
    """p (1 - p), the diagonal of the Jacobian of softmax; 1 - p as the sum of the others, which loses no digits."""
    weights, size = Softmax(Literal([scores])), len(scores)
    return of(Hadamard(weights, weights @ (Ones(size, size) - Identity(size))), {}, 0)


def causal(size):
    """Weights under the causal mask where all scores are equal."""
    return of(Softmax(Mask(0 * Ones(size, size), CausalMask(size))))


def ranking():
    dots = number(DOTS).numbers("exact")
    return sorted(KEYS, key=lambda word: -dots[KEYS.index(word)])


def allowed(size):
    """For each position the positions that it may use, counted from 1."""
    marks = of(CausalMask(size)).numbers("exact")
    return [[j + 1 for j in range(size) if marks[i * size + j] == 0] for i in range(size)]


def cells(size):
    """How many cells a causal mask leaves, and how many it hides."""
    left = sum(map(len, allowed(size)))
    return [left, size**2 - left]


LARGE, SMALL, WIDTH = GIVEN["scores_large"], GIVEN["scores_small"], GIVEN["d_k_example"]
NUMBERS = {
    "geo.dot.makieshi": number(DOTS, 0, 0),
    "geo.dot.hakobi": number(DOTS, 0, 1),
    "geo.dot.suzuribako": number(DOTS, 0, 2),
    "geo.terms.makieshi": terms(0),
    "geo.terms.hakobi": terms(1),
    "geo.terms.suzuribako": terms(2),
    "geo.ranking.scores": [number(DOTS, 0, KEYS.index(word)) for word in ranking()],
    "geo.softmax4": softmax_of(GIVEN["scores"]),
    "geo.softmax.large": softmax_of(LARGE),
    "geo.softmax.small": softmax_of(SMALL),
    "geo.sqrt512": of(SquareRoot(Literal([[WIDTH]])), {}, 0, 0),
    "geo.upper_triangle": of(Softmax(Mask(0 * Ones(2, 2), CausalMask(2))), {}, 0, 1),
    "geo.d.cos": number(CosineSimilarity(Q, K), 0),
    "geo.d.norms": number(SquareRoot(RowSum(Hadamard(ALL, ALL)))),
    "geo.d.weights": number(Softmax(DOTS / sqrt(3)), 0),
    "geo.d.small_512": softmax_of(LARGE, sqrt(Integer(WIDTH))),
    "geo.d.small_512_scores": of(Literal([LARGE]) / sqrt(Integer(WIDTH)), {}, 0),
    "geo.d.jac_small": saturation(SMALL),
    "geo.d.jac_large": saturation(LARGE),
    "geo.d.causal_uniform5": causal(5),
}
FOUND = {"geo.ranking": ranking, "geo.allowed": lambda: allowed(GIVEN["mask_tokens"])}
