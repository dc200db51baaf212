"""Checking what somebody worked out: the verdict on a claimed number."""

from __future__ import annotations

from symtransformer.checking.claimed_values import NumberVerdict, judge_number
from symtransformer.checking.number_words import KINDS, Note
from symtransformer.checking.values import UNDEFINED, Undecided, Value, entry, number
from symtransformer.reading.claimed_numbers import ClaimedNumber, read_number

__all__ = [
    "KINDS", "UNDEFINED", "ClaimedNumber", "Note", "NumberVerdict", "Undecided", "Value", "entry", "judge_number",
    "number", "read_number",
]  # fmt: skip
