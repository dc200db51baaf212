"""The glossary: every operation, rule, convention and verdict of the library stands there, in both languages."""

import re

import pytest

import symtransformer.operations
from symtransformer.checking.conventions import CONVENTIONS
from symtransformer.operation import REGISTRY
from symtransformer.rendering import render_glossary
from symtransformer.rendering.check_report.sentences import catalogue
from symtransformer.rules import RULES
from symtransformer.rules.calculus import CALCULUS
from symtransformer.rules.sums import SUMS

assert symtransformer.operations


@pytest.fixture(scope="module", params=["en", "ja"])
def page(request):
    return request.param, render_glossary("txt", request.param).decode()


def squeezed(text):
    return re.sub(r"[\s{}]", "", text)


def test_everything_that_explains_itself_is_there(page):
    language, text = page
    shown = squeezed(text)
    every = [*REGISTRY.values(), *RULES, *CALCULUS, *SUMS]
    assert len(every) > 100
    for thing in every:
        title = getattr(thing, "title", None) or thing.name
        assert squeezed(title.in_language(language)) in shown, title.en
        words = squeezed(thing.explanation.in_language(language))
        assert re.sub(r"\^\(.\)|:\d", "", words)[:20].split("_")[0][:12] in shown, title.en
    for convention in CONVENTIONS:
        assert squeezed(convention.words.in_language(language)) in shown, convention.name


def test_no_verdict_of_the_reports_is_left_unexplained(page):
    language, text = page
    for key, words in catalogue().items():
        if key.startswith("verdict_") and key != "verdict_unread":
            colon = ": " if language == "en" else "："
            assert f"\n{words[language]}{colon}" in text, key


def test_composites_are_shown_with_what_they_consist_of(page):
    _, text = page
    for step in ("S = Q K^T / sqrt(d_k)", "A = softmax(S)", "Z = A V", "R_1 = X + O", "F = ReLU(P)"):
        assert f"  {step}\n" in text


def test_on_the_command_line(command):
    code, out, err = command("glossary", "--lang", "ja")
    assert (code, err) == (0, "")
    assert out == render_glossary("txt", "ja").decode()
    code, out, err = command("glossary", "--format", "nothing")
    assert (code, out) == (2, "")
    assert err.startswith("symtransformer: format: expected ")
