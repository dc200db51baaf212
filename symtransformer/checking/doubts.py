"""What makes a verdict doubtful: then nobody is accused, and nothing is called true."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import replace

from sympy import Rational

from symtransformer.checking import equation_words as words
from symtransformer.checking.definitions import Definitions
from symtransformer.checking.equations import ACCEPTED, ACCUSING, Equation
from symtransformer.checking.number_words import UNDECIDABLE
from symtransformer.checking.opaque_names import names_in
from symtransformer.checking.told_letters import letters_told
from symtransformer.documents import Document, Relation
from symtransformer.documents.conditions import condition_of
from symtransformer.documents.signs import RELATING
from symtransformer.notation import Words
from symtransformer.reading.sides import Side
from symtransformer.symbols import Literal

# letters that are numbers, or fixed matrices, unless a document says otherwise
USUALLY_NUMBERS = frozenset(
    [
        "T",
        "N",
        "b",
        "c",
        "d",
        "h",
        "m",
        "n",
        "alpha",
        "beta",
        "gamma",
        "theta",
        "lambda",
        "mu",
        "nu",
        "eta",
        "tau",
        "epsilon",
        "I",
        "delta",
    ]
)
OWN_FUNCTION = re.compile(
    r"\s*(?:\\(?:mathrm|operatorname|text)\{)?\\?(?:sigma|σ|norm|Norm|Linear)\}?\s*\(\s*\\?[A-Za-z]+\s*\)(?:_\w+)?\s*\Z"
)
# φ(x) is the density of the standard normal distribution beside Φ or GELU only; elsewhere any function
SMALL_PHI = re.compile(r"(?:\\(?:var)?phi(?![A-Za-z])|[φϕ])\s*(?:\\left\s*)?\(")
BESIDE_PHI = re.compile(r"\\Phi(?![A-Za-z])|Φ|(?<![A-Za-z])(?:GELU|gelu|erf)(?![A-Za-z])")
# PE(3, 2): from which position and column it counts, and how sines and cosines are laid out, differs
ENCODING = re.compile(r"(?<![A-Za-z])PE\}?\s*\(\s*[0-9]{1,9}\s*,\s*[0-9]{1,9}\s*\)")
FUNCTION_LETTER = r"(?:\\?(?:phi|psi|varphi)|[fghFGTφψ])(?:_\w|_\{\w+\})?"
# R((m + n)θ) is a rotation by an angle, and H(pX) an entropy, as likely as products
OF_AN_ANGLE = re.compile(
    r"(?:(?<![A-Za-z\\])[A-Z](?:_\w)?|\\math\w+\s*\{\s*[A-Z]\s*\})(?:\\left)?\((?:[^()A-Z]|\([^()A-Z]{0,40}\)){0,60}?"
    r"(?:\\(?:theta|vartheta|phi|varphi|psi|omega)(?![A-Za-z])|[θϑφϕψω])"
    r"|(?<![A-Za-z\\])H(?:\\left)?\("
)
COMPOSED = re.compile(
    rf"(?<![A-Za-z\\]){FUNCTION_LETTER}\s*(?:∘|\\circ(?![a-z]))\s*{FUNCTION_LETTER}(?![A-Za-z])"
)  # f ∘ g
IN_REALS = re.compile(r"\\in\s*\\(?:mathbb|mathbf|bf)\s*\{?R\}?\s*\^")
NAMES_BEFORE, NAMES_AT_MOST = re.compile(r"[A-Za-z0-9_{}\\, ]*\Z"), 60
BOLD = re.compile(r"\\(?:mathbf|bm|boldsymbol|vec)\s*\{?\s*(\\?[A-Za-z]+)")
NAME = re.compile(r"\\?[A-Za-z]+")
# what stands before a side, and belongs to it: 2^, |x|, 3 mod, 10 % of
CUT_BEHIND = re.compile(r"[\^|*/%°√∛‖×·÷<>~_–]$|(?<![\w])(?:of|times|plus|minus|mod|choose|by|divided by)$")
EMPHASIZED = re.compile(r"(?<![\w*])(\*{1,2}|_{1,2})(?=[^\s*_])[^*_\r\n]*[.:!?。：]\1$")  # **Note:** is no factor
BORDER = re.compile(r"\|(?=\s)")  # of a cell: behind it nothing is cut off
NO_OPERATORS = frozenset("→⇒⟹⟶↦∴∵⇔←↔|=≈≒<>≤≥≠¬①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳❶❷❸❹❺❻❼❽❾")
MARK_OF_A_LINE = re.compile(r"^[>\s*•–-]+(?=\s|$)")
WORD_BEHIND = re.compile(r"[^\W\d_]$")
FACTOR = re.compile(r"(?:[0-9]|(?<![^\W_])[A-Za-z])$")  # of a bracket behind it: x = 4 (2) = 8
ARTICLE = re.compile(r"^\s*(?:[-*•]\s+)?[AaI]$")
# what draws a conclusion, up to a few words before the formula; not where the words give something anew
CONCLUDES = re.compile(
    r"(?:(?<![A-Za-z])(?:therefore|hence|thus|consequently|so)(?![A-Za-z])|\\therefore|∴|よって|したがって|従って|ゆえに|故に)"
    r"(?P<words>[^0-9=≈<>.。;]{0,40})\Z",
    re.IGNORECASE,
)
GIVES_ANEW = re.compile(
    r"(?<![A-Za-z])(?:let|set|take|choose|put|change|try|that|if|with|for|when|where|new|now|use|pick|as|because|since|suppose|assume|"
    r"far|called|much|many)(?![A-Za-z])|とおく|とする|置く|新しい|別の|今度|次の",
    re.IGNORECASE,
)
A_LINE = re.compile(r"[^\r\n]+")
HEADING = re.compile(
    r"\s{0,3}(?:#{1,6}\s|\\(?:sub){0,2}section\b|\\(?:chapter|paragraph)\b|\\begin\{(?:example|exercise|problem)\}|"
    r"[*【\s]{0,3}(?:exercise|example|problem|question|問題?|例題?|演習|練習)\s*[(（]?[0-9])",
    re.IGNORECASE,
)
ONE_OF_SEVERAL = re.compile(r"[\s$*_`)]*(?:or(?![A-Za-z])|または|又は|か)")  # so B = 2048 or B = 1024
# the only words that may stand beside an inequality for it to be a claim, and no condition
CLAIMING = re.compile(
    r"(?:よって|したがって|従って|ゆえに|故に|また|かつ|です|である|となる|が成り立つ|成り立つ)|"
    r"\b(?:and|but|we|have|so|therefore|hence|thus|indeed|since|because|note|that|is|clearly|then|also|holds?|here|now|finally|as|"
    r"therefore|quad|qquad|Rightarrow|implies)\b",
    re.IGNORECASE,
)
COMMAND = re.compile(r"\\(?:begin|end)\{[a-z]+\*?\}|\\[A-Za-z]+")
WORDS = re.compile(r"[^\W\d_]{2,}|[\u3041-\u3096]")
# 4 (2), where nothing follows: a product, or the number of the equation
NUMBER_BEHIND = re.compile(r"[0-9]%?(?:\s|~|\\[,;: ])+\(\s*[0-9]{1,3}(?:\.[0-9]{1,3})?\s*\)\s*\Z")
UNIT_OF_INFORMATION = re.compile(
    r"(?:[\s~{$]|\\(?:text|mathrm|textrm|mbox|,|;|:| ))*(nats?|bits?|ナット|ビット)(?![A-Za-z])"
)
# what makes nats of bits, and the other way round
LOGARITHMS = {
    "n": re.compile(r"log_?\{?2(?![0-9])|(?<![A-Za-z])lb(?![A-Za-z])"),
    "b": re.compile(r"(?<![A-Za-z])ln(?![A-Za-z])|log_\{?e"),
}
CONVERTS = re.compile(r"/|frac|0\.69|1\.44|ln\s*\(?2(?![0-9.])|log_?\{?2\}?\s*\(?e")
SINGLE_BARS = re.compile(r"(?<![|\\‖])\|(?!\|)[^|=]{0,80}[A-Za-z][^|=]{0,80}(?<!\\)\|(?!\|)")
ROUNDING = Rational(1, 100)  # so far the digits shown of a distribution may be from 1
WEIGHTS = re.compile(r"(?<![A-Za-z])[WU](?![a-z])")


def declared_in(document: Document) -> frozenset[str]:
    r"""Names that the document says are vectors or matrices: $b \in \mathbb{R}^n$, \mathbf{c}, "let c be a vector"."""
    found = set()
    for text in (source.text for _, source in document.sources.read_texts()):
        for match in IN_REALS.finditer(text):
            before = NAMES_BEFORE.search(text[max(0, match.start() - NAMES_AT_MOST) : match.start()])
            found |= {name.lstrip("\\") for name in NAME.findall(before.group() if before else "")}
        found |= {name.lstrip("\\") for name in BOLD.findall(text)}
    return frozenset((found & USUALLY_NUMBERS) | letters_told(document))


def headings_of(document: Document) -> tuple[int, ...]:
    """The lines with a heading, or the number of an exercise."""
    _, source = next(iter(document.sources.read_texts()))  # of the document itself, not of what it takes in
    lines = (found for found in A_LINE.finditer(source.text) if HEADING.match(found.group()))
    return tuple(document.place(source.origins[found.start()]).line for found in lines)


def without_doubt(
    equation: Equation, relation: Relation, language: str, definitions: Definitions, declared: Collection[str]
) -> Equation:
    """The equation, or the same undecided where a letter in it may mean something else than was taken."""
    if equation.verdict in ACCUSING and _is_about_an_entry_of_positions(relation):
        return undecided(equation, words.OWN_ENCODING, "own_encoding")
    if equation.kind != "formula" or equation.verdict not in (*ACCEPTED, *ACCUSING):
        return equation
    texts = relation.left.text, relation.right.text
    if any(_is_of_other_values(name, equation, definitions) for t in texts for name in names_in(t, language) or ()):
        return undecided(equation, words.NOT_ADDING_UP, "values")
    if equation.verdict == "refuted" and any(map(SINGLE_BARS.search, texts)):
        return undecided(equation, words.BARS, "matrix")
    if any(COMPOSED.search(text) or OF_AN_ANGLE.search(text) for text in texts):
        return undecided(equation, words.OWN_FUNCTION, "own_function")
    is_own = OWN_FUNCTION.match(relation.left.text) is not None or (
        any(map(SMALL_PHI.search, texts)) and not any(map(BESIDE_PHI.search, texts))
    )
    if equation.verdict in ACCUSING and is_own:
        return undecided(equation, words.OWN_FUNCTION, "own_function")
    for text in texts:
        for name in sorted((names_in(text, language) or set()) & USUALLY_NUMBERS):
            own = definitions.get(name)
            if name in declared or (own is not None and own.known.shape is not None):
                return undecided(equation, words.own_letter(name), "own_letter")
    return equation


def _is_of_other_values(name: str, equation: Equation, definitions: Definitions) -> bool:
    """p - y is the derivative of -Σ y log p only where y adds up to 1; y = [1, 1, 0] does not."""
    is_asked = any(n.name == "adds_up" and n.words.en.startswith(f"It holds if {name} ") for n in equation.remarks)
    own = definitions.get(name) if is_asked else None
    is_given = own is not None and isinstance(own.exact, Literal)
    return is_given and bool(abs(sum(own.exact) - 1) > ROUNDING)  # type: ignore[union-attr]


def _is_about_an_entry_of_positions(relation: Relation) -> bool:
    texts = relation.left.text, relation.right.text
    is_matrix = any("[" in text or "\\begin" in text for text in texts)
    return not is_matrix and any(ENCODING.search(text) for text in texts)


def undecided(equation: Equation, said: Words, code: str) -> Equation:
    """Not decided, and nothing said of what would be right."""
    return replace(
        equation, verdict=UNDECIDABLE, words=said, code=code, counterexample=None, right_value=None, convention=None,
        right_line="", entries=(), slips=(), remarks=(), follows_from=None,
    )  # fmt: skip


def is_in_a_sentence(document: Document, relation: Relation, where: str) -> bool:
    """Between dollars, or with words before it on its line: at ε = 0 the two are the same."""
    if where == "inline" or not relation.left.origins:
        return where == "inline"
    before = document.sources.line_before(relation.left.origins[0])
    return where == "line" and re.search(r"[^\W\d_]{2}", before) is not None


def is_concluded(document: Document, relation: Relation) -> bool:
    """Behind `therefore`: what is said there of a name that is known is a claim, and gives it no new value."""
    if not relation.left.origins or relation.above:
        return False
    last = relation.right.origins[-1] if relation.right.origins else relation.left.origins[-1]
    before, behind = document.sources.sentence(relation.left.origins[0], last)
    found = CONCLUDES.search(before)
    return found is not None and GIVES_ANEW.search(found["words"]) is None and ONE_OF_SEVERAL.match(behind) is None


def is_supposed(document: Document, relation: Relation) -> bool:
    """Whether it may be a condition: `if x > 0`, `for n > 2`, i ≠ j, and behind another claim; only bare ones are claims."""
    if not relation.left.origins or not relation.right.origins:
        return True
    if condition_of(f"{relation.left.text} {relation.sign} {relation.right.text}"):
        return True  # i ≠ j
    before, after = document.sources.sentence(relation.left.origins[0], relation.right.origins[-1])
    here = before.splitlines()[-1] if before and not before.endswith(("\n", "\r")) else ""
    there = after.splitlines()[0] if after and not after.startswith(("\n", "\r")) else ""
    return RELATING.search(here) is not None or any(
        WORDS.search(CLAIMING.sub("", COMMAND.sub(" ", side))) for side in (here, there)
    )


def is_cut(document: Document, relation: Relation, language: str) -> bool:
    """Whether what stands before the left side belongs to it: then the side is not what was written."""
    if (
        document.kind not in ("text", "markdown", "html")
        or language != "text"
        or relation.above
        or not relation.left.text
        or not relation.left.origins
    ):
        return False
    origin = relation.left.origins[0]
    before = document.sources.line_before(origin)
    if document.passages[relation.passage].cell is not None:
        before = BORDER.split(before)[-1]
    before = MARK_OF_A_LINE.sub("", before).rstrip()
    if document.kind == "markdown" and EMPHASIZED.search(before):
        return False
    if CUT_BEHIND.search(before) or is_operator_unknown(document.sources.line_before(origin)[-1:]):
        return True
    if relation.left.text.strip().replace(".", "").isdigit() and WORD_BEHIND.search(before):
        return True  # token 1 = 0.2
    if relation.left.text.lstrip().startswith("(") and FACTOR.search(before):
        return True
    return ARTICLE.match(before) is not None and relation.left.text[:1].isalpha()


def is_operator_unknown(sign: str) -> bool:
    """Whether this may be an operator, or a mark of what follows it, that is not read: what it stands before is cut off there."""
    return sign != "" and sign not in NO_OPERATORS and unicodedata.category(sign) in ("Sm", "No", "Cf", "Mn")


def ends_with_number(relation: Relation, following: Relation | None) -> bool:
    """Whether the chain ends with a number in brackets that may be that of the equation."""
    is_last = following is None or following.chain != relation.chain
    return is_last and NUMBER_BEHIND.search(relation.right.text) is not None


def is_in_another_unit(document: Document, relation: Relation) -> bool:
    """log₂ 8 = 3 nats and ln 8 = 2.08 bits: the number alone is right, with its unit it is not."""
    if not relation.left.origins or not relation.right.origins:
        return False
    _, behind = document.sources.sentence(relation.left.origins[0], relation.right.origins[-1])
    found = UNIT_OF_INFORMATION.match(behind)
    if found is None or CONVERTS.search(relation.left.text):
        return False
    kind = "n" if found.group(1)[0] in "nナ" else "b"
    return LOGARITHMS[kind].search(relation.left.text) is not None


def has_weights(side: Side) -> bool:
    """Whether a factor may be a matrix of weights, which some store transposed: W, W_Q, U; no K and no V."""
    return WEIGHTS.search(side.text) is not None
