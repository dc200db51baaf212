"""The operations: one file each (adjoint pairs share one), found and registered here."""

from __future__ import annotations

import importlib
import pkgutil

from symtransformer.operation import REGISTRY

for _module in sorted(m.name for m in pkgutil.iter_modules(__path__)):
    importlib.import_module(f"{__name__}.{_module}")

globals().update(REGISTRY)
__all__ = sorted(REGISTRY)
