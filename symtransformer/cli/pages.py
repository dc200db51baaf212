"""The options that show, build and solve share, and the pages made under them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symtransformer.cli.messages import quoted, shows_color
from symtransformer.errors import UnreadableInput

if TYPE_CHECKING:
    from symtransformer.judge import Verified

DETAILS = ("results", "steps", "entries", "problem")
USUAL = {
    "detail": "steps", "follow": "", "digits": 4, "significant": None, "round_steps": None, "zeros": "keep",
    "rounding": "half-up", "only": "", "row": None,
}  # fmt: skip
LENGTHS = ("digits", "significant", "round_steps")


NOTATION = click.option(
    "--notation", default="", metavar="FILE", help="How names, heads, matrices and decimals are written, in TOML."
)


def notation_of(file: str) -> Any:
    """The notation in a file; the usual one where none is named."""
    from symtransformer.chosen_notation import USUAL
    from symtransformer.cli.own_numbers import read_text
    from symtransformer.reading.notation_file import read_notation

    return read_notation(read_text(file), "standard input" if file == "-" else Path(file).name) if file else USUAL


def template_of(file: str) -> Any:
    """The reader's own template, if one is named."""
    if not file:
        return None
    from symtransformer.cli.own_numbers import read_text
    from symtransformer.rendering import OwnTemplate

    return OwnTemplate(read_text(file), "standard input" if file == "-" else Path(file).name)


def page_options(default_format: str) -> Callable[[Any], Any]:
    options = [
        click.option("--format", "formats", default=default_format, show_default=True, metavar="LIST",
                     help="tex, txt, md, md-github, md-jupyter, html, typ, pdf, tex-pdf, terminal, separated by commas."),
        click.option("--lang", "languages", default="en", show_default=True, metavar="LIST",
                     help="en, ja, separated by commas."),
        click.option("--detail", default="steps", show_default=True, type=click.Choice(DETAILS),
                     help="Results only; formula, numbers put in, result; the arithmetic of every entry too; "
                          "or the inputs and empty boxes for the answers."),
        click.option("--follow", default="", metavar="[STEP:]row|column:NUMBER",
                     help="The row or column to follow in color, as in Z:row:2; none for none."),
        click.option("--digits", type=int, show_default="4", help="Decimals of rounded numbers."),
        click.option("--significant", type=int, metavar="N", help="Significant digits instead of decimals."),
        click.option("--round-steps", type=int, metavar="D",
                     help="Round every line to D decimals before the next one uses it, as with a pocket calculator."),
        click.option("--zeros", default="keep", show_default=True, type=click.Choice(["keep", "trim"]),
                     help="Trailing zeros of rounded numbers."),
        click.option("--rounding", default="half-up", show_default=True, type=click.Choice(["half-up", "half-even"]),
                     help="Where a half goes; half-up means away from zero."),
        click.option("--only", default="", metavar="STEP,...", help="These steps alone."),
        NOTATION,
        click.option("--template", default="", metavar="FILE", help="A template of your own, for tex and other text; for Japanese by LuaLaTeX it holds \\VAR{fonts}. An example is in the README."),
        click.option("--row", type=int, metavar="NUMBER", help="This row of every step alone, counted from 1."),
    ]  # fmt: skip

    def add(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return add


class Pages:
    """Pages of derivations under the options of one command."""

    def __init__(self, command: str, options: dict[str, Any]) -> None:
        from symtransformer.rendering import Style, checked_format, checked_language

        self.formats = listed(options["formats"], checked_format)
        self.languages = listed(options["languages"], checked_language)
        self.style = Style(
            options["digits"], options["zeros"], options["rounding"],
            significant=options["significant"], round_steps=options["round_steps"],
        )  # fmt: skip
        self.notation = notation_of(options["notation"])
        self.template = template_of(options["template"])
        self.detail, self.follow = options["detail"], options["follow"]
        self.only = tuple(name.strip() for name in options["only"].split(",") if name.strip())
        if options["row"] is not None and options["row"] < 1:
            raise UnreadableInput(f"--row: rows are counted from 1, got {options['row']}")
        self.row = None if options["row"] is None else options["row"] - 1
        self.command = f"symtransformer {command}"
        # what the page is made with, as it would be typed; format and language differ from page to page
        changed = {key: options[key] for key, usual in USUAL.items() if options[key] not in (usual, None)}
        changed |= {key: Path(options[key]).name for key in ("notation", "template") if options[key]}
        self.changed = "".join(f" --{key.replace('_', '-')} {value}" for key, value in changed.items())

    @property
    def keeps_color(self) -> bool | None:
        """Color that was asked for is kept in a pipe."""
        return True if "terminal" in self.formats else None

    def require_text(self, instead: str) -> None:
        """What is no text is not printed."""
        from symtransformer.rendering import FORMATS

        for form in self.formats:
            if FORMATS[form].finish:
                raise UnreadableInput(f"--format {form}: this is a file and no text for a terminal; {instead}")

    def shown(self, name: str, verified: Verified) -> str:
        """The pages, one behind the other; `name` is a derivation's, or a file's without its folder."""
        from symtransformer.rendering import render

        return "\n".join(
            render(verified, for_terminal(form), language, **self._options(name, verified, form, language))
            for language in self.languages
            for form in self.formats
        )

    def files(self, name: str, verified: Verified, out: str, stem: str) -> Iterator[tuple[Path, bytes]]:
        """What stands in OUT/LANG/STEM.EXTENSION for each language and format."""
        from symtransformer.rendering import FORMATS, render_file

        for language in self.languages:
            for form in self.formats:
                content = render_file(verified, form, language, **self._options(name, verified, form, language))
                yield Path(out) / language / f"{stem}.{FORMATS[form].extension}", content

    def glossaries(self, out: str) -> Iterator[tuple[Path, bytes]]:
        """The glossary in each language, as it is read on a code host."""
        from symtransformer.rendering import FORMATS, render_glossary

        for language in self.languages:
            yield (
                Path(out) / language / f"glossary.{FORMATS['md-github'].extension}",
                render_glossary("md-github", language),
            )

    def _options(self, name: str, verified: Verified, form: str, language: str) -> dict[str, Any]:
        command = f"{self.command} {name} --format {form} --lang {language}{self.changed}"
        follow = read_follow(self.follow, verified.derivation)
        return {
            "detail": self.detail, "style": self.style, "follow": follow, "only": self.only, "row": self.row,
            "command": command, "notation": self.notation, "template": self.template, "name": Path(name).stem,
        }  # fmt: skip


def for_terminal(form: str) -> str:
    """The text of a page has color on a terminal that shows it."""
    return "terminal" if form == "txt" and shows_color() else form


def read_follow(text: str, derivation: Any) -> Any:
    """What --follow means for a derivation; None keeps the derivation's own."""
    from dataclasses import replace

    from symtransformer.derivation import Follow

    if not text:
        return None
    if text == "none":
        return False
    found = re.fullmatch(r"(?:((?:[a-z][a-z0-9]*\.)?[A-Za-z][A-Za-z0-9_]*):)?(row|column):([1-9][0-9]{0,3})", text)
    if found is None:
        raise UnreadableInput(f"--follow: expected [STEP:]row:NUMBER, [STEP:]column:NUMBER or none, got {quoted(text)}")
    step, axis, number = found.groups()
    own = derivation.follow
    name = step or (own.step if own is not None else derivation.steps[-1].name)
    derivation[name]  # raises with the names that exist
    chosen = Follow(name, axis, int(number) - 1)
    return replace(chosen)


def listed(text: str, check: Callable[[str], str]) -> list[str]:
    items = [item.strip() for item in text.split(",") if item.strip()]
    if not items:
        raise UnreadableInput(f"expected a list separated by commas, got {quoted(text)}")
    return list(dict.fromkeys(check(item) for item in items))


def with_file_options(context: click.Context, options: dict[str, Any], given: Any) -> dict[str, Any]:
    """Options of a values file, where the command line does not say otherwise; `given` is the file as read."""
    typed = {name for name in options if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE}
    chosen = dict(options)
    parameters = {parameter.name: parameter for parameter in context.command.params}
    for key, text in given.options.items():
        name = {"format": "formats", "lang": "languages"}.get(key, key)
        if name in typed or (name in LENGTHS and typed & set(LENGTHS)):
            continue
        try:
            chosen[name] = parameters[name].type_cast_value(context, text)
        except click.BadParameter as error:
            raise given.error(("options", key), f"{key}: {error.message}") from None
    if given.language and "languages" not in typed and "lang" not in given.options:
        chosen["languages"] = given.language
    return chosen
