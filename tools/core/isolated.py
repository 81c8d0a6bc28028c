"""Libraries that open hostile files, each in a process of its own with limits of time and memory."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from .launch import OWN
from .platform import end_group
from .sanitize import clean_text

_PASSED_ON = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "SYSTEMROOT")
"""Of the environment; keys and tokens stay here."""
_QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3", "TQDM_DISABLE": "1", "PYTHONWARNINGS": "ignore"}
_LAUNCH = Path(__file__).with_name("launch.py")
_MADE_BY = re.compile(rf"{OWN}[a-z]+-(\d+)-")


class FailedError(Exception):
    """A worker gave no result; its text says why and is fit for a sentence."""


class CrashedError(FailedError):
    """It was ended by a signal, such as for touching memory that is not its own."""


class LateError(FailedError):
    """It took too long."""


@contextlib.contextmanager
def worker_folder(kind: str) -> Iterator[str]:
    """A temporary folder for a worker; what processes that were killed left of theirs goes first."""
    _remove_left()
    with tempfile.TemporaryDirectory(prefix=f"{OWN}{kind}-{os.getpid()}-") as folder:
        yield folder


def _remove_left() -> None:
    if os.name != "posix":
        return
    with contextlib.suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            made_by = _MADE_BY.match(entry.name)
            if made_by and not _is_alive(int(made_by[1])) and entry.stat().st_uid == os.getuid():
                shutil.rmtree(entry.path, ignore_errors=True)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def run_isolated(
    worker: Path | str,
    folder: Path,
    *,
    seconds: float,
    memory_bytes: int,
    request: bytes = b"",
    python: Path | None = None,
) -> None:
    """Run the script or module `worker` in `folder`, which is its home and where its answer appears.

    With whatever ends this call early, Ctrl-C and kill -9 too, the worker ends and all that it started.

    Args:
        request: what it reads on standard input.
        python: an interpreter of another environment, which sees nothing of this one's.

    Raises:
        FailedError: it could not be started or gave up.
        CrashedError: it was ended by a signal.
        LateError: it took too long.
    """
    passed = _PASSED_ON if python is None else tuple(name for name in _PASSED_ON if name != "PYTHONPATH")
    environment = {name: os.environ[name] for name in passed if name in os.environ} | _QUIET
    try:
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as printed:
            given.write(request)
            given.seek(0)
            process = subprocess.Popen(  # noqa: S603
                [*map(str, (python or sys.executable, "-P", _LAUNCH, worker, memory_bytes, os.getpid()))],
                stdin=given, stdout=subprocess.DEVNULL, stderr=printed, cwd=folder, start_new_session=True,
                env=environment | {"TMPDIR": str(folder), "HOME": str(folder)},
            )  # fmt: skip
            status = _ended(process, seconds)
            printed.seek(0)
            told = printed.read()
    except OSError as error:
        raise FailedError(f"it could not be started: {error.strerror}") from error
    if status < 0:
        raise CrashedError(f"it crashed (signal {-status})")
    if status:
        raise FailedError(_last_line(told))


def _ended(process: subprocess.Popen[bytes], seconds: float) -> int:
    """Its exit status; where that takes too long or the user interrupts, it ends with all that it started.

    `Popen.wait` would go on for a quarter of a second after an interrupt.
    """
    end, pause = time.monotonic() + seconds, 0.001
    try:
        while process.poll() is None:
            if time.monotonic() > end:
                raise LateError(f"not finished within {seconds:g} s")
            time.sleep(pause)
            pause = min(2 * pause, 0.02)
    finally:
        end_group(process)
    return process.returncode


def _last_line(printed: bytes) -> str:
    """The exception's line: the last that is no detail of a traceback."""
    lines = [line for line in printed.decode("utf-8", "replace").splitlines() if line.strip()]
    named = [line for line in lines if ": " in line and not line.startswith(" ")]
    return clean_text((named or lines or ["it failed"])[-1], 160).rstrip(".")
