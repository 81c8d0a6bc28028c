"""Directories of the user's own targets and runtimes, which extend the shipped ones and go before them.

boards/my-board.yaml            a target
boards/runtimes/my-kernels.yaml a runtime
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from pathlib import Path

from .configuration import read_configuration
from .errors import UsageError


class _Choice:
    """What `use_directories` was told; None leaves it to the configuration."""

    directories: tuple[Path, ...] | None = None


def use_directories(directories: Iterable[Path] | None) -> None:
    """Take user files from these directories from now on; None takes those of the configuration again.

    Raises:
        UsageError: not a directory that can be read.
    """
    _Choice.directories = None if directories is None else tuple(_checked(path) for path in directories)


def directories() -> tuple[Path, ...]:
    """Where user files are taken from; the first that knows an id has it."""
    return _configured() if _Choice.directories is None else _Choice.directories


def user_files(kind: str, where: tuple[Path, ...] | None = None) -> dict[str, Path]:
    """Id → file of the user's targets or runtimes, in `where` or in the directories in use."""
    return dict(_files(kind, directories() if where is None else where))


@functools.cache
def _configured() -> tuple[Path, ...]:
    return tuple(_checked(path) for path in read_configuration().hardware_dirs)


@functools.cache
def _files(kind: str, where: tuple[Path, ...]) -> tuple[tuple[str, Path], ...]:
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
