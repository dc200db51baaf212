"""What is printed, in plain text and in LaTeX, is read back as the same node."""

from hypothesis import given, seed, settings
from hypothesis import strategies as st
from sympy import Integer, Rational, sqrt

import symtransformer.operations  # noqa: F401 - fills the registry
from symtransformer.dialects import LATEX, TEXT
from symtransformer.node import postorder
from symtransformer.operation import REGISTRY
from symtransformer.reading import read_expression
from symtransformer.rendering.markdown import CodeHostPrinter
from symtransformer.symbols import Letter, Literal, dimension
from symtransformer.writing import piece_of

CODE_HOSTS = CodeHostPrinter("en", {})
SIZES = [dimension("n"), dimension("m"), dimension("d_k"), Integer(2)]
size = st.sampled_from(SIZES)
FACTORS = [Integer(2), Integer(-3), Integer(-1), Rational(1, 2), sqrt(2), Rational(-2, 5), dimension("d_k"), Integer(7)]
DIVISORS = [Integer(2), sqrt(dimension("d_k")), sqrt(3), Rational(1, 3), dimension("n"), Integer(1), Integer(-4)]
ROWWISE = [
    "Softmax",
    "Exponential",
    "ReLU",
    "GELU",
    "SiLU",
    "Sigmoid",
    "Tanh",
    "LayerNorm",
    "RMSNorm",
    "Standardization",
]
NAMES = ["A", "B", "Q", "K", "W_Q", "X_1", "gamma", "enc1.W_Q", "W_model", "Y"]
entry = st.sampled_from([Integer(0), Integer(-2), Rational(1, 2), Rational(-3, 4), Integer(12), sqrt(2)])


class Trees:
    """Random expressions of a wanted size, each letter with one size of its own."""

    def __init__(self, draw):
        self.draw, self.letters = draw, {}

    def leaf(self, rows, cols):
        free = [n for n in NAMES if self.letters.get(n, (rows, cols)) == (rows, cols)]
        numeric = rows == cols == 2
        if not free or (numeric and self.draw(st.booleans())):
            if not numeric:
                name = f"N{len(self.letters)}"
                self.letters[name] = (rows, cols)
                return Letter(name, rows, cols)
            return Literal([[self.draw(entry), self.draw(entry)], [self.draw(entry), self.draw(entry)]])
        name = self.draw(st.sampled_from(free))
        self.letters[name] = (rows, cols)
        return Letter(name, rows, cols)

    def tree(self, rows, cols, depth):
        if depth == 0:
            return self.leaf(rows, cols)
        kinds = ["leaf", "product", "sum", "scaling", "transpose", "call", "hadamard", "attention", "division", "bias"]
        kind = self.draw(st.sampled_from(kinds))
        inner = self.draw(size)

        def deeper(n, m):
            return self.tree(n, m, depth - 1)

        if kind == "product":
            return deeper(rows, inner) @ deeper(inner, cols)
        if kind == "sum":  # to the right of a sum stands none: A + B + C is (A + B) + C
            left, right = deeper(rows, cols), deeper(rows, cols)
            return left + (right if not isinstance(right, (REGISTRY["Addition"], REGISTRY["Mask"])) else right.T.T.T.T)
        if kind == "scaling":
            factor, divisor = self.draw(st.sampled_from(FACTORS)), self.draw(st.sampled_from(DIVISORS))
            return REGISTRY["Scaling"](deeper(rows, cols), factor, divisor)
        if kind == "transpose":
            return deeper(cols, rows).T
        if kind == "call":
            return REGISTRY[self.draw(st.sampled_from(ROWWISE))](deeper(rows, cols))
        if kind in ("hadamard", "division"):
            operation = REGISTRY["Hadamard" if kind == "hadamard" else "EntryDivision"]
            return operation(deeper(rows, cols), deeper(rows, cols))
        if kind == "attention":
            return REGISTRY["ScaledDotProductAttention"](deeper(rows, inner), deeper(2, inner), deeper(2, cols))
        if kind == "bias" and self.letters.get("b", (cols, 1)) == (cols, 1):
            self.letters["b"] = (cols, 1)
            row = REGISTRY["Product"](REGISTRY["Ones"](rows, 1), Letter("b", cols, 1).T)
            return deeper(rows, inner) @ deeper(inner, cols) + row
        return self.leaf(rows, cols)


@st.composite
def expressions(draw):
    trees = Trees(draw)
    return trees.tree(draw(size), draw(size), draw(st.integers(1, 4))), trees.letters


def has_nested_sum(node):
    """A sum as the right term of a sum, which is printed without its brackets."""
    return any(
        isinstance(x, REGISTRY["Addition"]) and any(isinstance(t, REGISTRY["Addition"]) for t in x.args[1:])
        for x in postorder(node)
    )


def read_back(node, letters, text):
    used = {str(x.name): x.shape for x in node.atoms(Letter)}
    return read_expression(text, shapes={name: letters[name] for name in used}).expression


def test_every_row_wise_name_is_an_operation():
    assert set(ROWWISE) <= set(REGISTRY)


@seed(2024)
@settings(max_examples=300, deadline=None, database=None)
@given(expressions())
def test_text_and_latex_are_read_back_as_the_same_node(case):
    node, letters = case
    text, tex = piece_of(node, TEXT).text, piece_of(node, LATEX).text
    if max(len(text), len(tex)) > 4000 or not isinstance(node, tuple(REGISTRY.values())) or has_nested_sum(node):
        return
    assert read_back(node, letters, text) is node
    assert read_back(node, letters, tex) is node
    assert read_back(node, letters, CODE_HOSTS.mathematics(tex)) is node  # softmax upright, and no operator


@seed(99)
@settings(max_examples=300, deadline=None, database=None)
@given(expressions())
def test_inferred_sizes_become_the_true_ones(case):
    """Sizes inferred without any hint are the true ones once each size letter gets its value, and one value only."""
    node, letters = case
    scaled = any(
        isinstance(x, REGISTRY["Scaling"]) and (x.args[1].free_symbols | x.args[2].free_symbols)
        for x in postorder(node)
    )
    text = piece_of(node, TEXT).text
    scaled |= "gamma" in letters  # in front of a matrix it is a number where nothing else is said
    if len(text) > 4000 or not isinstance(node, tuple(REGISTRY.values())) or has_nested_sum(node) or scaled:
        return
    reading = read_expression(text)
    true = {}
    for name, letter in reading.letters.items():
        for inferred, meant in zip(letter.shape, letters[name], strict=True):
            if inferred.is_Symbol:
                assert true.setdefault(inferred, meant) == meant
    assert reading.expression.xreplace(true) is node
