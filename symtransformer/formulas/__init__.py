"""Entry formulas in a normal form: equal forms are equal formulas, for all sizes."""

from __future__ import annotations

from symtransformer.formulas.same_formula import have_same_formula

__all__ = ["have_same_formula"]
