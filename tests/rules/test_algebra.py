"""Every rule is an identity that the judge proves, on letters of unequal sizes; a wrong one is refused."""

import random
from dataclasses import replace

import numpy as np
import pytest

from symtransformer import dimension, evaluate, head_index, matrix, parameter
from symtransformer.judge import judge_equation
from symtransformer.node import postorder
from symtransformer.operations import (
    Addition,
    Broadcast,
    EntryDivision,
    Hadamard,
    HeadSum,
    Ones,
    PairTurn,
    Product,
    RowDivision,
    RowMean,
    RowSum,
    Scaling,
    Softmax,
    Transpose,
)
from symtransformer.rules import RULES, readable

n, m, d, h = dimension("n"), dimension("m"), dimension("d"), dimension("h")
c, t = parameter("c"), parameter("t")
i = head_index()
A, B, C, D = matrix("A", n, d), matrix("B", d, m), matrix("C", n, d), matrix("D", d, n)
v = matrix("v", n, 1)
OF_HEAD = [matrix(name, n, d).of_head(i) for name in "FG"]
INSTANCES = {
    "transpose of a product": [Transpose(A @ B)],
    "transpose of a multiple": [Transpose(Scaling(A, c, 2))],
    "transpose of a sum": [Transpose(Addition(A, Scaling(C, c, 1))), Transpose(Addition(D.T, A))],
    "transpose of ones": [Transpose(Ones(n, m))],
    "transposes added or multiplied entry by entry": [A.T + C.T, Hadamard(A.T, C.T)],
    "taking a factor out of a product": [
        Product(Scaling(A, c, 3), B), Product(A, Scaling(B, c, t)), Hadamard(Scaling(A, c, 3), C),
        Hadamard(A, Scaling(C, 2, c)),
    ],
    "taking a factor out of a linear operation": [
        RowSum(Scaling(A, c, 3)), RowMean(Scaling(A, c, 3)), Broadcast(Scaling(v, c, t), m),
        RowDivision(Scaling(A, c, 3), v), EntryDivision(Scaling(A, c, 3), C),
        PairTurn(Scaling(matrix("R", n, 2 * d), c, 3), "halves"), HeadSum(Scaling(OF_HEAD[0], c, 3), i, h),
    ],
    "merging two factors": [Scaling(Scaling(A, c, 3), t, 5), Scaling(Scaling(A, 2, 3), 9, 4), Scaling(Scaling(A, n, 1), 1, n)],
    "dropping brackets in a sum": [Addition(Addition(A, C), A), Addition(A, -Addition(C, Scaling(A, c, 1)))],
    "collecting equal terms": [A + A, Addition(A, C, Scaling(A, 3, 1)), Addition(A, C, -A), A - A, Scaling(A, 1, c) + Scaling(A, 2, c)],
    "merging sums over heads": [Addition(HeadSum(OF_HEAD[0], i, h), A, HeadSum(OF_HEAD[1], i, h))],
    "common divisor": [A / c + Scaling(C, 3, c)],
    "order of terms": [Addition(-A, C)],
    "product with a column of ones": [Product(A, Ones(d, 1)), Product(v, Ones(1, 1))],
    "product with a row of ones": [
        Product(Ones(1, n), A), Product(Ones(1, d), A.T), Product(Ones(1, n), v),
    ],
    "product entry by entry with ones": [Hadamard(A, Ones(n, d)), Hadamard(Ones(n, d), A)],
    "repeating ones": [Broadcast(Ones(n, 1), m)],
    "row sums of a transpose": [RowSum(A.T)],
    "sum of equal entries": [RowSum(Ones(n, m)), RowSum(Broadcast(v, m)), RowSum(v)],
}  # fmt: skip


def test_every_rule_has_an_instance():
    assert [rule.name.en for rule in RULES] == list(INSTANCES)


@pytest.mark.parametrize(
    ("rule", "left"), [(rule, left) for rule in RULES for left in INSTANCES[rule.name.en]], ids=lambda x: str(x)[:40]
)
def test_a_rule_is_an_identity(rule, left):
    right = rule.rewrite(left)
    assert right is not None
    assert right is not left
    assert isinstance(left, rule.roots)
    assert judge_equation(left, right).kind == "proved"
    assert rule.rewrite(A) is None  # a rule that does not fit says so


def test_the_readable_form_is_equal_and_settled():
    long = Transpose(Product(Scaling(A, c, 2), Product(B, Transpose(Scaling(B, t, 3))))) + Transpose(
        Addition(A, Addition(C, A))
    )
    short = readable(long)
    assert judge_equation(long, short).kind == "proved"
    assert readable(short) is short


def test_a_wrong_rule_is_refused():
    assert judge_equation(Transpose(Product(A, B)), Product(Transpose(B), Transpose(C))).kind == "refuted"
    assert judge_equation(Transpose(Hadamard(A, C)), Hadamard(Transpose(A), Transpose(A))).kind == "refuted"


def grown(rng, depth, rows, cols):
    """A random expression of this size over the operations that the rules know."""
    if depth == 0:
        return rng.choice(
            [
                matrix(f"A{rows}{cols}", rows, cols),
                matrix(f"C{rows}{cols}", rows, cols),
                Ones(rows, cols),
                matrix(f"D{cols}{rows}", cols, rows).T,
            ]
        )
    inner = lambda r=rows, c=cols: grown(rng, depth - 1, r, c)  # noqa: E731
    kinds = [
        lambda: Addition(inner(), inner(), inner()), lambda: Hadamard(inner(), inner()), lambda: -inner(),
        lambda: Scaling(inner(), rng.choice([2, -3, c]), rng.choice([1, 2, t])), lambda: Transpose(inner(cols, rows)),
        lambda: Product(inner(rows, d), inner(d, cols)), lambda: Broadcast(RowSum(inner()), cols),
        lambda: RowDivision(inner(), matrix(f"v{rows}", rows, 1)), lambda: Broadcast(RowMean(inner(rows, m)), cols),
    ]  # fmt: skip
    return rng.choice(kinds)()


@pytest.mark.parametrize("seed", range(60))
def test_the_rules_end_and_change_no_value(seed):
    rng = random.Random(seed)
    expression = grown(rng, 4, n, d)
    short = readable(expression)
    assert readable(short) is short
    sizes = {n: 2, d: 3, m: 4, c: 5, t: 7}
    letters = [x for x in expression._free if hasattr(x, "family")]
    draw = np.random.default_rng(seed)
    given = {
        x.name: draw.uniform(1, 2, size=[int(s.xreplace(sizes)) for s in x.shape]) for x in sorted(letters, key=str)
    }
    before, after = (evaluate(e.xreplace(sizes), given, backend="numpy") for e in (expression, short))
    assert np.allclose(before, after, rtol=1e-9)


def test_a_long_chain_needs_no_recursion():
    long = A
    for _ in range(3000):
        long = Product(long, matrix("M", d, d))
    assert readable(Transpose(long)).shape == (d, n)


def fits_elsewhere(rules, roots):
    """Rules that rewrite an expression although none of the operations that they name is an argument of it."""
    nodes = list(postorder(*roots))
    return {
        rule.name.en
        for rule in rules
        for node in nodes
        if rule.inside and not any(isinstance(child, rule.inside) for child in node._children)
        if rule.rewrite(node) is not None
    }


def test_a_rule_fits_only_where_what_it_names_stands_inside():
    rng = random.Random(3)
    lefts = [left for instances in INSTANCES.values() for left in instances]
    assert (
        fits_elsewhere(RULES, [*lefts, *(grown(rng, 4, *rng.choice([(n, d), (d, m), (n, m)])) for _ in range(80))])
        == set()
    )
    wrong = [replace(rule, inside=(Softmax,)) for rule in RULES]
    assert fits_elsewhere(wrong, lefts) == set(INSTANCES)
