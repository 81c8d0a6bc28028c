"""What has been evaluated so far, one whole file a unit, so that a sweep can stop at any moment.

A part appears under its name only when it is complete and carries its own hash; whatever else lies there
counts as not evaluated.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ...hardware_db.errors import UsageError
from ..core.files import save_whole
from ..core.mending import ASIDE, Damage, left_over, unusable
from ..core.platform import alone
from .evaluate import Part
from .job import Job

FOLDER = "journal"
_LOCK = "lock"
IDENTITY = "sweep.json"
REPORT = "summary.json"
RESULTS = ("results.csv", "results.parquet", "pareto.csv", "precision_tradeoffs.csv", "tree.txt", REPORT)


class Journal:
    def __init__(self, output: Path) -> None:
        self.output = output
        self.folder = output / FOLDER
        self._held = contextlib.ExitStack()

    def begin(self, job: Job, *, resume: bool, force: bool) -> None:
        """Make the output folder ready, and keep other processes out of it until `release`.

        Raises:
            UsageError: there is something already and neither `resume` nor `force` was asked for; nothing
                to resume; another process sweeps into it; or what is there is of another plan, with what
                differs.
        """
        identity = self.output / IDENTITY
        if resume:
            if not identity.is_file():
                raise UsageError(
                    f"There is no sweep to resume in {str(self.output)!r}.", hint="Drop --resume."
                )
            self.refuse_other(job)
            self._begin()
            return
        if self.output.exists() and (not self.output.is_dir() or any(self.output.iterdir())) and not force:
            raise self._occupied()
        if self.output.exists() and not self.output.is_dir():
            raise UsageError(f"{str(self.output)!r} is a file.", hint="Give the name of a folder: -o DIR.")
        try:
            if self.folder.is_dir():
                self._take()
            self._clear()
        except OSError as error:
            raise self._not_ready(error) from error
        self._begin()
        save_whole(json.dumps(job.identity, indent=1, sort_keys=True), identity, force=True)

    def _begin(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._take()
        except OSError as error:
            raise self._not_ready(error) from error

    def _not_ready(self, error: OSError) -> UsageError:
        return UsageError(
            f"The folder {str(self.output)!r} cannot be made ready: {error.strerror}.",
            hint="Choose another with -o.",
        )

    def refuse_other(self, job: Job) -> None:
        """Raises UsageError where what lies here is of another plan, with what differs."""
        identity = self.output / IDENTITY
        if identity.is_file():
            _refuse_other(identity, job)

    def save(self, unit: int, data: bytes) -> None:
        """Raises EdgewrightError where the disk is full."""
        save_whole(data, self._path(unit), force=True)

    def load(self, unit: int) -> Part | None:
        """None where the unit was not evaluated, or its file is damaged."""
        try:
            return Part.from_bytes(self._path(unit).read_bytes())
        except (OSError, ValueError, KeyError):
            return None

    def parts(self, count: int) -> Iterator[Part]:
        """Every part in order; all must be there."""
        for unit in range(count):
            part = self.load(unit)
            if part is None:
                raise UsageError(f"Part {unit} of the journal was damaged.", hint="Run again with --resume.")
            yield part

    def remove(self) -> None:
        """After the results are written; with what a kill left of files that were being written."""
        torn = (path for name in RESULTS for path in self.output.glob(f".{name}.*.part"))
        for path in (*torn, *self.folder.glob("*.part"), *self.folder.glob(f"*.part.{ASIDE}*")):
            path.unlink()
        self.release()
        (self.folder / _LOCK).unlink(missing_ok=True)
        if self.folder.is_dir() and not any(self.folder.iterdir()):
            self.folder.rmdir()

    @property
    def finished(self) -> bool:
        return (self.output / REPORT).is_file()

    def _path(self, unit: int) -> Path:
        return self.folder / f"{unit:06}.part"

    def _take(self) -> None:
        """
        Raises:
            UsageError: another process sweeps into this folder.
        """
        self.release()
        try:
            self._held.enter_context(alone(self.folder / _LOCK))
        except BlockingIOError:
            raise UsageError(
                f"Another process sweeps into {str(self.output)!r}.",
                hint="Wait for it, or choose another folder with -o.",
            ) from None

    def release(self) -> None:
        """Let other processes sweep into the folder."""
        self._held.close()

    def _occupied(self) -> UsageError:
        if not self.output.is_dir():
            return UsageError(f"{str(self.output)!r} is a file.", hint="Give the name of a folder: -o DIR.")
        if (self.output / IDENTITY).is_file() and not self.finished:
            return UsageError(
                f"{str(self.output)!r} holds a sweep that was not finished.",
                hint="Go on with --resume, or start anew with --force.",
            )
        return UsageError(
            f"{str(self.output)!r} exists already and is not empty.",
            hint="Choose another folder with -o, or overwrite results in it with --force.",
        )

    def _clear(self) -> None:
        """Only what a sweep has written; the report first, which says that the rest is complete."""
        if self.output.is_dir():
            for name in (REPORT, IDENTITY, *RESULTS):
                (self.output / name).unlink(missing_ok=True)
            self.remove()


def damaged_sweep(output: Path) -> Iterator[Damage]:
    """Parts and papers of a sweep that cannot be read: with --resume what they held is evaluated again.

    Raises:
        UsageError: the folder holds no sweep, or another process sweeps into it.
    """
    journal = Journal(output)
    if not (output / IDENTITY).is_file() and not journal.finished and not journal.folder.is_dir():
        raise UsageError(f"There is no sweep in {str(output)!r}.", hint="Name the folder that -o named.")
    if journal.folder.is_dir():
        journal._take()
    try:
        for name in (IDENTITY, REPORT):
            if (output / name).is_file() and not _is_json(output / name):
                yield unusable(output / name, "cannot be read")
        for file in sorted(journal.folder.glob("[0-9]*.part")):
            if journal.load(int(file.stem)) is None:
                yield unusable(file, "evaluations that cannot be read")
        for folder in (output, journal.folder):
            yield from left_over(folder, ".*.part")
    finally:
        journal.release()
        (journal.folder / _LOCK).unlink(missing_ok=True)


def _is_json(file: Path) -> bool:
    try:
        return isinstance(json.loads(file.read_bytes()), dict)
    except (OSError, ValueError, RecursionError):
        return False


def _refuse_other(identity: Path, job: Job) -> None:
    try:
        before = json.loads(identity.read_text())
    except (OSError, ValueError):
        before = {}
    now = json.loads(json.dumps(job.identity))
    changes = list(_differences(before, now, ""))
    if changes:
        raise UsageError(
            f"The sweep in {str(identity.parent)!r} is another: {'; '.join(changes[:5])}.",
            hint="Restore the plan to resume it, start anew with --force, or choose another folder with -o.",
        )


def _differences(before: Any, now: Any, at: str) -> Iterator[str]:
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for key in sorted({*before, *now}):
            yield from _differences(before.get(key), now.get(key), f"{at} {key}".strip())
    elif isinstance(before, list) and isinstance(now, list) and before != now:
        gone = [f"without {_short(item)}" for item in before if item not in now]
        new = [f"with {_short(item)}" for item in now if item not in before]
        yield f"{at} is now {', '.join([*new, *gone]) or 'in another order'}"
    elif before != now:
        yield f"{at} was {_short(before)}, is {_short(now)}"


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}…"
