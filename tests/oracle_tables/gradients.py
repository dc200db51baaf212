"""Gradients of chapter 4 of the explainer, for test losses of the oracle, and what its text says of the way back."""

from fractions import Fraction
from itertools import pairwise

from mpmath import mp, mpf
from oracle_reading import BACKENDS, Figure, as_mpf, assert_close, flat
from sympy import Rational

from oracle_tables.chapter_4_numbers import DOCUMENT, HEAD, SLIDER, VALUES, K, Q, T, d_k, d_v, t
from oracle_tables.layers import is_equal, is_refuted
from symtransformer import derive, differentiate, evaluate, matrix, verify, with_values
from symtransformer.operation import unfolded
from symtransformer.operations import CrossEntropy, Hadamard, Ones, Row, Scaling, Softmax
from symtransformer.symbols import Literal

C, Y = matrix("C", T, d_v), matrix("Y", 1, d_v)
LETTERS = ("W_Q", "W_K", "W_V", "X")
STEP = Rational(1, 10**15)


def gradients(loss, **parts):
    """The head, the scores before scaling as R, and this loss; then the way back."""
    names = {Q @ K.T: "R"} | {part: name for name, part in parts.items()}
    return differentiate(derive({"Z": HEAD, "L": loss}, names=names), LETTERS).derivation


LINEAR = gradients(Ones(1, T) @ Hadamard(C, HEAD) @ Ones(d_v, 1))
SECOND_ROW = gradients(CrossEntropy(Row(HEAD, 1), Y), B=Row(HEAD, 1))
FREE = differentiate(derive({"Z": HEAD}, names={Q @ K.T: "R"}), LETTERS).derivation  # whatever comes behind
BOTH_ROWS, Z_21 = {"C": [[1, 2], [3, 4]]}, {"C": [[0, 0], [1, 0]]}
LOSSES = {
    "ch4.d.grad.sumCZ": (LINEAR, {**VALUES, **BOTH_ROWS}),
    "ch4.d.grad.z21": (LINEAR, {**VALUES, **Z_21}),
    "ch4.d.grad.ce": (SECOND_ROW, {**VALUES, "Y": [[1, 0]]}),
    "ch4.d.grad.sumCZ.t0": (LINEAR, {**SLIDER, t: 0, **BOTH_ROWS}),
}
NAMES = {"g": "dR", **{f"d{letter}": f"d{letter}" for letter in ("Q", "K", "V", *LETTERS)}}


def agrees(derivation, values, expected):
    """Every gradient, exact, by balls and in doubles, to all digits of the oracle."""
    own = with_values(derivation, values)
    for name, wanted in expected.items():
        for backend in BACKENDS:
            assert_close(Figure(own, NAMES[name]).numbers(backend), flat(wanted))
    return True


def as_in_the_oracle(name):
    def check():
        expected = DOCUMENT.derived[name]["independently_computed"]
        return set(expected) == set(NAMES) and agrees(*LOSSES[name], expected)

    return check


def by_difference(i, j):
    """Entry (i, j) of the gradient by the scores before scaling, from two losses beside one another."""
    own = with_values(LINEAR, {**VALUES, **BOTH_ROWS})
    scores, values = evaluate(own)["R"], evaluate(own)["V"]
    moved = []
    for sign in (1, -1):
        other = scores.as_mutable()
        other[i, j] += sign * STEP
        head = Softmax(Literal(other) / 2 ** Rational(1, 2)) @ Literal(values)
        rows = evaluate(Ones(1, 2) @ Hadamard(Literal(BOTH_ROWS["C"]), head) @ Ones(2, 1), digits=50)
        moved.append(as_mpf(rows[0, 0]))
    return (moved[0] - moved[1]) / (2 * as_mpf(Fraction(STEP.p, STEP.q)))


def is_gradient_by_unscaled_scores(derivation=LINEAR):
    """dR belongs to R = Q Kᵀ, is proved to be its gradient, and is what moving one score shows."""
    step = derivation["dR"]
    own = with_values(derivation, {**VALUES, **BOTH_ROWS})
    assert step.derivative.letter is derivation["R"].letter
    assert str(derivation["R"].expression) == "Q K^T"
    found = evaluate(own)["dR"]
    with mp.workdps(60):
        near = all(abs(as_mpf(found[i, j]) - by_difference(i, j)) < mpf("1e-25") for i in (0, 1) for j in (0, 1))
    return near and proved(derivation, "dR")


def proved(derivation, *names):
    """Whether the judge proves these steps to be the gradients that they claim to be."""
    verdicts = verify(derivation).verdicts
    return all(derivation[name].derivative is not None and verdicts[name].kind == "proved" for name in names)


def sum_over_keys(derivation=FREE):
    """∂L/∂q_i = Σ_j g_ij k_j, read off the entry formula."""
    formula, c = derivation["dQ"].entry(1, 0), 0
    bound = formula.limits[0][0]
    g, keys = derivation["dR"].letter, derivation["K"].letter
    right = formula.function == g[1, bound] * keys[bound, c] and formula.limits[0][1:] == (0, T - 1)
    return right and proved(derivation, "dQ")


def sum_over_queries(derivation=FREE):
    """∂L/∂k_j = Σ_i g_ij q_i, read off the entry formula."""
    formula, c = derivation["dK"].entry(1, 0), 0
    bound = formula.limits[0][0]
    g, queries = derivation["dR"].letter, derivation["Q"].letter
    right = formula.function == g[bound, 1] * queries[bound, c] and formula.limits[0][1:] == (0, T - 1)
    return right and proved(derivation, "dK")


def of_loss(rows, derivation=LINEAR):
    return evaluate(with_values(derivation, {**VALUES, "C": rows}))


def query_gathers_its_row(derivation=LINEAR):
    """The gradient by q_2 comes from the second output row alone, from both of its scores."""
    first, second, both = (of_loss(rows, derivation) for rows in ([[1, 2], [0, 0]], [[0, 0], [3, 4]], [[1, 2], [3, 4]]))
    terms = [both["dR"][1, j] * both["K"][j, :] for j in (0, 1)]
    return (
        first["dQ"][1, :].is_zero_matrix
        and second["dQ"][0, :].is_zero_matrix
        and (both["dQ"][1, :] - second["dQ"][1, :]).is_zero_matrix
        and all(not term.is_zero_matrix for term in terms)
        and (terms[0] + terms[1] - both["dQ"][1, :]).expand().is_zero_matrix
    )


def key_gathers_its_column(derivation=LINEAR):
    """The gradient by k_1 comes from both output rows: from each a part, by the score of its column."""
    first, second, both = (of_loss(rows, derivation) for rows in ([[1, 2], [0, 0]], [[0, 0], [3, 4]], [[1, 2], [3, 4]]))
    parts = [one["dR"][i, 0] * one["Q"][i, :] for i, one in enumerate((first, second))]
    return (
        all(not part.is_zero_matrix for part in parts)
        and (parts[0] + parts[1] - both["dK"][0, :]).expand().is_zero_matrix
    )


def everything_behind_the_score(derivation=FREE):
    """In g are softmax, the values, what comes from behind the head, and the division; without it g is another."""
    whole = unfolded(derivation.expanded("dR"))
    letters = {letter.name for letter in whole._free if hasattr(letter, "family")}
    scale = derivation["dR"].expression
    return (
        {"dZ", "W_V"} <= letters
        and whole.has(Softmax)
        and isinstance(scale, Scaling)
        and scale.args[2] == d_k ** Rational(1, 2)
        and is_refuted(derivation.expanded("dR"), derivation.expanded("dS"))
        and is_equal(derivation.expanded("dR"), derivation.expanded("dS") / d_k ** Rational(1, 2))
    )


WAY = ("dZ", "dA", "dS", "dR", ("dQ", "dK"), ("dW_Q", "dW_K"))


def order_of_the_way_back(derivation=LINEAR):
    """Output vector, weights of attention, scores, queries and keys, weights: each through the one before, and proved."""
    names = [step.name for step in derivation.steps]
    stations = [(place,) if isinstance(place, str) else place for place in WAY]
    for before, after in pairwise(stations):
        for name in after:
            through = [f"d{t.name}" for t, _, _ in derivation[name].derivative.uses]
            own = name.replace("dW_", "d") if "W_" in name else before[0]
            if through != [own] or names.index(own) > names.index(name):
                return False
    return names.index("L") < names.index("dZ") and proved(derivation, *(name for place in stations for name in place))


GRADIENTS = {
    **{name: as_in_the_oracle(name) for name in LOSSES},
    "ch4.f.gij": is_gradient_by_unscaled_scores,
    "ch4.f.dLdq": sum_over_keys,
    "ch4.f.dLdk": sum_over_queries,
    "ch4.s.grad_q_sources": query_gathers_its_row,
    "ch4.s.grad_k_sources": key_gathers_its_column,
    "ch4.s.g_contains": everything_behind_the_score,
    "ch4.s.backprop_order": order_of_the_way_back,
}
