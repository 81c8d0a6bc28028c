"""The interactive chat. Typing is accepted at once; what is heavy loads while the user types."""

from __future__ import annotations

import functools
import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from ... import __version__
from ...hardware_db.errors import UsageError
from ...tools.core.settings import Settings
from ..sessions.session import OpenSession
from ..sessions.transcript import Transcript
from ..workspace import Workspace
from .chat import Chat
from .conversation import LiveConversation
from .interrupts import Interrupts
from .llm import expected_llm
from .loops import read_lines, screen_for
from .pins import pin_model, set_target
from .resume import take_over
from .state import ChatState

__all__ = ["run_chat"]

EXIT_INTERRUPTED = 130


def run_chat(
    *,
    model: str | None,
    target: str | None,
    llm: str | None,
    base_url: str | None = None,
    session: OpenSession | None = None,
    settings: Settings | None = None,
) -> int:
    """Chat until the user leaves, in `session` or a new one; returns the exit code.

    At a terminal that is 0; of piped lines it is that of the first one that failed, or 130.

    Raises:
        EdgewrightError: the model or the target that was named cannot be used.
    """
    workspace = Workspace(Path.cwd(), settings=settings)
    session = session or OpenSession(Transcript())
    interrupts = Interrupts()
    conversation = LiveConversation(workspace, session, llm, interrupts=interrupts, base_url=base_url)
    if sys.stdin is None or sys.stdout is None:
        raise UsageError("There is nothing to read from or to write to.", hint="Open stdin and stdout.")
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    screen = screen_for(sys.stdout, sys.stderr, interactive=interactive)
    chat = Chat(ChatState(workspace, conversation, session, trace=interactive), screen)
    _pin(chat.state, model, target)
    take_over(chat.state, session)
    screen.note(f"edgewright {__version__} · {expected_llm(llm, base_url)} · /help lists the commands")
    for note in session.opening_notes:
        screen.note(note)
    chat.warn(session.warning)
    try:
        if interactive:
            from .converse import converse

            converse(chat, functools.partial(_start, conversation), interrupts)
        else:
            _start(conversation)
            read_lines(chat, sys.stdin, interrupts)
        code = 0 if interactive else chat.exit_code
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    session = chat.state.session
    if session.file is not None and session.file.exists():
        screen.note(f"To go on: edgewright chat --resume {session.id}")
        screen.note(f"Transcript: {session.file}")
    if conversation.left_behind:
        _leave_now(code)
    return code


def _pin(state: ChatState, model: str | None, target: str | None) -> None:
    if target is not None:
        set_target(state, target)
    if model is not None:
        pin_model(state.workspace, model)


def _start(conversation: LiveConversation, when_loaded: Callable[[], None] = lambda: None) -> None:
    """Load, and collect garbage from then on, but not among the libraries: that would hold up a turn."""

    def loaded() -> None:
        gc.freeze()
        gc.enable()
        when_loaded()

    conversation.start(loaded)


def _leave_now(code: int) -> NoReturn:
    """Without waiting for the threads of a turn that was stopped while its endpoint was silent."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
