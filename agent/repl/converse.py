"""Lines from a prompt, with keys, completion and history."""

from __future__ import annotations

import sys
from collections.abc import Callable

from prompt_toolkit.utils import is_dumb_terminal

from .chat import Chat
from .history import open_history
from .interrupts import Interrupts
from .prompt import once_drawn, prompt_session
from .terminal import without_echo

STOPPED = "Stopped. The conversation goes on."
HOW_TO_LEAVE = "Ctrl-D or /exit leaves."
Start = Callable[[Callable[[], None]], None]
"""Begins to load, and calls back when that is done."""


def converse(chat: Chat, start: Start, interrupts: Interrupts) -> None:
    """Read from the prompt until the user leaves. Ctrl-C stops the answer, or clears the line."""
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
