"""Pages as documents: golden files, both languages alike, verdicts said, hostile words harmless."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import golden_cases
import pytest
from golden_cases import CASES, DERIVATIONS, HOSTILE

from symtransformer import Follow, Words, __version__, derive, matrix, render, verify
from symtransformer.errors import Refuted, UnreadableInput

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).with_name("golden")
ENGINE, WORKED = ROOT / "symtransformer", ROOT / "derivations"
JAPANESE = re.compile(r"[、-ヿ一-鿿]")


@pytest.mark.pinned
@pytest.mark.parametrize("name", CASES)
def test_page_is_the_golden_one(name, rewrite_golden):
    build, form, language, detail, *options = CASES[name]
    page = render(build(), form, language, detail=detail, **dict(*options)).replace(
        f"symtransformer {__version__}", "symtransformer VERSION", 1
    )
    if rewrite_golden:
        (GOLDEN / name).write_text(page, encoding="utf-8", newline="\n")
    assert page == (GOLDEN / name).read_bytes().decode()


def test_every_golden_file_belongs_to_a_case():
    assert sorted(path.name for path in GOLDEN.iterdir()) == sorted(CASES)


def test_rewriting_golden_pages_is_refused_in_continuous_integration():
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--rewrite-golden",
        "--collect-only",
        "-q",
        str(GOLDEN.parent / "test_arithmetic.py"),
    ]
    ran = subprocess.run(
        command, env={**os.environ, "CI": "true"}, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--rewrite-golden is refused where CI is set" in ran.stderr


# -- both languages ------------------------------------------------------------------------------------
def mathematics(page, form):
    """Every formula of a page in order, without words."""
    if form == "txt":
        page = re.sub(r"  [(（](?:operands|式の中|rows|行：).*$", "", page, flags=re.M)
        page = re.sub(r"^  (?:difference|差) ", "  d ", page, flags=re.M)
        lines = [line for line in page.splitlines() if line[:2] in ("  ", "> ")]
        return [re.sub(r"^(..)\s*(?:[^=≈:]*: )?\s*", r"\1", line) for line in lines if re.search(r"[=≈]", line)]
    body = page.partition(r"\begin{document}")[2]
    body = re.sub(r"\\quad\\text\{\\small [^}]*\}|\\;\\begin\{matrix\}.*?\\end\{matrix\}|\\text\{[^}]*\}", "", body)
    displays = re.findall(r"\\begin\{(align\*|gather\*|tabular)\}(.*?)\\end\{\1\}", body, re.DOTALL)
    displays = [
        (kind, re.sub(r" \\\\\*\n&(\\followed )?", " ", text).replace(r" &\followed ", " &")) for kind, text in displays
    ]
    displays = [
        (kind, text.replace("\\\\*", "\\\\")) for kind, text in displays
    ]  # where a page may end is no mathematics
    return [" ".join(re.findall(r"\$[^$]*\$", text)) if kind == "tabular" else text for kind, text in displays]


def chapter():
    namespace = {"__name__": "chapter"}
    exec(compile((WORKED / "explainer_chapter_4.py").read_text("utf-8"), "explainer_chapter_4.py", "exec"), namespace)
    return verify(namespace["derivation"])


@pytest.mark.parametrize("form", ["tex", "txt"])
@pytest.mark.parametrize("name", [*sorted(set(DERIVATIONS) - {"hostile"}), "chapter"])
def test_both_languages_hold_the_same_numbers_and_formulas(name, form):
    subject = chapter() if name == "chapter" else DERIVATIONS[name]()
    english, japanese = (
        mathematics(render(subject, form, language, detail="entries"), form) for language in ("en", "ja")
    )
    assert english
    if form == "txt":  # lines are broken where labels end, which differ in width
        english, japanese = ([re.sub(r"[> ]+", " ", " ".join(lines)).strip()] for lines in (english, japanese))
    assert english == japanese


def placeholders(text):
    return sorted(re.findall(r"\{[^{}]*\}", text))


def test_every_key_of_the_catalogue_stands_in_both_languages_with_the_same_placeholders():
    catalogue = tomllib.loads((ENGINE / "rendering" / "words.toml").read_text("utf-8"))
    assert len(catalogue) >= 16
    for key, words in catalogue.items():
        assert sorted(words) == ["en", "ja"], key
        assert placeholders(words["en"]) == placeholders(words["ja"]), key
        assert JAPANESE.search(words["ja"]), key
        assert not JAPANESE.search(words["en"]), key


def test_every_key_that_the_code_uses_is_in_the_catalogue():
    catalogue = tomllib.loads((ENGINE / "rendering" / "words.toml").read_text("utf-8"))
    code = "\n".join(path.read_text("utf-8") for path in sorted((ENGINE / "rendering").glob("*.py")))
    used = set(re.findall(r'(?:Remark|sentence|VerdictBlock)\(\s*["\']([a-z_]+)["\']', code)) | set(
        re.findall(r'followed_key.*"([a-z_]+)"', code)
    )
    used |= {f"{axis}{end}" for axis in ("row", "column") for end in ("", "_plain")} | {
        "tested",
        "undecidable",
        "refuted",
        "line_tested",
        "line_undecidable",
        "line_refuted",
    }
    assert used == set(catalogue)


def words_in(folder):
    """Every Words("...", "...") that is written in the files of a folder: file, en, ja."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Words":
                if node.args and all(isinstance(argument, ast.Constant) for argument in node.args):
                    yield path.name, *(argument.value for argument in node.args)


@pytest.mark.parametrize(("folder", "at_least"), [(ENGINE / "operations", 70), (WORKED, 20), (ENGINE, 72)])
def test_all_words_stand_in_both_languages_with_the_same_placeholders(folder, at_least):
    found = list(words_in(folder))
    assert len(found) >= at_least
    for name, english, japanese in found:
        assert set(placeholders(english)) == set(placeholders(japanese)), (name, english)
        if re.fullmatch(r"[\w.+-]+", japanese, re.ASCII) or not re.search("[A-Za-z]", english):
            continue  # a name, such as that of a letter or a token; or only signs
        assert JAPANESE.search(japanese), (name, japanese)
        assert not JAPANESE.search(english), (name, english)
        if not english.rstrip().endswith("?"):
            assert english.rstrip().endswith(".") == japanese.rstrip().endswith("。"), (name, english)


def test_words_without_a_text_are_refused():
    with pytest.raises(TypeError, match="ja"):
        Words("a", " ")


# -- verdicts --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "count", "sentences"),
    [
        ("unverified", "none verified", ("This step has not been verified.", "このステップは検証されていません。")),
        (
            "tested",
            "0 proved, 1 tested, 0 undecidable, 0 refuted",
            ("tested at random points, but is not proved", "証明されてはいません"),
        ),
        (
            "refuted",
            "0 proved, 0 tested, 0 undecidable, 1 refuted",
            ("This step is NOT true", "このステップは正しくありません"),
        ),
        (
            "undecidable",
            "1 proved, 0 tested, 1 undecidable, 0 refuted",
            ("could not be decided", "判定できませんでした"),
        ),
    ],
)
@pytest.mark.parametrize("detail", ["results", "steps", "entries"])
@pytest.mark.parametrize("form", ["tex", "txt"])
def test_what_is_not_proved_says_so_at_its_step_and_in_the_first_comment(name, count, sentences, detail, form):
    for language, sentence in zip(("en", "ja"), sentences, strict=True):
        page = render(DERIVATIONS[name](), form, language, detail=detail)
        lines = page.splitlines()
        assert lines[0] == f"{'%' if form == 'tex' else '#'} symtransformer {__version__}"
        assert lines[1].endswith(count)
        assert sentence in page.replace("\n", "" if language == "ja" else " ")


def test_a_proved_step_says_nothing_and_a_refuted_derivation_is_not_accepted():
    page = render(golden_cases.column_followed())
    assert "!!" not in page
    assert "1 proved" in page
    with pytest.raises(Refuted, match=r"^step Y is not true: entry \(\d, \d\) is "):
        golden_cases.refuted().require_true()


# -- hostile words ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("form", ["tex", "txt"])
def test_hostile_words_come_out_as_text_and_control_characters_not_at_all(form, language):
    page = render(golden_cases.hostile(), form, language, command="show x\n\\input{secret}\r\u202e")
    assert {c for c in page if not c.isprintable()} == {"\n"}
    body = page.partition(r"\begin{document}")[2] if form == "tex" else page
    expected = {
        "tex": [r"\textbackslash{}input\{secret\}", r"\$x\$ \& 100\%\_\#\textasciitilde{}\textasciicircum{}", r"\{Q\}",
                "ab[31m c d", r"\textless{}script\textgreater{}", r"{[3em] \textbackslash{}\textbackslash{} \textbackslash{}end\{document\}"],
        "txt": [HOSTILE[0], HOSTILE[1], HOSTILE[2], "ab[31m c d", HOSTILE[4], HOSTILE[5]],
    }  # fmt: skip
    for text in expected[form]:
        assert text in body
    assert [line for line in page.splitlines() if "command:" in line] == [
        f"{'%' if form == 'tex' else '#'} command: show x \\input{{secret}} "[:-1]
    ]


def test_latex_of_hostile_words_holds_no_command_of_theirs():
    page = render(golden_cases.hostile(), "tex", "en")
    body = "\n".join(line for line in page.splitlines() if not line.startswith("%"))
    commands = set(re.findall(r"\\([A-Za-z]+)", body))
    assert not commands & {"input", "write", "bad", "alpha", "script"}
    assert body.count(r"\end{document}") == 1
    assert not re.search(r"\\\\\s*\[(?!1\.2ex\])", body)  # \\ [3em] would be a length
    assert len(re.findall(r"(?<!\\)\{", body)) == len(re.findall(r"(?<!\\)\}", body))


def test_letters_in_a_paragraph_are_set_as_mathematics_and_nothing_else_is():
    page = render(golden_cases.hostile(), "tex", "en")
    assert r"\textbackslash{}write18$\mathrm{rm}$ $W$ \{a\_b\_c\} \{\} \{1\} 50\%" in page
    assert "$x_{21}$" in render(golden_cases.hostile(), "tex", "ja")


# -- following ---------------------------------------------------------------------------------------------
def test_a_followed_row_that_does_not_exist_is_refused():
    subject = golden_cases.column_followed()
    for follow, message in (
        (Follow("Y", "row", 2), "Y has no row 3; the last one is 2"),
        (Follow("Y", "column", 2), "no column 3"),
    ):
        with pytest.raises(UnreadableInput, match=message):
            render(subject, follow=follow)
    with pytest.raises(UnreadableInput, match="there is no step 'A'"):
        render(subject, follow=Follow("A", "row", 0))


def test_a_followed_column_is_traced_back_to_the_column_of_the_right_factor():
    page = render(golden_cases.column_followed(), "tex", detail="steps")
    assert (
        r"B = \begin{bmatrix}2 & \followed \mathbf{-1} \\ 3 & \followed \mathbf{0.5} \\ 1 & \followed \mathbf{1}\end{bmatrix}"
        in page
    )
    assert r"A = \begin{bmatrix}1 & \dfrac{1}{3} & -2 \\[2ex] 0.25 & 0 & 3\end{bmatrix}" in page
    assert (
        r"\followed"
        not in render(golden_cases.column_followed(), "tex", follow=False).partition(r"\begin{document}")[2]
    )


def test_text_promises_marked_lines_only_where_there_are_some():
    whole = derive(
        matrix("A", 1, 2) @ matrix("B", 2, 2),
        values={"A": [[1, 2]], "B": [[3, 4], [5, 6]]},
        follow=Follow("Y", "column", 1),
    )
    assert "is followed" not in render(whole, detail="steps")
    assert "Column 2 is followed in color" in render(whole, "tex", detail="steps")
    subject = golden_cases.column_followed()
    page = render(subject, detail="entries")
    assert "Column 2 is followed through the page; its lines begin with >." in page
    assert [line[2:6] for line in page.splitlines() if line.startswith("> ")] == [
        "y_12",
        "    ",
        "    ",
        "    ",
        "y_22",
        "y_12",
    ]


# -- what is not a derivation, options -----------------------------------------------------------------------
def test_unknown_formats_languages_and_details_are_refused():
    subject = golden_cases.unverified()
    for options in ({"format": "odt"}, {"language": "fr"}, {"detail": "all"}):
        with pytest.raises(UnreadableInput, match="expected"):
            render(subject, **options)
    with pytest.raises(UnreadableInput, match="derive"):
        render(matrix("A", 2, 3) @ matrix("B", 3, 2))


def test_wide_matrices_are_announced_to_latex_which_allows_ten_columns():
    page = render(golden_cases.long_matrix(), "tex")
    assert "\n\\setcounter{MaxMatrixCols}{12}\n" in page
    assert "MaxMatrixCols" not in render(golden_cases.column_followed(), "tex")


def test_aliases_give_the_same_page():
    subject = golden_cases.unverified()
    assert render(subject, "latex") == render(subject, "tex") != render(subject, "text") == render(subject, "txt")


def test_results_show_neither_formulas_nor_explanations():
    page = render(
        derive(matrix("A", 2, 3) @ matrix("B", 3, 2), values={"A": [[1, 2, 3]] * 2, "B": [[1, 0]] * 3}),
        detail="results",
    )
    assert "Y = [[6, 0], [6, 0]]" in page
    assert "A B" not in page
    assert "Entry (i, j)" not in page


# -- no number is written by hand -------------------------------------------------------------------------------
def numbers_that_are_no_inputs(source):
    """Decimals outside of `values=...`: as literals, or inside of words."""
    tree, found = ast.parse(source), []
    given = {
        id(n) for k in ast.walk(tree) if isinstance(k, ast.keyword) and k.arg == "values" for n in ast.walk(k.value)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in given:
            if isinstance(node.value, float) or (
                isinstance(node.value, str) and re.search(r"\d\.\d|\d ?%", node.value)
            ):
                found.append(node.value)
    return found


def test_worked_derivations_write_no_number_but_their_inputs():
    files = sorted(WORKED.glob("*.py"))
    assert files
    for path in files:
        assert numbers_that_are_no_inputs(path.read_text("utf-8")) == [], path.name


@pytest.mark.parametrize(
    ("planted", "found"),
    [
        ("x = 0.5875", [0.5875]),
        ('Words("about 58.7%", "約 58.7%")', ["about 58.7%", "約 58.7%"]),
        ("f(values={X: [[0.5]]}, t=0.25)", [0.25]),
    ],
)
def test_the_scan_for_numbers_refuses_planted_ones(planted, found):
    assert numbers_that_are_no_inputs(planted) == found
