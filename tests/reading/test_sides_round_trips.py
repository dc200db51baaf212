"""What is printed, in plain text and in LaTeX, is read back as the same node where its letters are in the scope."""

from fractions import Fraction

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


# -- numbers: the text and its value are made side by side, the value by Python's fractions ------------------------------
SUM, PRODUCT, UNIT = 1, 2, 3  # how tightly what was written binds
PLAIN_SIGNS = {
    "+": [" + ", "+", " ＋ "],
    "-": [" - ", "−", " − "],
    "*": [" × ", "×", " · ", "*", " ⋅ "],
    "/": [" / ", "÷", " ÷ "],
}
LATEX_SIGNS = {"+": [" + ", "+"], "-": [" - ", "-"], "*": [r" \times ", r"\cdot "], "/": [" / ", r"\div "]}


class Numbers:
    """Random arithmetic: its text, its value, and how tightly it binds; no side by side, no power of a power."""

    def __init__(self, draw, is_latex):
        self.draw, self.is_latex = draw, is_latex
        self.signs = LATEX_SIGNS if is_latex else PLAIN_SIGNS

    def unit(self):
        whole, decimals = self.draw(st.integers(0, 99)), self.draw(st.sampled_from(["", "5", "25", "07"]))
        text = f"{whole}.{decimals}" if decimals else str(whole)
        if self.draw(st.integers(0, 6)) == 0:
            return text + (r"\%" if self.is_latex else "%"), Fraction(text) / 100
        return text, Fraction(text)

    def at(self, depth, least):
        text, value, level = self.made(depth)
        if level >= least:
            return text, value
        opening, closing = self.draw(st.sampled_from([(r"\left(", r"\right)"), ("(", ")"), (r"\bigl( ", r"\bigr)")])) if self.is_latex else ("(", ")")  # fmt: skip
        return f"{opening}{text}{closing}", value

    def made(self, depth):
        kind = (
            self.draw(st.sampled_from(["unit", "+", "-", "*", "/", "negative", "power", "fraction"]))
            if depth
            else "unit"
        )
        if kind in ("+", "-"):
            (a, x), (b, y) = self.at(depth - 1, SUM), self.at(depth - 1, PRODUCT)
            return a + self.draw(st.sampled_from(self.signs[kind])) + b, x + y if kind == "+" else x - y, SUM
        if kind in ("*", "/"):
            (a, x), (b, y) = self.at(depth - 1, PRODUCT), self.at(depth - 1, UNIT)
            if kind == "*" or y:
                return a + self.draw(st.sampled_from(self.signs[kind])) + b, x * y if kind == "*" else x / y, PRODUCT
        if kind == "negative":
            a, x = self.at(depth - 1, PRODUCT)
            return self.draw(st.sampled_from(self.signs["-"])).strip() + a, -x, SUM
        if kind == "power":
            text, value, _ = self.made(depth - 1)
            exponent = self.draw(st.integers(0, 3))
            raised = (
                f"^{{{exponent}}}" if self.is_latex else self.draw(st.sampled_from([f"^{exponent}", "⁰¹²³"[exponent]]))
            )
            return f"({text}){raised}", value**exponent, PRODUCT
        if kind == "fraction" and self.is_latex:
            (a, x), (b, y) = self.at(depth - 1, SUM), self.at(depth - 1, SUM)
            if y:
                return rf"\frac{{{a}}}{{{b}}}", x / y, UNIT
        text, value = self.unit()
        return text, value, UNIT


@st.composite
def arithmetic(draw):
    is_latex = draw(st.booleans())
    text, value, _ = Numbers(draw, is_latex).made(draw(st.integers(1, 4)))
    return text, value, is_latex


@settings(max_examples=600, deadline=None, database=None, derandomize=True)
@given(arithmetic())
def test_arithmetic_has_the_value_of_fractions(case):
    text, value, is_latex = case
    side = read_side(text, {}, "latex" if is_latex else "text")
    assert side.value == Rational(value.numerator, value.denominator)


@settings(max_examples=200, deadline=None, database=None, derandomize=True)
@given(arithmetic(), arithmetic(), arithmetic())
def test_arithmetic_in_lists_and_in_front_of_lists(one, two, three):
    language = "latex" if one[2] or two[2] or three[2] else "text"
    if language == "latex" and not (one[2] and two[2] and three[2]):
        return
    row = [Rational(x.numerator, x.denominator) for _, x, _ in (one, two)]
    assert read_side(f"[{one[0]}, {two[0]}]", {}, language).value is Literal([row])
    factor = Rational(three[1].numerator, three[1].denominator)
    made = read_side(f"({three[0]})[{one[0]}, {two[0]}]", {}, language).value
    assert made is (Literal([row]) if factor == 1 else REGISTRY["Scaling"](Literal([row]), factor, 1))
