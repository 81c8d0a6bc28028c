"""The one door to what only some operating systems have; each function has a fallback for the others."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path


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


@contextlib.contextmanager
def alone(file: Path) -> Iterator[None]:
    """While this lasts no other process gets in with the same file; file systems without locks go without.

    Raises:
        BlockingIOError: another is in.
    """
    with file.open("ab") as lock:
        try:
            lock_exclusively(lock.fileno())
        except BlockingIOError:
            raise
        except OSError:
            pass
        yield


def end_group(process: subprocess.Popen[bytes]) -> None:
    """End a process that was started in a session of its own, with all that it started itself."""
    if sys.platform == "win32" or not hasattr(os, "killpg"):
        if process.poll() is None:
            process.kill()
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
