"""NumPy, loaded by its first use and not by the imports that name it: where formulas decide, no array is computed."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Later(ModuleType):
    """Stands in for NumPy until something of it is asked for."""

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get("numpy") is self:
            del sys.modules["numpy"]
        import numpy as np

        found = getattr(np, name)
        if not name.startswith("__"):
            setattr(self, name, found)
        return found


def load_numpy_when_used() -> None:
    """From here on `import numpy` costs nothing, unless NumPy is loaded already."""
    sys.modules.setdefault("numpy", _Later("numpy"))
