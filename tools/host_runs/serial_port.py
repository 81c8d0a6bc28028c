"""A serial line as the operating system has it: opened raw, read by lines, with deadlines."""

from __future__ import annotations

import contextlib
import os
import select
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from ...hardware_db.errors import InputError, UsageError
from ..core.sanitize import clean_text

_HAS_LINES = sys.platform != "win32"
if sys.platform != "win32":
    try:
        import fcntl
        import termios
        import tty
    except ImportError:
        _HAS_LINES = False

BAUD = 115_200
_LONGEST = 4096
_CHUNK = 65_536
_LIKELY = ("ttyACM*", "ttyUSB*", "cu.usbmodem*", "cu.usbserial*", "serial*")
_BY_HAND = "Log its lines with a terminal program, and read the log with `edgewright import`."


class SerialPort:
    """Use it as a context: it is closed, and free for others, whatever happens."""

    def __init__(self, path: str, baud: int = BAUD) -> None:
        """
        Raises:
            UsageError: there is no such line, it may not be opened, another program has it, or an odd rate.
        """
        self.path = clean_text(path, 80)
        self._file = _opened(path, self.path, baud)
        self._rest = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            os.close(self._file)

    def send(self, text: str) -> None:
        """
        Raises:
            InputError: the line is gone, or takes nothing.
        """
        left = text.encode("ascii")
        until = time.monotonic() + 5.0
        while left:
            _, free, _ = select.select([], [self._file], [], max(0.0, until - time.monotonic()))
            if not free:
                raise InputError(f"{self.path} takes no characters.", hint="Look at the cable and the rate.")
            with self._present():
                left = left[os.write(self._file, left) :]

    def line(self, until: float) -> str | None:
        """The next line; None if `until`, on the monotonic clock, comes first.

        Raises:
            InputError: the line is gone.
        """
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self._file], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                return None
            with self._present():
                came = os.read(self._file, _CHUNK)
                if not came:
                    raise OSError("end of file")
                self._rest += came
            if len(self._rest) > _CHUNK and b"\n" not in self._rest:
                self._rest = self._rest[-_LONGEST:]
        line, _, self._rest = self._rest.partition(b"\n")
        return line[-_LONGEST:].decode("ascii", "replace").rstrip("\r")

    @contextlib.contextmanager
    def _present(self) -> Iterator[None]:
        try:
            yield
        except BlockingIOError:
            return
        except OSError as error:
            raise InputError(
                f"{self.path} is gone: the board was unplugged, or its USB was reset.",
                hint="Plug it in, and try again.",
            ) from error


def _opened(path: str, shown: str, baud: int) -> int:
    if sys.platform == "win32" or not _HAS_LINES:
        raise UsageError("Serial lines are read on Linux and macOS.", hint=_BY_HAND)
    rate = getattr(termios, f"B{baud}", None)
    if rate is None:
        raise UsageError(f"{baud} is no rate of a serial line here.", hint="Usual are 115200 and 921600.")
    try:
        file = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError as error:
        raise UsageError(f"{shown} cannot be opened: {error.strerror}.", hint=_hint(error)) from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        tty.setraw(file, termios.TCSANOW)
        found = termios.tcgetattr(file)
        found[2] = (found[2] | termios.CREAD | termios.CLOCAL) & ~termios.HUPCL
        found[4] = found[5] = rate
        termios.tcsetattr(file, termios.TCSANOW, found)
        termios.tcflush(file, termios.TCIFLUSH)
    except BlockingIOError as error:
        os.close(file)
        raise UsageError(f"{shown} is in use by another program.", hint="Close that one.") from error
    except (OSError, termios.error) as error:
        os.close(file)
        raise UsageError(f"{shown} is no serial line.", hint=_ports()) from error
    return file


def _hint(error: OSError) -> str:
    if isinstance(error, PermissionError):
        return "Let yourself use serial lines: `sudo usermod -aG dialout $USER`, then log in anew."
    return _ports()


def _ports() -> str:
    found = sorted(str(each) for pattern in _LIKELY for each in Path("/dev").glob(pattern))
    return (
        f"There are: {', '.join(found)}." if found else "No board's serial line is there: is it plugged in?"
    )
