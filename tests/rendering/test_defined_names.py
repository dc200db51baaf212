"""Every page defines each name before a formula uses it, and says which number each size is that it speaks of."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from symtransformer import Section, Words, derive, dimension, matrix, render, verify
from symtransformer.cli.derivations import known_derivations, load
from symtransformer.dialects import TEXT
from symtransformer.errors import UnreadableInput
from symtransformer.operations import SingleHead

OUTPUT = Path(__file__).parents[2] / "output" / "en"
STEPS = Words("Steps", "計算の流れ")
NAMES = known_derivations()


def used_too_soon(derivation, page):
    """The names in formulas of a text page that stand on no left side above them, in the order of the page."""
    letters = [*derivation.inputs, *(step.letter for step in derivation.steps)]
    names = {letter.name: re.escape(letter.name) for letter in letters}
    rows = {x.name: re.escape(TEXT.row_of(x.name, None, "9")).replace("9", r"\d+") for x in letters}
    shown = {name: re.compile(rf"(?<![\w.^])(?:{names[name]}|{rows[name]})(?:\^\(\w\))?(?![\w.(^])") for name in names}
    # where nothing has a number, the words say what is given
    said = set() if derivation.values else {letter.name for letter in derivation.inputs}
    found = []
    for line in re.sub(r"\n +(?=[=≈])", " ", page).splitlines():
        if not line.startswith(("  ", "> ")) or not re.search("[=≈]", line):
            continue
        left, *rights = re.split("[=≈]", re.sub(r"^[^=≈]*: ", "", line))
        left = {name for name in names if shown[name].search(left)}
        for name in names:
            if name not in said | left and any(shown[name].search(re.sub(r"\^T", "", right)) for right in rights):
                found.append(name)
        said |= left
    return found


def printed(name):
    return (OUTPUT / f"{name}.txt").read_text(encoding="utf-8")  # another test says that it is current


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_defined_before_it_is_used(name):
    assert used_too_soon(load(name)[1], printed(name)) == []


def head(sections, stages=False):
    n, d_model, d_k, d_v = map(dimension, ("n", "d_model", "d_k", "d_v"))
    X, W_Q, W_K = matrix("X", n, d_model), matrix("W_Q", d_model, d_k), matrix("W_K", d_model, d_k)
    W_V = matrix("W_V", d_model, d_v)
    values = {X: [[1, 2]], W_Q: [[1], [0]], W_K: [[0], [1]], W_V: [[1, 1], [1, 0]]}
    return derive(SingleHead(X, W_Q, W_K, W_V), stages=stages, values=values, sections=sections)


def test_what_a_page_leaves_out_stands_beside_what_uses_it():
    page = render(verify(head([Section(STEPS, inputs=("X",), steps=("S", "A"))])))
    lines = [line.strip() for line in page.splitlines()]
    at = lines.index("Used here:")
    assert lines[at + 2 : at + 6] == ["W_Q = [[1], [0]]", "W_K = [[0], [1]]", "Q = X W_Q = 1", "K = X W_K = 2"]
    assert lines[at + 7].startswith("S = Q K^T / sqrt(d_k) = 1 [[2]]^T = 2")  # 2^T would be a power
    assert page.count("Used here:") == 1


def test_the_steps_of_softmax_are_shown_where_they_are_shown():
    both = [Section(STEPS, inputs=("X", "W_Q", "W_K"), steps=("Q", "K", "S", *more, "A")) for more in ((), ("U", "c"))]
    without, with_them = (render(verify(head([section], stages=True))) for section in both)
    assert "A = softmax(S) = softmax(2) = 1" in without
    assert "U" not in re.findall(r"[A-Z]\b", without)
    assert "A = softmax(S) = divide(U, c)" in with_them


def test_a_refuted_or_unverified_step_is_never_put_in_as_if_it_were_known():
    section = Section(STEPS, inputs=("X", "W_Q", "W_K"), steps=("S",))
    derivation = head([section])
    wrong = replace(derivation["K"], expression=derivation["K"].expression * 2)
    planted = replace(derivation, steps=(derivation["Q"], wrong, *derivation.steps[2:]))
    page = render(verify(planted))
    assert "refuted" in page.lower()
    assert "K = X W_K = " not in page
    assert render(head([section])).count("has not been verified") == 3  # Q, K and S


def test_only_some_steps_are_those_alone():
    page = render(verify(head([Section(STEPS, inputs=("X",), steps=("S",))])), only=("S",))
    assert "Used here" not in page
    assert "Sizes" not in page


def test_the_scan_sees_what_is_not_defined():
    derivation, page = load("two_layers")[1], printed("two_layers")
    without = re.sub(r"\n  (enc1\.K|enc2\.R_1|X) = .*", "", page)
    assert set(used_too_soon(derivation, without)) == {"X", "enc1.K", "enc2.R_1"}
    assert used_too_soon(derivation, page.replace("enc1.A = softmax(enc1.S)", "enc1.A = softmax(enc2.S)")) == ["enc2.S"]


@pytest.mark.parametrize("name", NAMES)
def test_sizes_that_a_page_speaks_of_are_given(name):
    derivation, page = load(name)[1], printed(name)
    told = re.findall(r"^Sizes: (.*)\.$", page, re.MULTILINE)
    if not derivation.values:
        assert told == []
        return
    sizes = {str(s) for x in derivation.inputs for size in x.shape for s in size.free_symbols}
    shown = [derivation[name] for section in derivation.sections for name in section.steps]
    words = [w for s in derivation.sections for w in (s.title, s.text) if w]
    words += [step.explanation for step in shown if f"-- {step.name}: " in page]
    spoken_of = {found for w in words for found in re.findall(r"\{([A-Za-z]\w*)", w.en)} & sizes
    given = dict(pair.split(" = ") for pair in told[0].split(", ")) if told else {}
    assert spoken_of <= set(given)
    in_japanese = re.findall(
        r"^大きさ：(.*)。$", (OUTPUT.parent / "ja" / f"{name}.txt").read_text("utf-8"), re.MULTILINE
    )
    assert [line.replace("、", ", ") for line in in_japanese] == told
    for letter, rows in derivation.values:
        if not hasattr(letter, "shape") or not isinstance(rows, tuple):
            continue
        for size, number in zip(letter.shape, (len(rows), len(rows[0])), strict=True):
            assert given.get(str(size), str(number)) == str(number)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            Words("The scores {SS}.", "点数 {S}。"),
            r'section "Scores", language en: \{SS\} is no .*; did you mean \{S\}\?',
        ),
        (Words("The scores {S}.", "点数{W_QQ}の。"), r'section "Scores", language ja: \{W_QQ\} is no .* mean \{W_Q\}'),
        (Words("The scores { S}, {S:x}.", "点数"), r"language en: \{S:x\} is no step, input, size or parameter"),
    ],
)
def test_a_slip_in_the_words_of_a_section_is_an_error(words, said):
    section = Section(Words("Scores", "点数"), words, steps=("Q", "K", "S"))
    with pytest.raises(UnreadableInput, match=said):
        render(head([section]))


def test_words_may_speak_of_symbols_of_their_own():
    text = "For {i} and {j}, {e^s}, {Phi}, {W_O} and {c_i}, row {Q:1} has {d_model} {W_Q} {A:1:1} {{0, 1}} {0}."
    render(head([Section(Words("Scores", "点数"), Words(text, text), steps=("Q", "K", "S", "A"))]))
