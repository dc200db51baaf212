"""What a formula may be at most; checked on the text, before anything is built from it."""

from __future__ import annotations

FORMULA_CHARACTERS = 4_000
TOKENS = 1_000
DEPTH = 40  # brackets inside brackets
DIGITS = 40  # of one number
EXPONENT = 400  # of a power of ten in a number
POWER = 64  # of a whole exponent
ROOT = 8  # of a number: square roots of square roots of square roots
ROOT_BITS = 2_000  # of a number below a root; its prime factors are looked for
NUMBER_BITS = 20_000  # of a number that powers make
NUMBER_NODES = 4_000  # of the tree of a number: x = √x + √(x + 1), thirty times
DOCUMENT_BYTES = 2_000_000
TABLES_DEPTH = 200  # brackets inside brackets of a values file; Python's readers differ in what they take
LABEL_CHARACTERS = 120
POWERS_OF_E = 24  # inside each other
