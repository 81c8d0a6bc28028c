"""The prompt: what is pinned in front of it, keys, completion, history."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import History
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.styles import Style

from .completion import ChatCompleter
from .limits import shown_limits
from .state import ChatState
from .table import COMMANDS

if TYPE_CHECKING:
    from ..workspace import Workspace

_COLORS = {
    "pin": "ansicyan",
    "bottom-toolbar": "noreverse ansibrightblack",
    "auto-suggestion": "ansibrightblack",
}
_NO_COLORS = {"pin": "bold", "bottom-toolbar": "noreverse", "auto-suggestion": "italic"}


def prompt_session(state: ChatState, history: History) -> PromptSession[str]:
    """A prompt that reads one entry, of several lines where they were pasted or Esc Enter was typed."""

    def message() -> StyleAndTextTuples:
        pins = pinned(state.workspace)
        apart = "\n" if len(pins) > shutil.get_terminal_size().columns // 2 else ""
        return [("class:pin", pins), ("", f"{apart}> ")]

    def toolbar() -> StyleAndTextTuples:
        return [("", f" {state.conversation.llm} · /help · Esc Enter: new line · Ctrl-D: leave")]

    return PromptSession(
        message,
        history=history,
        completer=ChatCompleter(COMMANDS, state.workspace),
        complete_in_thread=True,
        auto_suggest=AutoSuggestFromHistory(),
        bottom_toolbar=toolbar,
        key_bindings=_keys(),
        prompt_continuation=lambda _width, _line, wraps: "" if wraps else ". ",
        style=Style.from_dict(_NO_COLORS if os.environ.get("NO_COLOR") else _COLORS),
        reserve_space_for_menu=6,
    )


def pinned(workspace: Workspace) -> str:
    """`kws @ stm32h743zi, tflm-cmsis-nn (latency ≤ 50 ms)`; empty where nothing is pinned."""
    named = workspace.context
    place = ", ".join(name for name in (named["target"], named["runtime"]) if name)
    subject = f"{named['model'] or ''}{' @ ' if place and named['model'] else ''}{place}"
    limits = shown_limits(workspace.limits)
    return f"{subject} ({limits})".lstrip() if limits else subject


def once_drawn(
    session: PromptSession[str], start: Callable[[Callable[[], None]], None]
) -> Callable[[], None]:
    """For `pre_run`: calls `start` when the prompt stands, with what redraws it from any thread."""

    def redraw() -> None:
        if session.app.is_running:
            session.app.invalidate()

    def drawn(_app: object) -> None:
        session.app.after_render -= drawn
        start(redraw)

    def register() -> None:
        session.app.after_render += drawn

    return register


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("escape", "enter")
    def new_line(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    return keys
