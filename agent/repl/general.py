"""Commands about the chat itself: /help, /tools, /llm, /clear, /exit."""

from __future__ import annotations

from collections.abc import Sequence

from .commands import Command, find_command
from .state import ChatState

_KEYS = (
    "Anything else is a question; @ in front of a model file or architecture completes it and pins it.\n"
    "Tab completes, Esc Enter starts a new line, Ctrl-C stops the answer, Ctrl-D leaves."
)


def help_text(table: Sequence[Command], argument: str) -> str:
    """All commands, or one of them."""
    if argument:
        command = find_command(f"/{argument.removeprefix('/')}", table)
        others = f"\nAlso: {', '.join(command.aliases)}" if command.aliases else ""
        return f"{command.usage}\n{command.help}{others}"
    width = max(len(command.usage) for command in table)
    lines = [f"  {command.usage:<{width}}  {command.help}" for command in table]
    return "\n".join([*lines, "", _KEYS])


def list_tools(_state: ChatState, _argument: str) -> str:
    from ..views import VIEWS

    width = max(len(spec.name) for spec in VIEWS)
    return "\n".join(f"  {spec.name:<{width}}  {_first_sentence(spec.description)}" for spec in VIEWS)


def choose_llm(state: ChatState, argument: str) -> str:
    if not argument:
        return f"LLM: {state.conversation.llm}"
    return f"LLM: {state.conversation.switch(argument)}"


def clear(state: ChatState, _argument: str) -> str:
    state.conversation.restart()
    state.said.clear()
    state.analyses.clear()
    return "A new conversation; what is pinned stays."


def leave(state: ChatState, _argument: str) -> str:
    state.closed = True
    return ""


def _first_sentence(text: str) -> str:
    line = " ".join(text.split())
    return line.split(". ")[0].rstrip(".")
