"""Modules that load when something of them is first used."""

from __future__ import annotations

import importlib
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
