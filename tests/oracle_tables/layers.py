"""Layers of any size, for the claims about which vector goes where; and small questions about trees."""

from fractions import Fraction

from sympy import Rational

from symtransformer import derive, dimension, matrix
from symtransformer.judge import judge_equation
from symtransformer.node import postorder
from symtransformer.operation import unfolded
from symtransformer.operations import CausalMask, DecoderLayer, EncoderLayer

n, m, d, d_k, d_v, d_ff, h = (dimension(name) for name in ("n", "m", "d", "d_k", "d_v", "d_ff", "h"))
X, MEMORY = matrix("X", n, d), matrix("E", m, d)
NETWORK = (matrix("W_1", d, d_ff), matrix("b_1", d_ff, 1), matrix("W_2", d_ff, d), matrix("b_2", d, 1))
PROJECTIONS = (matrix("W_Q", d, d_k), matrix("W_K", d, d_k), matrix("W_V", d, d_v))
CROSS = (matrix("U_Q", d, d_k), matrix("U_K", d, d_k), matrix("U_V", d, d_v))
W_O, U_O = matrix("W_O", d_v, d), matrix("U_O", d_v, d)

ENCODER = derive(EncoderLayer(X, *PROJECTIONS, matrix("W_O", h * d_v, d), *NETWORK, heads=h))
PRE_NORM = derive(EncoderLayer(X, *PROJECTIONS, W_O, *NETWORK, norm="pre", mask=CausalMask(n)))
DECODER = derive(DecoderLayer(X, MEMORY, *PROJECTIONS, W_O, *CROSS, U_O, *NETWORK, mask=CausalMask(n)))


def dec(text):
    """A printed decimal as the exact number that it is."""
    fraction = Fraction(text)
    return Rational(fraction.numerator, fraction.denominator)


def reads(derivation, name, text):
    """Whether the step is made from earlier ones as this text says, and these steps make what it stands for."""
    step = derivation[name]
    return str(step.expression) == text and judge_equation(derivation.expanded(name), step.stands_for).kind == "proved"


def read(derivation, names, *texts):
    """The same for several steps."""
    return len(names) == len(texts) and all(reads(derivation, *pair) for pair in zip(names, texts, strict=True))


def count_of(operation, *roots):
    """How many distinct nodes of this operation there are."""
    nodes = postorder(*(unfolded(root) for root in roots))
    return sum(type(node) is operation for node in nodes)


def is_equal(left, right):
    """Whether the judge finds two expressions equal; points do not refute what they cannot prove."""
    return judge_equation(left, right).kind in ("proved", "tested")


def is_refuted(left, right):
    return judge_equation(left, right).kind == "refuted"
