r"""The notation of mathematics read whatever its letters mean: every sign in its place, and its wrong twin refused."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from symtransformer.reading.free_formulas import read_free
from symtransformer.reading.free_syntax import NAME, SCRIPTED, WORD, Free, head_of
from symtransformer.reading.problems import ReadingError

# what is read | the same with one sign that has no place
TWINS = [
    (r"\sum_{j=1}^{n} \alpha_{ij} v_j", r"\sum_{j=1}^{n}"),
    (r"\sum_{i \in \mathcal{M}} \log P(x_i \mid x_{<t}; \theta)", r"\sum_{i \in \mathcal{M}} \log"),
    (r"\|\hat{Y} - X\|_2^2", r"\|\hat{Y} - X_2^2"),
    (r"|i - j|", r"|i - j"),
    (r"\lvert t - t' \rvert", r"\lvert t - t' \lvert"),
    (r"\begin{cases} 1 & \text{if } j \leq i \\ 0 & \text{otherwise} \end{cases}", r"\begin{cases} 1 & \text{if } j \leq i \\ 0"),
    (r"\begin{bmatrix} q_1 & \cdots & q_n \\ \vdots & & \end{bmatrix}", r"\begin{bmatrix} q_1 & \cdots \end{pmatrix}"),
    (r"\{(i, j) : |i - j| \leq w\}", r"\{(i, j) : |i - j| \leq w)"),
    (r"\mathbb{E}_{x \sim p(x \mid \eta)}[u(x)]", r"\mathbb{E}_{x \sim p(x \mid \eta)}[u(x)"),
    (r"\arg\min_{W} \sum_i \|W x_i - y_i\|^2 + \lambda \|W\|_F^2", r"\arg\min_{W}"),
    (r"\lim_{T \rightarrow 0} \frac{e^{x/T}}{\sum_i e^{x_i/T}}", r"\lim_{T \rightarrow 0}"),
    (r"\int h(x) e^{\langle u(x), \eta \rangle} dx", r"\int h(x) e^{\langle u(x), \eta } dx"),
    (r"[K_{\text{cached}}; k_{t+1}]", r"[K_{\text{cached}}; k_{t+1}"),
    (r"\text{Concat}(\text{head}_1, \dots, \text{head}_h) W^O", r"\text{Concat}(\text{head}_1, \dots, \text{head}_h W^O"),
    (r"W^{(i-1)} + a^{(i)} \otimes b^{(i)}", r"W^{(i-1)} + \otimes b^{(i)}"),
    (r"\mathcal{S}_a \cup \mathcal{S}_b", r"\mathcal{S}_a \cup"),
    (r"\nabla_{\hat{X}_i} - \frac{1}{n\sigma}\sum_{j=1}^n \nabla_{\hat{X}_j}", r"\nabla_{\hat{X}_i} - \frac{1}{n\sigma"),
    (r"\Vert_{k=1}^{K} \overrightarrow{h'^k_i}", r"\Vert_{k=1}^{K}"),
    (r"\mathbf{a}^\top [ \overrightarrow{g_i} \Vert \overrightarrow{g_j} ]", r"\mathbf{a}^\top [ \overrightarrow{g_i} \Vert \overrightarrow{g_j} "),
    (r"\log_2 l_i + m_i \log 2", r"\log_2 l_i + m_i \log"),
    (r"\sum_j -2(x_j - \mu)", r"\sum_j -"),
    (r"\left< u, v \right>".replace(r"\left<", r"\langle").replace(r"\right>", r"\rangle"), r"\langle u, v )"),
    (r"\max(m_i, \max_{j=j1}^{j2} S_{ij})", r"\max(m_i, \max_{j=j1}^{j2})"),
    (r"(\partial \hat{X} / \partial X)_{i,:}", r"(\partial \hat{X} / \partial X)_{i,:"),
    (r"\bar{e}^{'}_{il}", r"\bar{e}^{'}_{il}'^"),
    (r"\overset{!}{x}".replace("!", "a"), r"\overset{a}"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "twin"), TWINS)
def test_what_has_its_place_is_read_and_its_twin_is_not(text, twin):
    assert isinstance(read_free(text), Free)
    with pytest.raises(ReadingError):
        read_free(twin)


REFUSED = [  # text -> why: numbers and words that have no single reading
    ("2 3", "number_after"), ("x 3", "number_after"), ("0,665", "thousands"), ("0,67", "thousands"), ("22,026", "thousands"),
    ("1{,}000", "number"), ("1.2.3", "number"), ("5%", "number"), ("5!", "number"), ("a - - b", "syntax"), ("a + * b", "syntax"),
    ("", "incomplete"), ("a ! b", "syntax"), ("how surprised we are", "name"), (r"\text{how surprised we are}", "name"),
    (r"\text{task} \text{success}", "name"), (r"\input{file}", "command"), (r"\def\x{y}", "command"), ("a # b", "character"),
    ("$x$", "character"), (r"\begin{verbatim} x \end{verbatim}", "environment"), ("(" * 60 + "x" + ")" * 60, "too_deep"),
    ("x" * 5000, "too_long"), ("+" + "x+" * 600 + "x", "too_long"), ("1" * 41, "number"), ("a = b", "syntax"), ("x, y; z", "syntax"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code"), REFUSED, ids=[text[:24] or "empty" for text, _ in REFUSED])
def test_what_has_no_single_reading_is_refused(text, code):
    with pytest.raises(ReadingError) as error:
        read_free(text)
    assert error.value.code == code


HEADS = [  # a left side -> what it gives a formula
    ("x", ["x"]), (r"\alpha_{ij}", ["alpha_{i( ,j)}".replace("i( ,j)", "product(i,j)")]), (r"W^{(i)}", None), (r"L(N, D)", ["L"]), (r"p(k|q)", ["p"]),
    (r"\phi(\mathbf{x})", ["phi"]), ("a, b", ["a", "b"]), (r"\mathcal{L}_{\text{reg}}", ["L_{reg}"]), ("2 x", []), ("x + y", []), ("f(2)", []),
    ("f(x + y)", []), (r"\frac{a}{b}", []), ("|x|", []), ("a b", []), ("(x)", []), (r"f(g(x))", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "names"), HEADS, ids=[text for text, _ in HEADS])
def test_a_left_side_that_is_a_name_or_a_function_of_names(text, names):
    found = head_of(read_free(text))
    assert bool(found) is (names is None or bool(names))
    if names and "product" not in names[0]:
        assert list(found) == names


def test_scripts_belong_to_the_last_letter():
    assert read_free("XW_Q").parts[1] == Free(SCRIPTED, "_", (Free(NAME, "W"), Free(NAME, "Q")))
    assert read_free("pos").kind == WORD


def test_any_text_is_read_or_refused():
    """Nothing but a ReadingError comes out, whatever stands there."""
    rng = random.Random(4)
    pieces = [p for text, twin in TWINS for p in (*text.split(), *twin.split())] + [*"(){}[]|_^,;:'!=<>&\\ 1a.~#$%"]
    for _ in range(400):
        text = rng.choice(("", " ")).join(rng.choice(pieces) for _ in range(rng.randint(1, 12)))
        with suppress(ReadingError):
            assert isinstance(read_free(text), Free)
