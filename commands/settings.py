"""What the flags before a command set, for its call."""

from __future__ import annotations

from pathlib import Path

from ..hardware_db.index import user_problems
from ..hardware_db.user_files import checked
from ..tools.core.calibrations import read_calibrations
from ..tools.core.settings import Settings


def settings_of(directories: tuple[Path, ...], *, redact_names: bool) -> Settings:
    """With what the environment says beside.

    Raises:
        UsageError: a directory that does not exist.
    """
    found = dict(Settings.from_environment())
    if directories:
        found["hardware_directories"] = directories
        found["calibrations"] = read_calibrations(directories)
    return Settings(**found | {"redact_names": redact_names or found["redact_names"]})


def left_out(directories: tuple[Path, ...]) -> tuple[str, ...]:
    """What is wrong with files in the directories. Raises UsageError."""
    return tuple(str(problem) for problem in user_problems(checked(directories)))
