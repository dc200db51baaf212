"""The command that checks a claimed formula: `verify`."""

from __future__ import annotations

import json
from typing import Any

import click

from symtransformer.cli.loading import load_numpy_when_used
from symtransformer.cli.messages import VERDICTS, quoted
from symtransformer.cli.own_numbers import read_text
from symtransformer.errors import UnreadableInput

WORDS = {
    "en": {
        **VERDICTS["en"], "shapes": "", "claim": "claim", "derived": "derived", "steps": "where", "entry": "entry", "where": "for",
        "by_claim": "by the claim", "by_derived": "by the derived formula", "colon": ": ",
        "open": "The claim is neither proved nor refuted.",
    },
    "ja": {
        **VERDICTS["ja"], "shapes": "", "claim": "主張", "derived": "導出", "steps": "ここで", "entry": "成分", "where": "条件",
        "by_claim": "主張による値", "by_derived": "導出した式による値", "colon": "：",
        "open": "この主張は、証明も反証もできていません。",
    },
}  # fmt: skip


@click.command("verify")
@click.argument("claim")
@click.option(
    "--for", "expression", default="", metavar="EXPRESSION", help="What the claim is about; - reads standard input."
)
@click.option("--file", default="", metavar="FILE", help="Lines `name = expression` instead; - reads standard input.")
@click.option("--name", "names", multiple=True, metavar="G=dZ", help="What a name of the claim stands for; repeatable.")
@click.option("--distributions", default="", metavar="Y", help="Letters whose rows are assumed to add up to 1.")
@click.option("--format", "form", default="text", show_default=True, type=click.Choice(["text", "json"]))
@click.option("--lang", "languages", default="en", show_default=True, help="en, ja or en,ja.")
@click.option("--strict", is_flag=True, help="Exit with 1 where the claim is neither proved nor tested.")
@click.pass_context
def verify_command(
    context: click.Context,
    /,
    claim: str,
    expression: str,
    file: str,
    names: tuple[str, ...],
    distributions: str,
    form: str,
    languages: str,
    strict: bool,
) -> None:
    """Check a CLAIM about the gradient, or about a step, of EXPRESSION against the derived formula.

    \b
    symtransformer verify "dK = dS^T Q / sqrt(d_k)" --for "softmax(Q K^T / sqrt(d_k)) V"
    dQ, ∂L/∂Q, dL/dQ, \\bar{Q}, grad_Q   the gradient with respect to Q; S, A, Z and dS, dA, dZ are steps
    A ⊙ (dA - rowsum(A ⊙ dA))           a column beside a matrix is repeated
    ∂L/∂q_i = Σ_j g_ij k_j               q_i is row i, g_ij an entry; sums run over the whole axis
    ∂a_ij/∂s_il = a_ij (δ_jl - a_il)     the derivative of an entry, without a loss
    ... where g_ij = ∂L/∂s_ij            names of your own; or --name G=dS
    rowsum(A) = 1, dQ = 0                a number beside a matrix stands in every entry

    Exit code 0: proved or tested (or undecidable, without --strict); 1: refuted, or the sizes do not
    fit; 2: it could not be read.
    """
    load_numpy_when_used()
    from symtransformer.claims import verify

    chosen = [x.strip() for x in languages.split(",") if x.strip()]
    if not chosen or any(x not in WORDS for x in chosen):
        raise UnreadableInput(f"lang: expected en or ja, separated by commas, got {quoted(languages)}")
    if expression and file:
        raise UnreadableInput("verify: both --for and --file are given; what is the claim about? give one of them")
    if not expression and not file:
        raise UnreadableInput("verify: what is the claim about? give an expression with --for, or a file with --file")
    if claim == "-" in (expression, file):
        raise UnreadableInput("verify: only one of claim and expression can be standard input")
    expression = read_text(file) if file else read_text("-") if expression == "-" else expression
    claim = read_text("-") if claim == "-" else claim
    result = verify(claim, of=expression, names=named(names), distributions=distributions)
    if form == "json":
        click.echo(json.dumps(_as_json(result), ensure_ascii=False, indent=2))
    else:
        click.echo("\n\n".join("\n".join(as_text(result, language)) for language in dict.fromkeys(chosen)))
    if result.kind in ("refuted", "shapes") or (strict and not result.is_accepted):
        context.exit(1)


def named(given: tuple[str, ...]) -> dict[str, str]:
    names: dict[str, str] = {}
    for name, meant in map(_pair, given):
        if names.setdefault(name, meant) != meant:
            raise UnreadableInput(f"name: {quoted(name)} is given twice")
    return names


def _pair(text: str) -> tuple[str, str]:
    name, equals, meant = text.partition("=")
    if not (equals and name.strip() and meant.strip()):
        raise UnreadableInput(f"name: expected NAME=MEANING, as in G=dZ, got {quoted(text)}")
    return name.strip(), meant.strip()


def as_text(claim: Any, language: str) -> list[str]:
    colon = WORDS[language]["colon"]
    rows = [f"  {key}{colon if key else ''}{value}" for key, value in rows_of(claim, language)]
    first, *notes = [head_of(claim, language), *notes_of(claim, language)]
    is_open = claim.kind == "undecidable"
    notes = [note if is_open and k == len(notes) else f"  {note}" for k, note in enumerate(notes, start=1)]
    return [first, *rows, *notes]


def head_of(claim: Any, language: str) -> str:
    """The verdict and its reason."""
    words = WORDS[language]
    scope = f", {claim.scope.in_language(language)}" if language == "en" else f"（{claim.scope.in_language(language)}）"
    head = words[claim.kind] + (scope if claim.kind == "proved" else "")
    reason = claim.verdict.words.in_language(language)
    return head if claim.counterexample else f"{head}{words['colon']}{reason}" if head else reason


def rows_of(claim: Any, language: str) -> list[tuple[str, str]]:
    """The formulas, and the numbers that refute one, under their labels."""
    words, example = WORDS[language], claim.counterexample
    rows = [(words["claim"], claim.claimed), (words["derived"], claim.derived)]
    rows += [(words["steps"], step) for step in claim.steps]
    if example is not None:
        rows += [
            (words["where"], ", ".join(f"{n} = {k}" for n, k in (*example.sizes, *example.numbers))),
            *(
                (name, "[" + ", ".join("[" + ", ".join(row) + "]" for row in matrix) + "]")
                for name, matrix in example.matrices
            ),
            (words["entry"], example.entry),
            (words["by_derived"], example.derived),
            (words["by_claim"], example.claimed),
        ]
    return [(key, value) for key, value in rows if value]


def notes_of(claim: Any, language: str) -> list[str]:
    """What is to be known beside the verdict."""
    notes = [note.in_language(language) for note in claim.notes]
    return [*notes, *([WORDS[language]["open"]] if claim.kind == "undecidable" else [])]


def _as_json(claim: Any) -> dict[str, Any]:
    example = claim.counterexample
    return {
        "version": 1,
        "verdict": claim.kind,
        "reason": {"en": claim.verdict.reason, "ja": claim.verdict.words.in_language("ja")},
        "claim": claim.claimed,
        "derived": claim.derived,
        "steps": list(claim.steps),
        "scope": {language: claim.scope.in_language(language) for language in ("en", "ja")},
        "notes": [{language: note.in_language(language) for language in ("en", "ja")} for note in claim.notes],
        "counterexample": None
        if example is None
        else {
            "sizes": dict(example.sizes),
            "numbers": dict(example.numbers),
            "matrices": {name: [list(row) for row in matrix] for name, matrix in example.matrices},
            "entry": example.entry,
            "derived": example.derived,
            "claimed": example.claimed,
        },
    }
