"""Options that many commands share."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated

import typer

from ..tools.core.records import dataclass
from .completing import completer

if TYPE_CHECKING:
    from ..tools.core.settings import Settings

Runtime = Annotated[
    str | None,
    typer.Option(
        "--runtime", "-r", help="Kernel library; else the usual one.", autocompletion=completer("runtimes")
    ),
]
RedactNames = Annotated[
    bool, typer.Option("--redact-names", help="Show t0, op0 … for every name out of a model file.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]

Csv = Annotated[
    Path | None,
    typer.Option("--csv", help="Also write the tables as CSV: into a new FILE.csv, or a folder for several."),
]
CsvFile = Annotated[Path | None, typer.Option("--csv", help="Also write the table as CSV, a new file.")]
Picture = Annotated[
    Path | None,
    typer.Option("--picture", help="Also draw it: FILE.png, .svg, .html, .folded, or a folder for all."),
]


@dataclass(frozen=True)
class Flags:
    """What stands before the command."""

    hardware_directories: tuple[Path, ...] = ()
    redact_names: bool = False

    def in_full(self) -> Flags:
        """The same wherever the process works."""
        return Flags(tuple(path.resolve() for path in self.hardware_directories), self.redact_names)

    def settings(self, *, redact_names: bool = False) -> Settings | None:
        """With what the environment says beside; None where no flag was given, here or after the command.

        Raises:
            UsageError: a directory that does not exist.
        """
        redact_names = self.redact_names or redact_names
        if not self.hardware_directories and not redact_names:
            return None
        made: Settings = _door().settings_of(self.hardware_directories, redact_names=redact_names)
        return made

    def left_out(self) -> tuple[str, ...]:
        """What is wrong with files in the directories. Raises UsageError."""
        if not self.hardware_directories:
            return ()
        problems: tuple[str, ...] = _door().left_out(self.hardware_directories)
        return problems


def _door() -> ModuleType:
    from . import settings

    return settings
