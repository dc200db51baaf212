"""No relation sign of a whole document is passed over in silence, and every sentence told of one is in both languages.

The signs are found by a simple scan of the raw text, apart from the library's readers.
"""

import json
import re
from pathlib import Path

import pytest
from test_labelled_documents import ALL, NAMES, PROSE, checked, labels, scanned

from symtransformer.checking.checks import check
from symtransformer.rendering.check_report.as_json import as_json

FIXTURES = Path(__file__).parent.parent / "documents" / "fixtures"
# beside a digit: what a reader of a page would take for a claim
BESIDE_A_DIGIT = re.compile(
    r"[0-9)\]}]\$?\s*(?P<sign>:=|~=|==?|[≈≒≃＝<>≤≥≠]|\\approx|\\simeq|\\[lg]eq?(?![a-z])|\\neq?(?![a-z]))(?=[^=<>-])|"
    r"(?<![-=<~])(?P<other>:=|~=|==?|[≈≒≃＝<>≤≥≠]|\\approx|\\simeq|\\[lg]eq?(?![a-z])|\\neq?(?![a-z]))\s*\$?[-−]?[0-9]"
)
# signs beside a digit that claim nothing: in a bound, an argument, a mark, a comment, an address, code or words
CLAIM_NOTHING = {
    "aligned.md": {(10, 14), (10, 114)},
    "attention.tex": {(2, 19), (8, 27), (9, 64), (10, 17), (17, 5), (39, 7), (39, 22), (40, 29), (45, 19)},
    "garbled.txt": {(1, 11), (2, 17), (13, 20)},
    "gradient_ja.tex": {(2, 34), (4, 32)},
    "notes.md": {(5, 33), (7, 27), (7, 31), (18, 3), (18, 40), (27, 8)},
    "notes_ja.md": {(3, 19), (8, 18)},
}


JAPANESE_SIGN = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]")
A_SENTENCE = re.compile(r"[A-Za-z]{2,}[ ,]+[A-Za-z]{2,}")
ENGLISH_IN_JAPANESE = re.compile(r"[a-z]{3,} [a-z]{2,} [a-z]{2,}")
INNER_NAME = re.compile(r"old[0-9]|\bd*Word[0-9]|dOutput|dLoss|\bzz[0-9a-z]{8}|[A-Za-z]before\b|known are: [A-Z]")

MANY_REFUSALS = r"""
S = Q K^T

A = softmax(S)

A = softmax(S / 2)

Z = softmax(S/3) V

dS = A ⊙ (dA - rowsum(dA))

注意 = softmax(S)

d注意 = V

$L = -\sum_i y_i \ln p_i$

$p = \operatorname{softmax}(z)$

$\frac{\partial L}{\partial z} = y - p$

z = W x

$\frac{\partial L}{\partial W} = (y - p) x^T$

A = A + 1

A = 2 A

softmax(A X) = A softmax(X)

O = MultiHead(Q, K)

f(x) = g(x) h(x)

A = [[1,2],[3,4]]

A^{100} = [[1,2],[3,4]]

A^{-1} = [[1,2],[3,4]]

softmax(5) = 1

sqrt(-1) = 2

exp(exp(exp(exp(5)))) = 3

[1,2] / [0, 1] = [1,2]

M = [[0, -∞], [0, 0]]

(-2) M = [[1, 2], [3, 4]]

log(M) = [[1, 2], [3, 4]]

3 + 4 ~ 8

$\underbrace{1 + 1}_{= 3}$

3 < x

<!-- symtransformer: foo -->

<!-- symtransformer: let q -->

<!-- symtransformer: convention foo=2 -->

<!-- symtransformer: skip -->
"""


# -- whole documents ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", NAMES)
def test_signs_are_items_or_labelled_as_prose(name):
    file = checked(name).files[0]
    told = [(e.line, e.column) for e in file.equations if Path(e.file).name == Path(name).name]
    places = {(u.line, u.column) for u in file.unread}
    prose = {place for place, said in labels(name).items() if said[0] == PROSE}
    signs = scanned(name)
    assert len(set(told)) == len(told)
    silent = [place for place in signs if place not in told and place not in places and place not in prose]
    assert silent == []
    assert len([place for place in told if place in signs]) == len(signs) - len(prose)


def test_the_documents_hold_enough_signs_to_count():
    assert sum(len(scanned(name)) for name in ALL) >= 700


@pytest.mark.parametrize(
    "path", sorted(p for p in FIXTURES.iterdir() if p.suffix not in (".json", ".html")), ids=lambda path: path.name
)
def test_signs_beside_digits_in_other_documents_are_items(path):
    found = check(path, folder=FIXTURES).files[0]
    places = {(e.line, e.column) for e in found.equations} | {(u.line, u.column) for u in found.unread}
    places |= CLAIM_NOTHING.get(path.name, set())
    lines = found.source.replace("\r\n", "\n").split("\n")
    silent = []
    for number, line in enumerate(lines, 1):
        for match in BESIDE_A_DIGIT.finditer(line):
            at = match.start("sign" if match["sign"] else "other") + 1
            if (number, at) not in places:
                silent.append((number, at, line))
    assert silent == []


# -- words ---
def sentences(found):
    """All pairs of sentences of a report, and the formulas in it."""
    waiting, pairs, formulas = [json.loads(as_json(found))], [], []
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting += node
        elif isinstance(node, dict) and set(node) == {"en", "ja"}:
            pairs.append((node["en"], node["ja"]))
        elif isinstance(node, dict):
            waiting += node.values()
            formulas += [node[key] for key in ("counterexample", "right_value", "right_line") if node.get(key)]
    return pairs, formulas


@pytest.mark.parametrize("name", [*NAMES, ""])
def test_every_sentence_is_in_both_languages_and_has_only_the_names_of_the_document(name):
    pairs, formulas = sentences(checked(name) if name else check(MANY_REFUSALS))
    assert pairs
    for english, japanese in pairs:
        assert JAPANESE_SIGN.search(japanese) or not A_SENTENCE.search(english), (english, japanese)
        assert not ENGLISH_IN_JAPANESE.search(japanese), (english, japanese)
    for text in [*formulas, *(sentence for pair in pairs for sentence in pair)]:
        assert not INNER_NAME.search(text), text
