"""The root of every error a user can cause.

It stands at the bottom of the house so that each layer above can raise it:

    EdgewrightError
    ├── UsageError            a wrong argument                          exit 2
    │   ├── LimitsError       limits or budget that cannot be read
    │   └── UnknownFigureError  a number asked of a figure that is unknown
    ├── InputError            the thing that was named is no good       exit 3
    │   ├── ModelFileError    unreadable, damaged or hostile model file
    │   ├── UnknownNameError  no such target, runtime or architecture
    │   └── HardwareFileError a target or runtime file breaks the schema
    └── EndpointError         the LLM endpoint (raised in agent/)       exit 4
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

YamlPath: TypeAlias = tuple[str | int, ...]
"""Where in a hardware file: keys and positions, from the top."""


class EdgewrightError(Exception):
    """An error that the user can mend: one clear line and the next step, never a traceback."""

    exit_code = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class UsageError(EdgewrightError):
    """A wrong argument."""

    exit_code = 2


class LimitsError(UsageError):
    """A limit or a budget file that cannot be read."""


class UnknownFigureError(UsageError, ValueError):
    """A number was asked of a quantity that is unknown."""


class InputError(EdgewrightError):
    """The thing that was named cannot be used."""

    exit_code = 3


class ModelFileError(InputError):
    """A model file that is missing, unreadable, damaged or hostile."""


class HardwareFileError(InputError):
    """A target or runtime file that breaks the schema; says where."""

    def __init__(
        self,
        problem: str,
        *,
        file: Path | str = "",
        line: int | None = None,
        field: str = "",
        hint: str = "",
    ) -> None:
        self.problem = problem
        self.file = str(file)
        self.line = line
        self.field = field
        place = ":".join(str(part) for part in (self.file, line) if part)
        super().__init__(": ".join(part for part in (place, field, problem) if part) + ".", hint=hint)


class UnknownNameError(InputError):
    """A name that nothing goes by; carries the nearest names that exist."""

    def __init__(self, kind: str, name: str, candidates: Sequence[str], *, hint: str = "") -> None:
        self.kind = kind
        self.name = name
        self.candidates = tuple(candidates)
        nearest = f" Nearest: {', '.join(self.candidates)}." if self.candidates else ""
        super().__init__(f"Unknown {kind} {name!r}.{nearest}", hint=hint)


class AmbiguousNameError(UnknownNameError):
    """A name that several things go by; carries them all."""

    def __init__(self, kind: str, name: str, candidates: Sequence[str]) -> None:
        super().__init__(kind, name, candidates)
        members = ", ".join(self.candidates)
        several = len(self.candidates) > 1
        self.message = (
            f"{name!r} could be any of these {kind}s: {members}."
            if several
            else f"{name!r} names a family of {kind}s; known of it: {members}."
        )
        self.hint = "Say which one." if several else "Name it if it is the one."


class EndpointError(EdgewrightError):
    """The LLM endpoint refused, failed or could not be reached."""

    exit_code = 4


def nearest(name: str, known: Iterable[str], count: int = 5) -> list[str]:
    """The known names closest in spelling to `name`, best first."""
    return difflib.get_close_matches(name.casefold(), list(known), n=count, cutoff=0.5)


def install_line(extra: str) -> str:
    """How to install an optional part. The package is on no index yet, so it comes from a clone."""
    return f"pip install '.[{extra}]' in a clone of the repository"
