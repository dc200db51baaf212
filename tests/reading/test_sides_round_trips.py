"""What is printed, in plain text and in LaTeX, is read back as the same node where its letters are in the scope."""

from hypothesis import given, seed, settings
from hypothesis import strategies as st
from sympy import Integer, Rational, sqrt

import symtransformer.operations  # noqa: F401 - fills the registry
from symtransformer.dialects import LATEX, TEXT
from symtransformer.node import postorder
from symtransformer.operation import REGISTRY
from symtransformer.reading.sides import Known, read_side
from symtransformer.symbols import Letter, Literal, parameter
from symtransformer.writing import piece_of

FACTORS = [Integer(2), Integer(-3), Integer(-1), Rational(1, 2), sqrt(2), Rational(-2, 5), parameter("d_k")]
DIVISORS = [Integer(2), sqrt(parameter("d_k")), sqrt(3), parameter("tau"), Integer(1), Integer(-4)]
ROWWISE = [
    "Softmax", "Exponential", "ReLU", "GELU", "SiLU", "Sigmoid", "Tanh", "LayerNorm", "RMSNorm", "Logarithm",
]  # fmt: skip
NAMES = ["A", "B", "Q", "K", "W_Q", "X_1", "gamma", "W_model", "Y"]
NUMBERS = {"d_k": Known(), "tau": Known()}
entry = st.sampled_from([Integer(0), Integer(-2), Rational(1, 2), Rational(-3, 4), Integer(12), sqrt(2)])
size = st.sampled_from([2, 3, 4])


class Trees:
    """Random expressions of a wanted size, each letter with one size of its own; no columns."""

    def __init__(self, draw):
        self.draw, self.scope = draw, dict(NUMBERS)

    def leaf(self, rows, cols):
        free = [n for n in NAMES if self.scope.get(n, Known((rows, cols))).shape == (rows, cols)]
        if not free or self.draw(st.integers(0, 3)) == 0:
            return Literal([[self.draw(entry) for _ in range(cols)] for _ in range(rows)])
        name = self.draw(st.sampled_from(free))
        self.scope[name] = Known((rows, cols))
        return Letter(name, rows, cols)

    def tree(self, rows, cols, depth):
        if depth == 0:
            return self.leaf(rows, cols)
        kind = self.draw(
            st.sampled_from(["leaf", "product", "sum", "scaling", "transpose", "call", "hadamard", "attention"])
        )
        inner = self.draw(size)

        def deeper(n, m):
            return self.tree(n, m, depth - 1)

        if kind == "product":
            return deeper(rows, inner) @ deeper(inner, cols)
        if kind == "sum":  # to the right of a sum stands none: A + B + C is (A + B) + C
            left, right = deeper(rows, cols), deeper(rows, cols)
            return left + (right if not isinstance(right, REGISTRY["Addition"]) else REGISTRY["ReLU"](right))
        if kind == "scaling":
            factor, divisor = self.draw(st.sampled_from(FACTORS)), self.draw(st.sampled_from(DIVISORS))
            return REGISTRY["Scaling"](deeper(rows, cols), factor, divisor)
        if kind == "transpose":
            return deeper(cols, rows).T
        if kind == "call":
            return REGISTRY[self.draw(st.sampled_from(ROWWISE))](deeper(rows, cols))
        if kind == "hadamard":
            operation = REGISTRY[self.draw(st.sampled_from(["Hadamard", "EntryDivision"]))]
            return operation(deeper(rows, cols), deeper(rows, cols))
        if kind == "attention":
            return REGISTRY["ScaledDotProductAttention"](deeper(rows, inner), deeper(2, inner), deeper(2, cols))
        return self.leaf(rows, cols)


@st.composite
def expressions(draw):
    trees = Trees(draw)
    return trees.tree(draw(size), draw(size), draw(st.integers(1, 4))), trees.scope


def has_nested_sum(node):
    """A sum as the right term of a sum, which is printed without its brackets."""
    return any(
        isinstance(x, REGISTRY["Addition"]) and any(isinstance(t, REGISTRY["Addition"]) for t in x.args[1:])
        for x in postorder(node)
    )


@seed(51)
@settings(max_examples=300, deadline=None, database=None, derandomize=True)
@given(expressions())
def test_text_and_latex_are_read_back_as_the_same_node(case):
    node, scope = case
    for dialect, language in ((TEXT, "text"), (LATEX, "latex")):
        text = piece_of(node, dialect).text
        if len(text) > 3000 or has_nested_sum(node):
            return
        side = read_side(text, scope, language)
        assert side.value is node, (text, side.value)
        letters = {str(x.name) for x in node.atoms(Letter)}
        assert letters <= set(side.names) <= letters | set(NUMBERS)
