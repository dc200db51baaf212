"""Signs that relate and become no relation: which are told of, with which code and where, and which claim nothing."""

import pytest

from symtransformer.documents import read_document, split, unread_signs
from symtransformer.documents.signs import signs_of
from symtransformer.documents.unread_signs import (
    _around,
    _begins_number,
    _closes,
    _counts,
    _ends_behind_a_number,
    _is_called,
    _is_code,
    _is_compound,
    _is_solid,
    _is_told_below,
    _is_within,
    _opens_number,
)


def told(text, name="a.md"):
    document = read_document(text.encode(), name)
    claimed = split(document)[1]
    found = [*document.problems, *unread_signs(document, claimed)]
    return [f"{problem.code} {problem.line}:{problem.column}" for problem in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"$\sum_{i=1}^{3} i = 6$", []), (r"$x_{i=1}$", []), (r"$f(eps=1)$", []), (r"$f(x_{k=2})$", []), (r"$\mathrm{f}(eps=1)$", []), (r"$g_{a}(x=1)$", []), (r"$\label{a=b} x$", []),
        (r"$x^{a \le b}$", []), (r"$=$", []), (r"$a = 2$", []), (r"$2 < 3$", []), (r"$x^2(a=1)$", ["inside 1:7"]), (r"$x²(a=1)$", []), ("$x + (a ≥ 2) + 3$", ["inside 1:9"]),
        (r"$\underbrace{0.2 + 0.3}_{= 0.5} + 1$", ["inside 1:26"]), (r"$\overbrace{2 + 2}^{=5} \cdot 3$", ["inside 1:21"]), (r"$x \underbrace{0.2 + 0.3} _ { = 0.5} + 1$", ["inside 1:31"]),
        (r"$\underbrace{0.2 + 0.3}_{a} + 1$", []), (r"$\sqrt{4}_{=2} + 1$", []), (r"$(a=1)b$", ["inside 1:4"]), (r"$[a=1] + 2$", ["inside 1:4"]), (r"$\frac{a=1}{2}$", ["inside 1:9"]),
        (r"$a (b (c=2))$", ["inside 1:9"]), (r"$f(b (c=2))$", []), (r"$\left(x=1\right) + 2$", ["inside 1:9"]), (r"$f([x=1])$", []), ("$x_{a (b = 2)}$", []), (r"$y (a = 2) + z (b = 3)$", ["inside 1:7", "inside 1:19"]),
        (r"$x (\sum_{i=1} i) = 6$", []), (r"$\text{if}(x=1)$", []), ("$2 (x=1)$", ["inside 1:6"]), ("$[1 + (= 2)]$", ["inside 1:8"]), ("$x + ( 5 = )$", ["inside 1:10"]),
    ],
)  # fmt: skip
def test_inside_of_a_formula(text, expected):
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 ~ 3 tokens", ["about 1:3"]), ("x ~ 3", []), ("2 + 3 ~ -5", ["about 1:7"]), ("$2 ~ 3$ and 4 ~ 5", ["about 1:15"]), (r"\emph{a} 2 ~ 3", []), ("x = 3. So 2 ~ 3", ["about 1:13"]), ("2 ~ 3. So x = 3", ["about 1:3"]),
        ("⌊7/2⌋ = 3", ["not_clear 1:7"]), ("⌊7/2⌋ = the", []), ("10€ = 11", ["not_clear 1:5"]), ("10 € = $11", ["not_clear 1:6"]), ("10 = €11", ["not_clear 1:4"]), ("the price = €11", ["not_clear 1:11"]), ("x = .05", ["not_clear 1:3"]),
        ("= 5", ["not_clear 1:1"]), ("= the", []), ("= 5人", []), ("loss = (5", ["not_clear 1:6"]), ("[[1, 2] = [[1", ["not_clear 1:9"]), ("loss = ( -5", ["not_clear 1:6"]), ("loss = (x", []), ("5 + 2 (tokens) = 7", ["not_clear 1:16"]),
        ("2^3^ = 8", ["not_clear 1:6"]), ("<b>5</b> = 6", ["not_clear 1:10"]), ("</b> = 6", ["not_clear 1:6"]), ("5 = <b>6", ["not_clear 1:3"]), ("5 = <i>x", []), ("`x` = 5", ["not_clear 1:5"]), ("the `x` = 5", ["not_clear 1:9"]),
        ("f(x=1) = the", []), ("f(2=1)", []), ("GPT(layers=12)", []), ("x = $16人", []), ("x = 2 (GPT-3=V) is", []), ("the value =", []), ("5 =", ["not_clear 1:3"]), ("(2) =", ["not_clear 1:5"]), ("x = = 5", []),
        ('"a" = the', []), ('loss = "a"', []), ("5 > the", []), ("a > the", []), ("± = 2", ["not_clear 1:3"]), (".5 = .5", ["not_clear 1:4"]), ("f(a) g(2=1)", []), ("the GPT-K=5 is", []),
        ("```\n5 =\n```", []), ("```\n= 5\n```", []), ("```\nthe (x) ✕ 5 = 5\n```", ["not_clear 2:13"]), ("x ✕ 5 > 5", ["not_clear 1:7"]), ("2 ✕ 5 > 5", ["not_clear 1:7"]),
    ],
)  # fmt: skip
def test_among_words(text, expected):
    assert told(text) == expected


def at(text, character):
    signs = signs_of(text)
    return signs, next(i for i, s in enumerate(signs) if s.start == character)


def test_which_bracket_a_sign_stands_in():
    assert _around(signs_of("a(b[c]d)e")) == [-1, -1, 1, 1, 3, 1, 1, -1, -1]
    assert _around(signs_of("a)b(c")) == [-1, -1, -1, -1, -1]
    assert _around(signs_of("(a)(b)")) == [-1, 0, -1, -1, 3, -1]
    assert _around(signs_of(r"\begin{pmatrix}1\end{pmatrix}2")) == [-1, 0, -1, -1]
    assert _around([]) == []


@pytest.mark.parametrize(
    ("text", "opened", "is_called"),
    [("f(x)", 1, True), ("(x)", 0, False), ("2(x)", 1, False), ("x²(y)", 2, True), ("g_{a}(x)", 5, True), (r"\exp(x)", 4, True), (r"\text{a}(x)", 8, True), ("f (x)", 2, False), ("the)(x)", 4, False)],
)  # fmt: skip
def test_what_is_called(text, opened, is_called):
    assert _is_called(*at(text, opened)) is is_called


@pytest.mark.parametrize(
    ("spans", "place", "expected"),
    [([(2, 5)], 1, False), ([(2, 5)], 2, True), ([(2, 5)], 4, True), ([(2, 5)], 5, False), ([(2, 5), (7, 9)], 6, False), ([(2, 5), (7, 9)], 7, True), ([(2, 5), (7, 9)], 3, True), ([], 3, False)],
)  # fmt: skip
def test_what_is_within_spans(spans, place, expected):
    assert _is_within(place, spans, [start for start, _ in spans]) is expected


@pytest.mark.parametrize(
    ("function", "text", "place", "expected"),
    [
        (_counts, "16人", 0, True), (_counts, "16 人", 0, False), (_counts, "16", 0, False), (_counts, "x人", 0, False), (_counts, "$16人", 0, True), (_counts, "$16", 0, False), (_counts, "$", 0, False), (_counts, "16x", 0, False), (_counts, "€16人", 0, True),
        (_opens_number, "(5", 0, True), (_opens_number, "[[1", 0, True), (_opens_number, "( - 5", 0, True), (_opens_number, "(x", 0, False), (_opens_number, "(5)", 0, False), (_opens_number, "(", 0, False), (_opens_number, "{5", 0, False), (_opens_number, "5", 0, False),
        (_begins_number, ".5", 0, True), (_begins_number, "$5", 0, True), (_begins_number, "$x", 0, False), (_begins_number, "$", 0, False), (_begins_number, "€5", 0, True), (_begins_number, "(5", 0, False),
        (_ends_behind_a_number, "2^", 1, True), (_ends_behind_a_number, "x^", 1, False), (_ends_behind_a_number, "2 (tokens)", 9, True), (_ends_behind_a_number, "x (tokens)", 9, False), (_ends_behind_a_number, "2 円", 2, True), (_ends_behind_a_number, "2 円円", 2, True),
        (_ends_behind_a_number, "2 円円円", 2, False), (_ends_behind_a_number, "2 the", 2, False), (_ends_behind_a_number, "(2)", 2, False), (_ends_behind_a_number, "2 [x]", 4, False), (_ends_behind_a_number, "^", 0, False), (_ends_behind_a_number, "2 (x]", 2, False),
        (_is_solid, "5", 0, True), (_is_solid, "²", 0, True), (_is_solid, "|", 0, True), (_is_solid, "-", 0, True), (_is_solid, "×", 0, False), (_is_solid, "x", 0, False), (_is_solid, "(2)", 0, True), (_is_solid, "(2)", 2, True), (_is_solid, "{2}", 0, False),
        (_is_solid, "(see below)", 10, False), (_is_solid, r"\alpha", 0, True), (_is_solid, "the", 0, False), (_is_solid, "...", 0, True),
        (_is_compound, "Q-K", 2, True), (_is_compound, "Q+K", 2, False), (_is_compound, "Q-5", 2, False), (_is_compound, "the K", 4, False),
    ],
)  # fmt: skip
def test_what_stands_beside_a_sign(function, text, place, expected):
    assert function(*at(text, place)) is expected


def test_ends_of_what_is_not_read():
    assert [_closes(*at(text, len(text) - 1)) for text in ("5⌋", "5€", "5}", "5)", "5")] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert [_closes(signs_of(text), None) for text in ("", "5")] == [False, False]
    assert _is_solid(signs_of("5"), None) is False
    assert [_is_code(sign) for sign in signs_of("5 .")] == [False, False, False]


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [(r"\underbrace{a}_b", 14, True), (r"\sqrt{a}_b", 8, False), ("xx_b y", 5, False), ("{a}_b", 3, False), (r"\overbrace{a} _b", 14, True), ("_b", 0, False)],
)  # fmt: skip
def test_what_is_told_below(text, place, expected):
    assert _is_told_below(*at(text, place)) is expected
    assert _is_told_below(signs_of(text), None) is False
