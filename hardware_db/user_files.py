"""Directories of the user's own targets and runtimes, which extend the shipped ones and go before them.

boards/my-board.yaml            a target
boards/runtimes/my-kernels.yaml a runtime
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterable
from pathlib import Path

from .configuration import read_configuration
from .errors import UsageError

Directories = tuple[Path, ...]


class _Default:
    """What stands for directories that are not given; None leaves it to the configuration."""

    directories: Directories | None = None


def set_default(directories: Iterable[Path] | None) -> None:
    """What stands for directories that are not given; None takes those of the configuration.

    Raises:
        UsageError: not a directory that can be read.
    """
    _Default.directories = None if directories is None else checked(directories)


def use_directories(directories: Iterable[Path] | None) -> None:
    """Deprecated: give `deployment` and `all_deployments` settings with `hardware_directories`.

    Raises:
        UsageError: not a directory that can be read.
    """
    warnings.warn(
        "use_directories goes with the next release: pass settings=Settings(hardware_directories=…)",
        DeprecationWarning,
        stacklevel=2,
    )
    set_default(directories)


def directories() -> Directories:
    """Where user files are taken from; the first that knows an id has it."""
    return _configured() if _Default.directories is None else _Default.directories


def user_files(kind: str, where: Directories | None = None) -> dict[str, Path]:
    """Id → file of the user's targets or runtimes, in `where` or in the directories in use."""
    return dict(listed(kind, directories() if where is None else where))


def checked(directories: Iterable[Path]) -> Directories:
    """Absolute paths of directories that are there.

    Raises:
        UsageError: one is not.
    """
    return tuple(_checked(path) for path in directories)


@functools.cache
def _configured() -> Directories:
    return checked(read_configuration().hardware_dirs)


@functools.cache
def listed(kind: str, where: Directories) -> tuple[tuple[str, Path], ...]:
    found: dict[str, Path] = {}
    for directory in where:
        folder = directory / "runtimes" if kind == "runtime" else directory
        for path in sorted(folder.glob("*.yaml")):
            found.setdefault(path.stem, path)
    return tuple(found.items())


def _checked(path: Path) -> Path:
    if not path.is_dir():
        raise UsageError(
            f"{str(path)!r} is no directory of hardware files.", hint="Name one that holds target YAMLs."
        )
    return path.resolve()
