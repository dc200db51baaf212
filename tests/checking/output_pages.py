"""The pages of output/ as they are to be checked, and the values of what they use without showing it."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from plain_truth import GIVEN, Judged, judged

from symtransformer import check, evaluate, render

ROOT = Path(__file__).parents[2]
PAGES = (
    "explainer_chapter_4", "explainer_chapter_5", "explainer_chapter_6", "explainer_chapter_7", "explainer_chapter_8",
    "geometry", "attention_article", "training", "two_layers", "explainer_demo", "backpropagation_head",
    "backpropagation_layer", "alternatives",
)  # fmt: skip
KINDS = {"txt": "text", "tex": "latex"}  # that are kept in output/; pages in Markdown and HTML are made
Place = tuple[int, int]
Verdicts = dict[Place, str]


@cache
def page_text(name: str, words: str, language: str) -> str:
    if language in KINDS:
        return (ROOT / "output" / words / f"{name}.{language}").read_text(encoding="utf-8")
    return render(derivation_of(name), language, words)


@cache
def derivation_of(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, ROOT / "derivations" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.derivation


@cache
def hidden_values(name: str) -> dict[str, Any]:
    """The arrays of all steps, for those whose working a page leaves out."""
    derivation = derivation_of(name)
    found = evaluate(derivation)
    made: dict[str, Any] = {}
    for step in derivation.steps:
        try:
            made[str(step.letter)] = np.asarray(found.numpy(str(step.letter)), dtype=float)
        except ValueError:  # with a free parameter
            continue
    return made


@cache
def unchanged(name: str, words: str, language: str) -> Judged:
    return judged(page_text(name, words, language), language, GIVEN.get(name, {}), hidden_values(name))


@dataclass(frozen=True)
class Page:
    """A page that `build` writes, in one language and format; `against` its derivation, as a reader may check it."""

    name: str
    words: str
    language: str
    against: bool = True

    @property
    def label(self) -> str:
        return f"output/{self.words}/{self.name}.{self.language}"

    def unchanged(self) -> Judged:
        return unchanged(self.name, self.words, self.language)

    def worked_out(self, source: str) -> Judged:
        return judged(source, self.language, {}, hidden_values(self.name), self.unchanged())

    def verdicts(self, source: str) -> Verdicts:
        """Line and column of each sign, and what is said of it."""
        kind = KINDS.get(self.language, "html" if self.language == "html" else "markdown")
        reference = derivation_of(self.name) if self.against else None
        found = check(source, name=f"page.{self.language}", kind=kind, against=reference)
        return {(e.line, e.column): e.verdict for e in found.equations}


@cache
def verdicts_before(page: Page) -> Verdicts:
    return page.verdicts(page.unchanged().source)
