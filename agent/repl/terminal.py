"""What a terminal can show, and text that is fit for it."""

from __future__ import annotations

import importlib.util
import os
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TextIO

_HARMFUL = frozenset({"Cc", "Cf", "Cn", "Co", "Cs"})
_KEPT = frozenset("\n\t")
_JOINER = "\N{ZERO WIDTH JOINER}"
_PLAIN_TERMINALS = frozenset({"", "dumb", "unknown"})


def printable(text: str) -> str:
    """`text` without what a terminal would obey: escapes, other controls, bidirectional overrides."""
    text = text.replace("\r\n", "\n")
    if all(character in _KEPT or character.isprintable() for character in text):
        return text
    return "".join(map(_harmless, text))


def one_line(text: str, longest: int = 160) -> str:
    """The same on one line and cut to length."""
    line = " ".join(printable(text[: 8 * longest]).split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


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


def _harmless(character: str) -> str:
    if character in _KEPT or character == _JOINER:
        return character
    return "\N{REPLACEMENT CHARACTER}" if unicodedata.category(character) in _HARMFUL else character
