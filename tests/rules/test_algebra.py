"""Every rule is an identity that the judge proves, on letters of unequal sizes; a wrong one is refused."""

import pytest

from symtransformer import dimension, matrix, parameter
from symtransformer.judge import judge_equation
from symtransformer.operations import Addition, Hadamard, Ones, Product, Scaling, Transpose
from symtransformer.rules import RULES, readable

n, m, d = dimension("n"), dimension("m"), dimension("d")
c, t = parameter("c"), parameter("t")
A, B, C = matrix("A", n, d), matrix("B", d, m), matrix("C", n, d)
INSTANCES = {
    "transpose of a product": Transpose(A @ B),
    "transpose of a multiple": Transpose(Scaling(A, c, 2)),
    "transpose of a sum": Transpose(Addition(A, C)),
    "transpose of ones": Transpose(Ones(n, m)),
    "a factor out of a product": Product(Scaling(A, c, 3), B),
    "two factors in one": Scaling(Scaling(A, c, 3), t, 5),
    "a sum of sums": Addition(Addition(A, C), A),
    "product with ones": Product(A, Ones(d, 1)),
}


def test_every_rule_has_an_instance():
    assert [rule.name.en for rule in RULES] == list(INSTANCES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.en)
def test_a_rule_is_an_identity(rule):
    left = INSTANCES[rule.name.en]
    right = rule.rewrite(left)
    assert right is not None
    assert right is not left
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
