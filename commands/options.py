"""Options that many commands share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

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


@dataclass(frozen=True)
class Flags:
    """What stands before the command."""

    hardware_directories: tuple[Path, ...] = ()
    redact_names: bool = False

    def settings(self) -> Settings | None:
        """With what the environment says beside; None where no flag was given.

        Raises:
            UsageError: a directory that does not exist.
        """
        if not self.hardware_directories and not self.redact_names:
            return None
        from ..tools.core.calibrations import read_calibrations
        from ..tools.core.settings import Settings

        found = dict(Settings.from_environment())
        if self.hardware_directories:
            found["hardware_directories"] = self.hardware_directories
            found["calibrations"] = read_calibrations(self.hardware_directories)
        return Settings(**found | {"redact_names": self.redact_names or found["redact_names"]})

    def for_this_process(self, *, redact_names: bool = False) -> None:
        """For conversations, in which a name can come from anywhere, and for programs that serve others."""
        if self.hardware_directories:
            from ..hardware_db.user_files import set_default

            set_default(self.hardware_directories)
        if self.redact_names or redact_names:
            from ..tools.core.settings import set_default_redaction

            set_default_redaction(True)
