"""Where lines come from: a prompt, or a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TextIO

from ..question_text import MOST_BYTES
from .chat import Chat
from .interrupts import Interrupts
from .rich_screen import RichScreen
from .screen import PipedScreen, PlainScreen, Screen
from .terminal import has_styles, tolerant, without_echo

STOPPED = "Stopped. The conversation goes on."
HOW_TO_LEAVE = "Ctrl-D or /exit leaves."
Start = Callable[[Callable[[], None]], None]
"""Begins to load, and calls back when that is done."""


def screen_for(out: TextIO, err: TextIO, *, interactive: bool) -> Screen:
    tolerant(out)
    tolerant(err)
    if not interactive:
        return PipedScreen(out, err)
    return RichScreen(out) if has_styles(out) else PlainScreen(out)


def converse(chat: Chat, start: Start, interrupts: Interrupts) -> None:
    """Read from the prompt until the user leaves. Ctrl-C stops the answer, or clears the line."""
    from prompt_toolkit.utils import is_dumb_terminal

    from .history import open_history
    from .prompt import once_drawn, prompt_session

    history, warning = open_history()
    chat.warn(warning)
    session = prompt_session(chat.state, history)
    if is_dumb_terminal():
        start(lambda: None)
    before: Callable[[], None] | None = once_drawn(session, start)
    while not chat.state.closed:
        try:
            line = session.prompt(pre_run=before)
        except EOFError:
            return
        except KeyboardInterrupt:
            if not session.default_buffer.text:
                chat.screen.note(HOW_TO_LEAVE)
            continue
        finally:
            before = None
        try:
            with without_echo(sys.stdin), interrupts.deferred():
                chat.take(line)
        except KeyboardInterrupt:
            chat.screen.note(STOPPED)


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
