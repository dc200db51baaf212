"""What a document may be at most; checked before the work that it would cause."""

from __future__ import annotations

DOCUMENT_BYTES = 2_000_000
NOTEBOOK_BYTES = 8_000_000
CLAIMS = 20_000  # relation signs of a document
FORMULA_CHARACTERS = 4_000
DISPLAY_CHARACTERS = 16 * FORMULA_CHARACTERS  # of all rows of a display; each is a formula
TREE_DEPTH = 100  # JSON inside JSON, MathML inside MathML
JOINED_LINES = 64  # that one bracket may stay open for in plain text
EXPANSIONS = 500  # of macros in one formula
ALL_EXPANSIONS = 20_000  # of macros in one document
MACROS = 1_000
MACRO_CHARACTERS = 1_000
INPUT_FILES = 50
INPUT_DEPTH = 8
LINES = 200_000
LINE_CHARACTERS = 20_000  # of prose
SIGNS = 100_000  # that relate, in code and prose as well; tags, strings or numbers of the file; openings of formulas
DEPTH = 40  # brackets inside each other in one formula
