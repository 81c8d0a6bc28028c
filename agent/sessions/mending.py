"""Saved conversations that are damaged: what can be read of one takes its place, the file itself is kept."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from ...hardware_db.errors import EdgewrightError
from ...tools.core.mending import Damage, copy_aside, left_over, set_aside, unusable
from .database import NoLogError, check_log, read_log, write_log
from .former import convert_former
from .lock import SessionInUseError, SessionLock
from .transcript import LOCK_SUFFIX, SUFFIX

_BESIDE = ("-wal", "-shm")


def mend(path: Path) -> Path:
    """Put what can be read of a damaged log in its place, and return where a copy of the file lies.

    The copy comes with what was written ahead, so that the two can be opened together.

    Raises:
        NoLogError: nothing of it can be read.
        OSError: there is no room for the copy.
    """
    entries = read_log(path).entries
    aside = copy_aside(path)
    ahead = path.with_name(f"{path.name}-wal")
    if ahead.exists():
        shutil.copy2(ahead, aside.with_name(f"{aside.name}-wal"))
    write_log(path, entries)
    return aside


def damaged_sessions(folder: Path) -> Iterator[Damage]:
    """Of logs that nobody has open."""
    convert_former(folder)
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        lock_file = path.with_suffix(LOCK_SUFFIX)
        with suppress(SessionInUseError, OSError, EdgewrightError):
            lock = SessionLock(lock_file)
            try:
                yield from _damage(path)
            finally:
                lock.release()
    for ahead in sorted(folder.glob(f"*{SUFFIX}-wal")):
        if not ahead.with_name(ahead.name.removesuffix("-wal")).exists():
            yield unusable(ahead, "written ahead of a session that is gone")
    yield from left_over(folder, "*.part")


def _damage(path: Path) -> Iterator[Damage]:
    try:
        log = read_log(path)
    except NoLogError as error:
        yield Damage(path, f"cannot be read: {error}", partial(_set_aside, path))
        return
    wrong = "events are missing" if log.damaged else check_log(path)
    if wrong and not log.newer:
        kept = f"what can be read of it, {len(log.entries):,} events, is kept"
        yield Damage(path, wrong, lambda: f"{kept}; the damaged file lies at {mend(path)}")


def _set_aside(path: Path) -> str:
    aside = set_aside(path)
    for suffix in _BESIDE:
        with suppress(FileNotFoundError):
            path.with_name(f"{path.name}{suffix}").replace(aside.with_name(f"{aside.name}{suffix}"))
    return f"set aside as {aside}"
