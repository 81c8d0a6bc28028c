"""Commands that run a tool on the pinned model and target, without any language model."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...hardware_db.errors import UsageError
from .state import ChatState

if TYPE_CHECKING:
    from ..workspace import Workspace

Run = Callable[[ChatState, str], str]


def inspect(state: ChatState, argument: str) -> str:
    return _text("parse_model", state.workspace, **_named(argument, "model"))


def check(state: ChatState, argument: str) -> str:
    from .limits import read_limits

    return _text("check_constraints", state.workspace, **read_limits(argument))


def analysis(tool: str) -> Run:
    """A command that runs `tool`; its argument may name another model, and another target behind it."""

    def run(state: ChatState, argument: str) -> str:
        return _text(tool, state.workspace, **_named(argument, "model", "target"))

    return run


def _text(tool: str, workspace: Workspace, **arguments: Any) -> str:
    from ...tools.reports import as_text
    from ..toolbox import TOOLS

    if model := arguments.get("model"):
        workspace.note(_quoted(model))
    spec = next(spec for spec in TOOLS if spec.name == tool)
    return as_text(spec.run(spec.arguments(**arguments), workspace)).rstrip("\n")


def _named(argument: str, *fields: str) -> dict[str, str]:
    try:
        words = shlex.split(argument)
    except ValueError:
        raise UsageError("A quotation mark is not closed.", hint="Close it, or leave it out.") from None
    words = [word.removeprefix("@") for word in words]
    if len(words) > len(fields):
        raise UsageError(
            f"{len(words)} names are too many here.",
            hint=f"Give at most the {' and the '.join(fields)}, in quotes if they have spaces.",
        )
    return dict(zip(fields, words, strict=False))


def _quoted(path: str) -> str:
    return f'"{path}"' if '"' not in path else f"'{path}'"
