"""LayerNorm(2x) = LayerNorm(x) holds with ε = 0, and nearly with the ε that programs add: a document that says none means none."""

from __future__ import annotations

from dataclasses import replace

from symtransformer.checking.formula_calls import EPS, operation_of
from symtransformer.checking.formula_document import Document
from symtransformer.checking.formula_syntax import Call, Number, Part, changed, every_part, names_in
from symtransformer.checking.number_words import Note
from symtransformer.notation import Words

EPS_0 = Note(
    "eps_0",
    Words(
        "Right with ε = 0, and nearly with the small ε that programs add below the root; the document gives no ε.",
        "ε = 0 なら正しく、プログラムが根号の中で足す小さな ε でもほぼ成り立つ。文書に ε は書かれていない。",
    ),
)


def with_eps_0(document: Document, *sides: Part) -> tuple[Document, list[Part]] | None:
    """The document and the sides with ε = 0; None where none of its functions has one, or the document says what it is."""
    names = {n for side in sides for n in names_in(side)}
    behind = [d.right for d in document.behind(names) if d.right is not None]
    calls = [p for part in (*sides, *behind) for p in every_part(part) if isinstance(p, Call) and _has_eps(p)]
    own = [f.right for c in calls if (f := document.functions.get(c.function)) is not None and f.right is not None]
    is_said = {*EPS} & {*document.letters, *document.known, *names} or any(map(_may_hold_eps, own))
    if not calls or is_said:
        return None
    other = document.copy()
    other.definitions = {
        name: replace(d, right=_at_0(d.right)) if d.right is not None else d for name, d in document.definitions.items()
    }
    return other, [_at_0(side) for side in sides]


def _has_eps(call: Call) -> bool:
    operation = operation_of(call)
    return operation is not None and "eps" in {p.name for p in operation.parameters} - {word for word, _ in call.words}


def _may_hold_eps(formula: Part) -> bool:
    """Whether it has a letter for ε, or a number that may be one, as 10^{-5}."""
    numbers = {p.text for p in every_part(formula) if isinstance(p, Number)}
    return bool({*EPS} & {*names_in(formula)} or numbers - {"0", "1", "2", "0.5"})


def _at_0(part: Part) -> Part:
    inner = changed(part, _at_0)
    is_norm = isinstance(inner, Call) and _has_eps(inner)
    return replace(inner, words=(*inner.words, ("eps", Number("0")))) if is_norm else inner  # type: ignore[no-any-return]
