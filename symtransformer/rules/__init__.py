"""Rewriting rules: named identities by which an expression may become another."""

from __future__ import annotations

from symtransformer.rules.algebra import RULES, Rule
from symtransformer.rules.readable import Named, readable

__all__ = ["RULES", "Named", "Rule", "readable"]
