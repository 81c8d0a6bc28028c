"""What a terminal can show."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TextIO

_PLAIN_TERMINALS = frozenset({"", "dumb", "unknown"})


def has_styles(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the stream is a terminal that moves its cursor and knows bold and dim."""
    return stream.isatty() and environment.get("TERM", "").casefold() not in _PLAIN_TERMINALS


def tolerant(stream: TextIO) -> None:
    """Let `stream` show a question mark for what its encoding lacks, instead of failing."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")


@contextmanager
def without_echo(stream: TextIO) -> Iterator[None]:
    """While this lasts, keys typed at a terminal wait unseen, so that they do not mix with an answer."""
    if importlib.util.find_spec("termios") is None or not stream.isatty():
        yield
        return
    import termios

    descriptor = stream.fileno()
    before = termios.tcgetattr(descriptor)
    quiet = [*before[:3], before[3] & ~termios.ECHO, *before[4:]]
    try:
        termios.tcsetattr(descriptor, termios.TCSANOW, quiet)
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSANOW, before)
