r"""Var(q · k) = d_k, E[X + Y] = E[X] + E[Y]: statements on random variables, of which no single numbers decide."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator

from symtransformer.checking.doubts import undecided
from symtransformer.checking.equations import ACCEPTED, ACCUSING, Equation
from symtransformer.documents import Document, Relation
from symtransformer.notation import Words
from symtransformer.reading.problems import ReadingError
from symtransformer.reading.sides import Side

OPERATOR = re.compile(
    r"(?:\\(?:operatorname\*?|mathrm|mathbb|mathbf|text)\s*\{?\s*(?:Var|var|Cov|Corr|Std|std|V|E)\s*\}?|"
    r"(?<![A-Za-z\\])\\?(?:Var|var|Cov|Corr|Std|std)|(?<![A-Za-z\\])(?P<letter>E)|𝔼)\s*(?:\\(?:left|big[lr]?|Big[lr]?))?\s*(?P<open>[(\[])"
)
CLOSED_BY = {"(": ")", "[": "]"}
OF_TWO = re.compile(
    r"[A-Za-z}]\s*(?:\\cdot(?![A-Za-z])|·|⋅)\s*\\?[A-Za-z]|\\langle|⟨|\^\s*\{?\s*(?:T(?![A-Za-z])|\\top|\\mathsf)|[ᵀ⊤]|\\sum|[∑Σ]"
)
SUM = re.compile(r"\\sum|[∑Σ]|(?<![A-Za-z])mean(?![A-Za-z])")
RANDOM = re.compile(
    r"\brandom\b|\bindependen|\bi\.?i\.?d\b|\bdistributed\b|\bexpect(?:ation|ed)|\bgaussian|\buncorrelated|"
    r"\bzero[- ]mean|\bunit[- ]variance|\bmeans? (?:of )?\$?(?:0|zero)|\bvariances? (?:of )?\$?(?:1(?![0-9.])|one\b|\\?sigma)|"
    r"確率変数|期待値|独立|正規分布|ランダム|乱数|平均\s*\$?(?:が)?\s*\$?(?:0|ゼロ)|分散\s*\$?(?:が)?\s*\$?1(?![0-9.])",
    re.IGNORECASE,
)
ON_RANDOM_VARIABLES = Words(
    "Not decided: it is a statement on random variables, which the numbers of one example do not decide.",
    "判定できない。確率変数についての式であり、一つの例の数値では決まらない。",
)


class RandomVariables:
    """Whether a document speaks of random variables, and which of its equations are about them."""

    def __init__(self) -> None:
        self._files: set[str] = set()

    def add(self, document: Document) -> None:
        self._files |= {name for name, source in document.sources.read_texts() if RANDOM.search(source.text)}

    def heeded(
        self, equation: Equation, relation: Relation, read: Callable[[str], Side | ReadingError], names: Container[str]
    ) -> Equation:
        """The equation; open where a variance or an expectation is that of one number, or of a random variable."""
        if equation.verdict not in (*ACCEPTED, *ACCUSING):
            return equation
        texts = relation.left.text, relation.right.text
        for text, other in (texts, texts[::-1]):
            for argument in arguments_in(text, names):
                size = _entries(read(argument))
                is_formula = OPERATOR.search(other) is None and SUM.search(other) is not None
                is_product = OF_TWO.search(argument) is not None
                is_random = relation.file in self._files and (is_product or not is_formula)
                is_accused = equation.verdict in ACCUSING and is_product
                if size == 1 or (size == 0 and (is_random or is_accused)):
                    return undecided(equation, ON_RANDOM_VARIABLES, "random_variable")
        return equation


def arguments_in(text: str, names: Container[str] = ()) -> Iterator[str]:
    r"""What variances and expectations are of; E is no expectation where it is among the names.

    >>> [*arguments_in(r"\operatorname{Var}(q \cdot (k + 1)) + \mathbb{E}[x]")], [*arguments_in("E(x)", {"E"})]
    (['q \\cdot (k + 1)', 'x'], [])
    """
    for found in OPERATOR.finditer(text):
        if found["letter"] and found["letter"] in names:
            continue
        depth, opening = 0, found["open"]
        for at in range(found.end() - 1, len(text)):
            depth += (text[at] == opening) - (text[at] == CLOSED_BY[opening])
            if depth == 0:
                yield re.sub(r"\\(?:right|big[lr]?|Big[lr]?)\s*\Z", "", text[found.end() : at])
                break


def _entries(side: Side | ReadingError) -> int:
    """How many entries it has; 0 where its letters have no values."""
    if isinstance(side, ReadingError):
        return 0
    shape = getattr(side.value, "shape", (1, 1))
    return int(shape[0] * shape[1])


__all__ = ["RandomVariables", "arguments_in"]
