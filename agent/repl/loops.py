"""Lines from a pipe, and the screen that suits a stream."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TextIO

from ..question_text import MOST_BYTES
from .chat import Chat
from .interrupts import Interrupts
from .rich_screen import RichScreen
from .screen import PipedScreen, PlainScreen, Screen
from .terminal import has_styles, tolerant


def screen_for(out: TextIO, err: TextIO, *, interactive: bool) -> Screen:
    tolerant(out)
    tolerant(err)
    if not interactive:
        return PipedScreen(out, err)
    return RichScreen(out) if has_styles(out) else PlainScreen(out)


def read_lines(chat: Chat, stream: TextIO, interrupts: Interrupts) -> None:
    """Answer each line of a stream; where somebody types them, prompt on stderr."""
    prompt = "> " if stream.isatty() else ""
    lines = lines_of(stream)
    while not chat.state.closed:
        if prompt:
            print(prompt, end="", file=sys.stderr, flush=True)
        line = next(lines, None)
        if line is None:
            return
        with interrupts.deferred():
            chat.take(line)


def lines_of(stream: TextIO) -> Iterator[str]:
    """Each line, whatever bytes it holds; of one that is far too long, the beginning."""
    raw = getattr(stream, "buffer", None)
    if raw is None:
        yield from stream
        return
    while line := raw.readline(2 * MOST_BYTES):
        yield line.decode("utf-8", "replace")
        while line and not line.endswith(b"\n"):
            line = raw.readline(2 * MOST_BYTES)
