"""What a user has measured on boards of their own, as it is kept between answers.

One file a target, `calibrations/TARGET.json` beside the user's hardware files, or in the configuration
directory where there are none.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path

from pydantic import ValidationError

from ...hardware_db.configuration import configuration_file
from ...hardware_db.errors import UnknownNameError, UsageError, nearest
from .files import whole_file
from .quantity import Result

FOLDER = "calibrations"


class Standing(StrEnum):
    """What stood behind the estimate that a measurement was compared with."""

    NEW = "new"
    """Nothing was measured on the board with the library."""
    KNOWN = "known"
    """Other networks were."""
    PUBLISHED = "published"
    """This very case was."""


class Learned(Result):
    """One measurement, and what was estimated of it."""

    model: str
    """Name of the model, for people."""
    signature: str
    """Inputs and MACs of its layers, by which it is known again."""
    model_sha256: str
    runtime: str
    release: str = ""
    """Of the runtime, as the user names it."""
    processor: str
    dtype: str
    batch: int = 1
    threads: int = 1
    clock_mhz: float
    latency_ms: float
    """As measured, of one batch."""
    estimated_ms: float
    """What was answered of it before."""
    standing: Standing
    """What stood behind that."""


class BoardCalibration(Result):
    """The measurements of one board."""

    schema_version: str = "1.0"
    target: str
    figures: str
    """Release of the figures that the estimates are from."""
    date: datetime.date
    """When it was made."""
    measurements: tuple[Learned, ...]
    """One row a measurement."""
    file: str = ""
    """Where it is kept."""


def calibration_folder(directories: Sequence[Path]) -> Path | None:
    """Where calibrations are kept; None where there is no place for them."""
    if directories:
        return directories[0] / FOLDER
    file = configuration_file()
    return None if file is None else file.parent / FOLDER


def read_calibrations(directories: Sequence[Path]) -> tuple[BoardCalibration, ...]:
    """All that are kept, by target.

    Raises:
        UsageError: a file that is none.
    """
    folder = calibration_folder(directories)
    return () if folder is None or not folder.is_dir() else tuple(_read(folder))


def kept_in(folder: Path, target: str) -> BoardCalibration | None:
    """What is kept of a target there.

    Raises:
        UsageError: a file that is no calibration.
    """
    return next((each for each in _read(folder) if each.target == target), None)


def _read(folder: Path) -> Iterator[BoardCalibration]:
    for file in sorted(folder.glob("*.json")):
        try:
            read = BoardCalibration.model_validate_json(file.read_bytes())
        except (OSError, ValidationError) as error:
            first = str(error).splitlines()[0]
            raise UsageError(
                f"{file} is no calibration: {first}.",
                hint=f"`edgewright calibrate --remove {file.stem}` removes it; then calibrate anew.",
            ) from None
        yield read.model_copy(update={"file": str(file)})


def keep(calibration: BoardCalibration, folder: Path) -> Path:
    """Write it under its target's name, in place of an older one once all of it is written.

    Raises:
        UsageError: the folder takes no new files.
        EdgewrightError: the disk is full.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{str(folder)!r} cannot be made: {error.strerror}.") from error
    file = folder / f"{calibration.target}.json"
    with whole_file(file, state="The old calibration is kept.") as out:
        out.write(calibration.model_copy(update={"file": ""}).model_dump_json(indent=1).encode() + b"\n")
    return file


def forget(target: str, directories: Sequence[Path]) -> Path:
    """Remove a target's calibration, readable or not, and return the file that is gone.

    Raises:
        UnknownNameError: there is none of it.
    """
    folder = calibration_folder(directories)
    kept = {} if folder is None else {file.stem: file for file in sorted(folder.glob("*.json"))}
    if target not in kept:
        raise UnknownNameError("calibration", target, nearest(target, kept) or sorted(kept))
    kept[target].unlink()
    return kept[target]
