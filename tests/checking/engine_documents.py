"""A small document, one relation in a line, and what the engine says of it."""

from symtransformer.checking.checks import check


def equations(*lines, **options):
    """What is said of the relations of a text."""
    return check("\n".join(lines), name="a.txt", **options).equations


def verdicts(*lines, **options):
    return [equation.verdict for equation in equations(*lines, **options)]


def last(*lines, **options):
    return equations(*lines, **options)[-1]


def names(notes):
    return {note.name for note in notes}
