"""The one door to what only some operating systems have; each function has a fallback for the others."""

from __future__ import annotations

import sys


def lock_exclusively(descriptor: int) -> None:
    """Take an open file for this process alone, until it is closed; systems without locks go without.

    Raises:
        BlockingIOError: another process has it.
        OSError: its file system knows no locks.
    """
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError as taken:
            raise BlockingIOError(str(taken)) from taken
        return
    try:
        import fcntl
    except ImportError:
        return
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
