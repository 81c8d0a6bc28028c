"""Modules that load when something of them is first used."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any


class Later:
    """Stands for a module that most runs need nothing of.

    It is named at the top, beside the imports, and a type checker is shown the import itself:

        if TYPE_CHECKING:
            from ...tools.energy import pack
        else:
            pack = Later("...tools.energy.pack", __package__)
    """

    def __init__(self, name: str, package: str | None = None) -> None:
        self._of = name, package

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(*self._of), name)


class Postponed(ModuleType):
    """Stands in `sys.modules` for what a library loads with itself and a short command needs nothing of.

    The module itself loads with the first attribute that is read of it, or when one of the named functions is
    called: those may be imported by name before.
    """

    def __init__(self, name: str, functions: tuple[str, ...]) -> None:
        super().__init__(name)
        for function in functions:
            setattr(self, function, self._called_later(function))

    def _called_later(self, function: str) -> Any:
        def call(*given: Any, **named: Any) -> Any:
            return getattr(self._itself(), function)(*given, **named)

        return call

    def _itself(self) -> ModuleType:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return importlib.import_module(self.__name__)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._itself(), name)


def postpone(name: str, *functions: str) -> None:
    """Put a `Postponed` for a module, unless that is loaded already."""
    if name not in sys.modules:
        sys.modules[name] = postponed = Postponed(name, functions)
        parent, _, child = name.rpartition(".")
        if parent in sys.modules:
            setattr(sys.modules[parent], child, postponed)
