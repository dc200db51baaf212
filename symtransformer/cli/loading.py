"""A module that is loaded by its first use, not by the import that names it."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any


class _Later(ModuleType):
    """Stands in for a module until something of it is asked for."""

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        found = getattr(importlib.import_module(self.__name__), name)
        if not name.startswith("__"):
            setattr(self, name, found)
        return found


def load_when_used(name: str) -> None:
    """From here on an import of this module costs nothing, unless it is loaded already."""
    sys.modules.setdefault(name, _Later(name))
