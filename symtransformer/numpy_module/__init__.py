"""A module of NumPy code for an expression and its gradient, which stands alone and checks itself."""

from __future__ import annotations

from symtransformer.numpy_module.module import as_numpy_module

__all__ = ["as_numpy_module"]
