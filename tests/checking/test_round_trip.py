"""What `build` writes, `check` reads back: every relation of every page found, and none of them called wrong.

The relations of a page are counted by a plain scan of its signs, which knows nothing of how documents are read. Pages
with numbers are checked against their derivation, since they leave out steps that they use.
"""

import importlib.util
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from symtransformer import check, render
from symtransformer.documents import read_document, relations

ROOT = Path(__file__).parents[2]
PAGES = sorted(path for path in (ROOT / "output").glob("*/*") if path.suffix in (".txt", ".tex"))
NUMERIC = (
    "alternatives", "attention_article", "backpropagation_head", "backpropagation_layer", "explainer_chapter_4",
    "explainer_chapter_5", "explainer_chapter_6", "explainer_chapter_7", "explainer_chapter_8", "explainer_demo",
    "geometry", "training", "two_layers",
)  # fmt: skip
ACCEPTED = frozenset(["right", "definition", "proved", "tested", "right_if_rounded"])
ACCUSING = frozenset(["wrong", "last_place", "refuted", "shapes", "follows"])
PREFACE = 1  # Numbers after ≈ are rounded
KINDS = {"txt": "text", "tex": "latex"}

# what a page says of a second value under the name of the first, or with a size that is not told
VARIANTS = {
    "alternatives": ("T_4", "T_{4}", "Z_X", "Z_{X}", "G_h", "G_{h}"),
    "two_layers": ("enc2.H", "H^{\\mathrm{enc2}}"),
}
OPEN = {  # an expression beside the same one with rounded numbers put in: which of the two is rounded is not told
    "explainer_chapter_6": ("sqrt(0.", "\\sqrt{0.", "[[0, 1.0000, 0, 0]]", "0 & 1.0000 & 0 & 0"),
    "explainer_chapter_7": ("sqrt(0.", "\\sqrt{0.", "sqrt(1.", "\\sqrt{1."),
    "explainer_chapter_5": ("LayerNorm",),  # without its ε
    "explainer_chapter_8": ("Stack(", "\\tau", "_tau", "log(p)", "{ (p )}", "{log} (p )", "\\mathbf{1}"),
    "backpropagation_layer": ("\\mathbf{1}", "dZ[:,", "[:, 1:2]", "[:, 3:4]"),  # slices in brackets
    "backpropagation_head": ("\\mathbf{1}", "0.8362 - 0.8435"),
}


def of_text(page):
    """The signs = and ≈ that stand alone, without those of lines under headings and of what counts from 1."""
    lines = [line for line in page.splitlines() if not re.fullmatch("[=-]{3,}", line)]
    return sum(len(re.findall(r"(?:(?<=\s)|^)[=≈](?=\s|$)", x)) - len(re.findall(r", [a-z] = 1\.\.", x)) for x in lines)


def of_latex(page):
    body = re.sub(r"(?<!\\)%.*|\\predisplaypenalty=[0-9]+", "", page.split(r"\begin{document}")[-1])
    body = re.sub(r"_\{[^{}]*\}|(?<!\\)\[[^\[\]]*=[^\[\]]*(?<!\\)\]", "", body)
    return len(re.findall(r"=|\\approx(?![A-Za-z])", body))


def scanned(page, suffix):
    return (of_text if suffix == "txt" else of_latex)(page)


@cache
def derivation_of(stem):
    spec = importlib.util.spec_from_file_location(f"page_{stem}", ROOT / "derivations" / f"{stem}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.derivation


def excused(stem, equation):
    known = (*VARIANTS.get(stem, ()), *OPEN.get(stem, ()))
    return any(part in equation.text for part in known)


def test_the_scans_count_signs():
    assert of_text("a = b ≈ c\n=====\nSum(x_j, j = 1..3) = 2\nf(eps=1)\n    = 5\n") == 4
    assert of_latex(r"\begin{document} a = b \approx c % = d" "\n" r"\sum_{j=1}^{3} x \[ = 2 \]") == 3


@pytest.mark.parametrize("path", PAGES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_relation_of_a_page_is_lost(path):
    found = relations(read_document(path.read_bytes(), path.name))
    preface = PREFACE if path.stem in NUMERIC else 0
    assert len(found) == scanned(path.read_text(encoding="utf-8"), path.suffix[1:]) - preface


def in_time(path):
    """Japanese pages have the same formulas; they are read in full where there is time."""
    marks = [pytest.mark.slow] if path.parent.name == "ja" or path.stem == "backpropagation_layer" else []
    return pytest.param(path, id=f"{path.parent.name}/{path.name}", marks=marks)


@pytest.mark.parametrize("path", [in_time(p) for p in PAGES if p.stem in NUMERIC])
def test_every_relation_of_a_page_with_numbers_is_right(path):
    report = check(path, against=derivation_of(path.stem))
    left = [e for e in report.equations if e.verdict not in ACCEPTED and not excused(path.stem, e)]
    assert not left, [(e.line, e.verdict, e.code, e.text[:100]) for e in left]
    assert Counter(e.verdict for e in report.equations)["right"] > 50


def right_and_all(page, suffix, stem):
    report = check(page, name=f"page.{suffix}", kind=KINDS[suffix], against=derivation_of(stem))
    assert len(report.equations) == scanned(page, suffix) - PREFACE
    return report.equations


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["txt", "tex"])
@pytest.mark.parametrize("stem", NUMERIC)
def test_results_alone(stem, suffix):
    page = render(derivation_of(stem), suffix, "en", detail="results")
    left = [e for e in right_and_all(page, suffix, stem) if e.verdict not in ACCEPTED and not excused(stem, e)]
    left = [e for e in left if "t" not in re.findall("[a-z]+", e.text)]  # a parameter without a value
    assert not left, [(e.line, e.verdict, e.code, e.text[:100]) for e in left]


READ_IN_FULL = ("alternatives", "attention_article", "backpropagation_head", "explainer_chapter_4", "training")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("suffix", ["txt", "tex"])
@pytest.mark.parametrize("stem", READ_IN_FULL)
def test_every_entry(stem, suffix, language):
    """Nothing is accused; what is not decided is only what has a parameter, or digits of rounded numbers alone."""
    page = render(derivation_of(stem), suffix, language, detail="entries")
    equations = right_and_all(page, suffix, stem)
    accused = [e for e in equations if e.verdict in ACCUSING and not excused(stem, e)]
    assert not accused, [(e.line, e.verdict, e.code, e.text[:100]) for e in accused]
    assert sum(e.verdict in ACCEPTED for e in equations) > 0.9 * len(equations)


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_page_alone_accuses_nobody(path):
    accused = [e for e in check(path).equations if e.verdict in ACCUSING and not excused(path.stem, e)]
    assert not accused, [(e.line, e.verdict, e.code, e.text[:100]) for e in accused]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[[1, 1], [1, 2]]^T / sqrt(2)", "[[1, 1], [1, 3]]^T / sqrt(2)"),
        ("≈ [[0.5, 0.5], [0.1070, 0.8930]]", "≈ [[0.5, 0.5], [0.1070, 0.8931]]"),
        ("enc1.O = enc1.Z enc1.W_O", "enc1.O = enc1.A enc1.W_O"),
        ("enc1.F = ReLU(enc1.P)", "enc1.F = GELU(enc1.P)"),
    ],
)
def test_a_planted_error_is_found(old, new):
    page = (ROOT / "output" / "en" / "two_layers.txt").read_text(encoding="utf-8")
    assert page.count(old) >= 1
    report = check(page.replace(old, new, 1), name="two_layers.txt", against=derivation_of("two_layers"))
    assert any(e.verdict in ACCUSING and not excused("two_layers", e) for e in report.equations)
