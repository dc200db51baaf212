"""Slips: what a writer probably did where a number is not right. Each is a record, and a new one is one more record."""

from __future__ import annotations

from symtransformer.checking.slips.arithmetic import rounded_between, swapped_digits
from symtransformer.checking.slips.catalog import SLIPS
from symtransformer.checking.slips.diagnosis import Budget, diagnose, diagnose_pairs
from symtransformer.checking.slips.records import Slip
from symtransformer.checking.slips.shown import Shown
from symtransformer.checking.slips.telling import TellingEntry, telling_entry

__all__ = [
    "SLIPS", "Budget", "Shown", "Slip", "TellingEntry", "diagnose", "diagnose_pairs", "rounded_between",
    "swapped_digits", "telling_entry",
]  # fmt: skip
