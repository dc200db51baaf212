"""The mathematics of the Transformer as SymPy expression trees: derived, computed, checked, typeset.

Names are loaded when first used, so that `import symtransformer` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_HOME = {
    "dimension": "symbols",
    "parameter": "symbols",
    "matrix": "symbols",
    "head_index": "symbols",
    "Words": "notation",
    "derive": "unfolding",
    "differentiate": "gradients",
    "Derivation": "derivation",
    "Section": "sections",
    "Sweep": "sections",
    "Column": "sections",
    "Comparison": "sections",
    "Counts": "sections",
    "Fact": "sections",
    "Follow": "derivation",
    "Step": "derivation",
    "with_values": "derivation",
    "evaluate": "evaluation",
    "check": "checking.checks",
    "verify": "claims",
    "Verdict": "judge",
    "read_expression": "reading",
    "render": "rendering",
    "Style": "rendering",
}

__all__ = ["__version__", *sorted(_HOME)]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext symtransformer`: the magic `%%check`."""
    importlib.import_module(f"{__name__}.jupyter").load_ipython_extension(shell)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
