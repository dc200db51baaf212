"""Templates of pages: those of the library, and a reader's own, which is data and can do nothing but place text."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from symtransformer.errors import UnreadableInput

TEMPLATES = ("page.tex.j2", "page.typ.j2", "definitions.tex.j2", "fonts.tex.j2", "fragment.tex.j2")
MARKS: dict[str, Any] = {
    "variable_start_string": "\\VAR{", "variable_end_string": "}", "block_start_string": "\\BLOCK{",
    "block_end_string": "}", "comment_start_string": "\\#{", "comment_end_string": "}",
    "trim_blocks": True, "lstrip_blocks": True, "keep_trailing_newline": True,
    "autoescape": False,  # every value is escaped by the printer of its target
}  # fmt: skip


@dataclass(frozen=True)
class OwnTemplate:
    """A template of the reader's, and what its file is called in errors."""

    text: str
    file: str = "template"


def laid_out(template: str, context: dict[str, Any]) -> str:
    """The page by a template of the library."""
    return str(_environment().get_template(template).render(context))


@cache
def _environment() -> Any:
    from jinja2 import DictLoader, Environment, StrictUndefined

    folder = files(__package__) / "templates"
    sources = {name: (folder / name).read_text(encoding="utf-8") for name in TEMPLATES}
    return Environment(loader=DictLoader(sources), undefined=StrictUndefined, **MARKS)


def laid_out_by(template: OwnTemplate, context: dict[str, Any]) -> str:
    """The page by a reader's own template: no attribute of Python, no other file, no name that is not given."""
    from jinja2 import DictLoader, StrictUndefined, TemplateError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        loader=DictLoader({template.file: template.text}), undefined=StrictUndefined, **MARKS
    )
    try:
        return environment.get_template(template.file).render(context)
    except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None) or _line_of(error)
        where = f"{template.file}, line {line}" if line else template.file
        said = str(error).replace("\n", " ") or type(error).__name__
        hint = f"; there are {', '.join(sorted(context))}" if "is undefined" in said else ""
        raise UnreadableInput(f"{where}: {said[:200]}{hint}") from None


def _line_of(error: Exception) -> int | None:
    """The line of the template at which this happened; jinja2 puts it into the traceback."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "<template>"]
    return lines[-1] if lines else None
