"""What a user has measured on boards of their own, as it is kept between answers.

One file a target, `calibrations/TARGET.json` beside the user's hardware files, or in the configuration
directory where there are none.
"""

import datetime
import json
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path

from pydantic import ValidationError

from ...hardware_db.configuration import configuration_file
from ...hardware_db.errors import UnknownNameError, UsageError, nearest
from .files import made_folder, whole_file
from .mending import Damage, copy_aside, left_over, unusable
from .quantity import Result

FOLDER = "calibrations"
SCHEMA = 1
"""Later fields of the same number have defaults, so that older files are read as they are."""


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
            data = file.read_bytes()
            read = BoardCalibration.model_validate_json(data)
        except (OSError, ValidationError) as error:
            if isinstance(error, ValidationError) and _newer(data):
                raise UsageError(
                    f"{file} was written by a newer version of edgewright.", hint="Update, or move it away."
                ) from None
            first = str(error).splitlines()[0]
            raise UsageError(
                f"{file} is no calibration: {first}.",
                hint="`edgewright doctor --repair` keeps what can be read of it; "
                f"`edgewright calibrate --remove {file.stem}` removes it.",
            ) from None
        yield read.model_copy(update={"file": str(file)})


def damaged_calibrations(directories: Sequence[Path]) -> Iterator[Damage]:
    """Files that hold no calibration, and what killed processes left of others."""
    folder = calibration_folder(directories)
    if folder is None or not folder.is_dir():
        return
    for file in sorted(folder.glob("*.json")):
        try:
            data = file.read_bytes()
            BoardCalibration.model_validate_json(data)
        except OSError as error:
            yield unusable(file, f"cannot be read: {error.strerror}")
        except ValidationError:
            if not _newer(data):
                yield _damage(file, data)
    yield from left_over(folder, ".*.json.*.part")


def _damage(file: Path, data: bytes) -> Damage:
    """Every measurement in it that is whole is kept."""
    saved = _saved(data)
    if saved is None or not saved.measurements:
        return unusable(file, "no measurement in it can be read")

    def mend() -> str:
        aside = copy_aside(file)
        keep(saved.model_copy(update={"target": file.stem}), file.parent)
        count = len(saved.measurements)
        return f"{count} measurement{'' if count == 1 else 's'} kept; the damaged file lies at {aside}"

    return Damage(file, "part of it cannot be read", mend)


def _saved(data: bytes) -> BoardCalibration | None:
    try:
        document = json.loads(data)
        rows = [row for each in document["measurements"] if (row := _row(each)) is not None]
        known = {name: document[name] for name in BoardCalibration.model_fields if name in document}
        return BoardCalibration.model_validate({**known, "measurements": rows})
    except (ValueError, LookupError, TypeError, RecursionError):  # pydantic's errors are ValueErrors
        return None


def _row(each: object) -> Learned | None:
    try:
        return Learned.model_validate(each)
    except ValidationError:
        return None


def _newer(data: bytes) -> bool:
    """Whether a version that this one does not know wrote it."""
    try:
        return int(str(json.loads(data)["schema_version"]).partition(".")[0]) > SCHEMA
    except (ValueError, LookupError, TypeError, RecursionError):
        return False


def keep(calibration: BoardCalibration, folder: Path) -> Path:
    """Write it under its target's name, in place of an older one once all of it is written.

    Raises:
        UsageError: the folder takes no new files.
        EdgewrightError: the disk is full.
    """
    file = made_folder(folder) / f"{calibration.target}.json"
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
