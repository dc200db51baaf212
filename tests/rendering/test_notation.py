"""Every option of a notation changes the pages as it says, nothing else does, and check reads them back."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from golden_cases import DERIVATIONS
from test_pages import chapter

from symtransformer import check, derive, dimension, head_index, matrix, render, verify
from symtransformer.chosen_notation import CHOICES, Notation
from symtransformer.cli.commands import cli
from symtransformer.errors import UnreadableInput
from symtransformer.operations import HeadConcatenation, Linear, MultiHeadAttention, Softmax
from symtransformer.reading.notation_file import read_notation
from symtransformer.rendering import require_unambiguous

FULL = Notation("superscript", "subscript", "⊤", "bold", "round", ",", names={"S": "Score", "W_Q": "U_q"})


def body(page):
    """Without the comment at the head."""
    return page.partition(r"\begin{document}")[2] or page.partition("\n\n")[2]


def heads():
    n, d, d_v = dimension("n"), dimension("d"), dimension("d_v")
    X, O = matrix("X", n, d), matrix("W_O", 2 * d_v, d)  # noqa: E741
    weights = (matrix("W_Q", d, 3), matrix("W_K", d, 3), matrix("W_V", d, d_v))
    return derive(MultiHeadAttention(X, *weights, O, heads=2), stages=True)


CASES = [
    ("labels", "superscript", "tex", r"W_{Q}", r"{W^{Q}}"),
    ("labels", "superscript", "txt", "W_Q ", "W^Q "),
    ("transpose", "⊤", "tex", r"K^{\mathsf T}", r"K^{\top}"),
    ("transpose", "T", "tex", r"K^{\mathsf T}", r"K^{T}"),
    ("transpose", "⊤", "txt", "K^T", "K^⊤"),
    ("transpose", "ᵀ", "txt", "K^T", "Kᵀ"),
    ("matrices", "bold", "tex", r"R &= Q K", r"\mathbf{R} &= \mathbf{Q} \mathbf{K}"),
    ("matrices", "bold-italic", "tex", r"R &= Q K", r"\boldsymbol{R} &= \boldsymbol{Q} \boldsymbol{K}"),
    ("matrices", "bold", "tex", r"q_{2} K", r"\mathbf{q}_{2} \mathbf{K}"),
    ("brackets", "round", "tex", r"\begin{bmatrix}", r"\begin{pmatrix}"),
    ("decimal", ",", "tex", "0.7071", "0{,}7071"),
    ("decimal", ",", "txt", "[[0, 0.7071], [0.7071, 0.3536]]", "[[0; 0,7071]; [0,7071; 0,3536]]"),
    ("separator", ";", "txt", "[[0, 0.7071], [0.7071, 0.3536]]", "[[0; 0.7071]; [0.7071; 0.3536]]"),
    ("names", {"S": "Score"}, "tex", r"\subsection{$S$", r"\subsection{$\mathrm{Score}$"),
    ("names", {"S": "Score"}, "txt", "S = R / sqrt(d_k)", "Score = R / sqrt(d_k)"),
    ("names", {"S": "Score"}, "txt", "s_21 = ", "score_21 = "),
    ("names", {"d_k": "D"}, "txt", "S = R / sqrt(d_k)", "S = R / sqrt(D)"),
]


@pytest.mark.parametrize(("key", "value", "form", "usual", "chosen"), CASES)
def test_an_option_changes_what_it_says(key, value, form, usual, chosen):
    before = body(render(chapter(), form))
    after = body(render(chapter(), form, notation=Notation(**{key: value})))
    assert usual in before
    assert chosen not in before
    assert chosen in after
    assert usual not in after


@pytest.mark.parametrize(
    ("notation", "shown"),
    [
        (Notation(), "W_{Q}^{(2)}"),
        (Notation(heads="subscript"), "W_{Q,2}"),
        (Notation(labels="superscript"), "W^{Q,(2)}"),
        (Notation(labels="superscript", heads="subscript"), "W_{2}^{Q}"),
    ],
)
def test_a_head_stands_where_the_notation_wants_it(notation, shown):
    page = render(heads(), "tex", notation=notation)
    assert shown in page
    others = {"W_{Q}^{(2)}", "W_{Q,2}", "W^{Q,(2)}", "W_{2}^{Q}"} - {shown}
    assert not [other for other in others if other in page]


@pytest.mark.parametrize("form", ["tex", "txt"])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_without_a_choice_nothing_changes(form, language):
    written_out = Notation(**{key: values[0] for key, values in CHOICES.items() if key != "transpose"})
    for build in DERIVATIONS.values():
        assert render(build(), form, language) == render(build(), form, language, notation=written_out)


def test_no_decimal_point_is_left_on_a_page_with_commas():
    for form in ("tex", "txt"):
        for detail in ("steps", "entries"):
            page = body(render(chapter(), form, notation=Notation(decimal=","), detail=detail))
            page = re.sub(r"\\begin\{tikzpicture\}.*?\\end\{tikzpicture\}", "", page, flags=re.S)  # places
            assert not re.search(r"[0-9]\.[0-9]", page.replace("0.4pt", "")), form


NOTATIONS = [
    FULL,
    Notation(decimal=","),
    Notation(labels="superscript", matrices="bold-italic", transpose="ᵀ"),
    Notation(heads="subscript", separator=";", brackets="round", names={"Q": "K", "K": "Q"}),
]


@pytest.mark.parametrize("form", ["tex", "txt"])
@pytest.mark.parametrize("notation", NOTATIONS, ids=range(len(NOTATIONS)))
def test_check_reads_a_page_under_its_notation(notation, form):
    subject = chapter()
    page = render(subject, form, notation=notation)
    kind = {"tex": "latex", "txt": "text"}[form]
    report = check(page, kind=kind, against=subject.derivation, notation=notation)
    (file,) = report.files
    verdicts = [e.verdict for e in file.equations]
    assert len(verdicts) > 80
    assert set(verdicts) <= {"right", "proved", "definition"}
    assert verdicts.count("right") > 80
    # planted: one digit of the last rounded number that stands in a matrix
    at = [found.start(1) for found in re.finditer(r"0(?:\.|,|\{,\})70(7)1", page)][-1]
    planted = f"{page[:at]}8{page[at + 1 :]}"
    assert "wrong" in [
        e.verdict for e in check(planted, kind=kind, against=subject.derivation, notation=notation).equations
    ]


# -- what is refused ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('lables = "superscript"', "line 1: there is no key 'lables'; did you mean labels?"),
        ('labels = "above"', "line 1: labels: expected subscript or superscript, got 'above'"),
        ('brackets = "square"\ndecimal = ";"', "line 2: decimal: expected . or ,, got ';'"),
        ('decimal = ","\nseparator = ","', "decimal and separator are both a comma; set separator to ';'"),
        ('[names]\nS = "Score"\nR = "Score"', "names: S and R would both be named Score"),
        ('[names]\nS = "a b"', "line 2: names: S: expected a name of letters and digits"),
        ('[names]\n"S T" = "a"', "line 2: names: 'S T' is no name of a letter"),
        ("heads = 2", "line 1: heads: expected a text in quotes"),
        ('names = "S"', "line 1: names: expected a table"),
    ],
)
def test_what_is_unclear_in_a_file_is_refused_in_one_line(text, message):
    with pytest.raises(UnreadableInput) as caught:
        read_notation(text, "mine.toml")
    assert message in str(caught.value)
    assert str(caught.value).startswith("mine.toml")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("names", "what"),
    [({"S": "K"}, "K and S"), ({"S": "q"}, "Q and S"), ({"W_Q": "W_K"}, "W_K and W_Q")],
)
def test_two_letters_that_would_look_alike_are_refused(names, what):
    with pytest.raises(UnreadableInput, match=f"{what} would both be written"):
        render(chapter(), "txt", notation=Notation(names=names))
    assert render(chapter(), "txt", notation=Notation(names={"S": "K", "K": "S"}))


def test_a_label_that_would_look_like_a_transpose_is_refused():
    n = dimension("n")
    with pytest.raises(UnreadableInput, match="would look transposed"):
        render(derive(Softmax(matrix("W_T", n, n))), "tex", notation=Notation(labels="superscript"))


def test_head_2_of_a_letter_and_a_second_letter_are_told_apart():
    n = dimension("n")
    Q, i = matrix("Q", n, n), head_index("i")
    mixed = derive({"Z": HeadConcatenation(Q.of_head(i), i, 2) @ matrix("Q_2", 2 * n, n)})
    with pytest.raises(UnreadableInput, match="Q and Q_2 would both be written"):
        require_unambiguous(Notation(heads="subscript"), mixed)
    require_unambiguous(Notation(labels="superscript"), mixed)


# -- the command line --------------------------------------------------------------------------------------------
def test_every_command_takes_the_file(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text('decimal = ","\nlabels = "superscript"\n[names]\nS = "Score"\n', "utf-8")
    Path("numbers.toml").write_text(
        'expression = "softmax(X W_Q)"\n[values]\nX = [[1, 0.5]]\nW_Q = [[1, 0], [0, 1]]\n', "utf-8"
    )

    def run(*arguments):
        return CliRunner().invoke(cli, arguments)

    shown = run("show", "explainer_chapter_4", "--notation", "mine.toml")
    assert "Score = R / sqrt(d_k)" in shown.output
    assert "--notation mine.toml" in shown.output
    Path("page.txt").write_text(shown.output, "utf-8")
    solved = run("solve", "--values", "numbers.toml", "--notation", "mine.toml")
    assert "W^Q" in solved.output
    assert "[[1; 0,5]]" in solved.output
    assert run("build", "explainer_chapter_4", "--out", "o", "--notation", "mine.toml").exit_code == 0
    assert "0{,}7071" in Path("o/en/explainer_chapter_4.tex").read_text("utf-8")
    gradient = run("gradient", "softmax(X W_Q)", "--notation", "mine.toml")
    assert "W^Q" in gradient.output
    assert "W_Q" not in gradient.output
    against = ["check", "page.txt", "--against", "explainer_chapter_4"]
    assert run(*against, "--notation", "mine.toml").exit_code == 0
    Path("bad.toml").write_text('decimals = ","\n', "utf-8")
    refused = run("show", "explainer_chapter_4", "--notation", "bad.toml")
    assert "bad.toml, line 1: there is no key 'decimals'; did you mean decimal?" in str(refused.exception)


# -- every format -------------------------------------------------------------------------------------------------
SIGNS = {
    "tex": [r"\mathbf{W}^{Q}", r"^{\top}", r"\begin{pmatrix}", "0{,}7071", r"\mathbf{Score}"],
    "md": [r"\mathbf{W}^{Q}", r"^{\top}", r"\begin{pmatrix}", "0{,}7071", r"\mathbf{Score}"],
    "html": [r"\mathbf{W}^{Q}", r"^{\top}", r"\begin{pmatrix}", "0{,}7071", r"\mathbf{Score}", "W^Q", "K^⊤", "0,7071"],
    "typ": ["upright(bold(W))^(Q)", "t: top)", 'delim: "("', '"0,7071"', '"Score"'],
    "txt": ["W^Q", "K^⊤", "0,7071", "Score = "],
}


@pytest.mark.parametrize("form", SIGNS)
def test_every_format_takes_the_notation(form):
    notation = Notation("superscript", "subscript", "⊤", "bold", "round", ",", names={"S": "Score"})
    before, after = render(chapter(), form), render(chapter(), form, notation=notation)
    for sign in SIGNS[form]:
        assert sign in after, sign
        assert sign not in before, sign


def test_a_transposed_number_keeps_its_brackets_behind_a_column_of_ones():
    """1 0^T would be read as a power of ten."""
    X, W, b = matrix("X", 2, 1), matrix("W", 1, 1), matrix("b", 1, 1)
    page = verify(derive(Linear(X, W, b), values={X: [[1], [-1]], W: [[2]], b: [[0]]}))
    assert "[[1], [-1]] 2 + ones(2, 1) [[0]]^T = [[2], [-2]]" in " ".join(render(page, "txt").split())
    assert r"\mathbf{1} \begin{bmatrix}0\end{bmatrix}^{\mathsf T}" in render(page, "tex")
