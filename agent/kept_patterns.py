"""Compiles and keeps what the offline planner reads questions by, before the first one."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from . import planner, references
from .patterns import PATTERNS
from .planner import Planner, answers
from .planner.words import compile_all
from .workspace import Workspace

if __name__ == "__main__":
    for package in (planner, answers, references):
        for module in iter_modules(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    compile_all()
    Planner(Workspace()).ask("Will kws fit on an STM32H743 and what holds it back?")
    PATTERNS.keep()
