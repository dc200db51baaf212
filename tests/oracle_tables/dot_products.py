"""The variance of scores: the trees of the proof against every pair of vectors that can be drawn."""

import itertools

from oracle_reading import page
from sympy import Integer, Rational, sqrt

from oracle_tables.variance import SIGNS, independent_components, second_moments
from symtransformer import evaluate, verify
from symtransformer.operations import Hadamard, Ones, Softmax, SquareRoot
from symtransformer.symbols import Literal

PROOF = page("proof_variance_of_scores")
SIZES = (1, 2, 3, 4)


def of_size(expression, size):
    """The expression where d_k is this number."""
    return expression.xreplace({PROOF["U"].expression.matrix[0, 0]: Integer(size)})


def by_enumeration(divided, queries, keys):
    """The variance of the score of the proof, or of the divided one, computed by the library for each pair."""
    size = len(next(iter(queries)))
    score = of_size(PROOF["T"].stands_for.args[0] if divided else PROOF["S"].stands_for, size)
    q, k = (next(s for s in score._free if s.name == name) for name in "QK")
    mean = square = Rational(0)
    for (x, p), (y, r) in itertools.product(queries.items(), keys.items()):
        share = Rational((p * r).numerator, (p * r).denominator)
        (value,) = evaluate(score, {q: [list(x)], k: [list(y)]})
        mean, square = mean + share * value, square + share * value**2
    return square - mean**2


def by_moments(queries, keys):
    """What the line of the proof gives that takes means: 1^T (C_q * C_k) 1, entry by entry."""
    moments = {"C_q": second_moments(queries), "C_k": second_moments(keys)}
    return evaluate(PROOF["V"].expression, moments)[0, 0]


def stated(name, size):
    """The right side of a line of the proof, and what it must be equal to, as numbers."""
    (left,), (right,) = (evaluate(of_size(side, size)) for side in (PROOF[name].expression, PROOF[name].stands_for))
    assert left == right
    return left


def is_proved(*names):
    verdicts = verify(PROOF).verdicts
    return all(verdicts[name].kind == "proved" for name in names)


def independent_terms():
    """d_k for independent standard components, by enumeration, by means of products and by the line that is proved."""
    for size in SIZES:
        law = independent_components(SIGNS, size)
        found = {by_enumeration(False, law, law), by_moments(law, law), stated("U", size)}
        if found != {Integer(size)} or list(evaluate(SquareRoot(Literal([[size]])))) != [sqrt(Integer(size))]:
            return False
    return is_proved("S", "G", "U")


def divided_terms():
    """Divided by the square root of d_k the variance is 1 for every width."""
    laws = [independent_components(SIGNS, size) for size in SIZES]
    found = {by_enumeration(True, law, law) for law in laws} | {stated("N", size) for size in SIZES}
    return found == {Integer(1)} and is_proved("T", "N")


def terms_that_are_not_independent():
    """With all components of a vector equal it is d_k squared, so the formula needs independence."""
    together = {(x, x, x): SIGNS[x] for x in SIGNS}
    found = {by_enumeration(False, together, together), by_moments(together, together), stated("M", 3)}
    return found == {Integer(9)} and is_proved("M")


def sharpness(score, divisor=1):
    """p (1 - p) for the weight of a score against one of 0, both divided."""
    weights = Softmax(Literal([[score, 0]]) / divisor)
    return evaluate(Hadamard(weights, Ones(1, 2) - weights))[0, 0]


def undivided_scores_saturate():
    """One standard deviation apart, weights react less the wider the vectors; divided, always alike."""
    widths = (4, 64, 512)
    plain = [sharpness(sqrt(Integer(width))).evalf(20) for width in widths]
    divided = {sharpness(sqrt(Integer(width)), sqrt(Integer(width))) for width in widths}
    return plain[0] > 100 * plain[1] > 10_000 * plain[2] and len(divided) == 1 and divided.pop().evalf(20) > plain[0]
