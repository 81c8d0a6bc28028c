"""Commands that run a tool on the pinned model and target, without any language model.

Where nothing is pinned, they take what the last tool call was about.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...hardware_db.errors import UsageError
from ..registry import tool_named
from .limits import read_limits
from .state import ChatState

if TYPE_CHECKING:
    from ...tools.core.document import Document
    from ...tools.core.quantity import Result
    from ..workspace import Workspace

Documents = tuple["Document", ...]
Run = Callable[[ChatState, str], Documents]


def inspect(state: ChatState, argument: str) -> Documents:
    return (_described("parse_model", _subject(state), **_named(argument, "model")),)


def check(state: ChatState, argument: str) -> Documents:
    return (_described("check_constraints", _limited(_subject(state), argument)),)


def recommend(state: ChatState, argument: str) -> Documents:
    return (_described("recommend_hardware", _limited(_subject(state), argument)),)


def compare(state: ChatState, argument: str) -> Documents:
    """At least two targets; one alone is compared with the conversation's."""
    workspace = _subject(state)
    targets = _words(argument)
    if len(targets) == 1 and workspace.target:
        targets.insert(0, workspace.target)
    if len(targets) < 2:
        raise UsageError("It takes two targets to compare.", hint="/compare stm32h743zi esp32-s3")
    return (_described("compare_deployments", workspace, targets=targets),)


def analysis(tool: str) -> Run:
    """A command that runs `tool`; its argument may name another model, and another target behind it."""

    def run(state: ChatState, argument: str) -> Documents:
        return (_described(tool, _subject(state), **_named(argument, "model", "target")),)

    return run


def memory(state: ChatState, argument: str) -> Documents:
    """The plan, and what is alive at each operator."""
    workspace, named = _subject(state), _named(argument, "model", "target")
    plan = _described("plan_memory", workspace, **named)
    timeline = _result("trace_timeline", workspace, levers=False, **named)
    return plan, tool_named("trace_timeline").describe(timeline, memory_alone=True)


def timeline(state: ChatState, argument: str) -> Documents:
    return (_described("trace_timeline", _subject(state), **_named(argument, "model", "target")),)


def _described(function: str, workspace: Workspace, **arguments: Any) -> Document:
    return tool_named(function).describe(_result(function, workspace, **arguments))


def _result(function: str, workspace: Workspace, **arguments: Any) -> Result:
    tool = tool_named(function)
    _name(workspace, arguments.get("model"))
    given = tool.arguments(**arguments)
    return tool.brief(tool.run(given, workspace), given)


def _subject(state: ChatState) -> Workspace:
    """The chat's workspace; what it has not pinned is taken from the last tool call that named it."""
    pinned = state.workspace
    model = pinned.model or next(_said(state, "model"), None)
    if pinned.target is not None:
        return replace(pinned, model=model)
    target = next(_said(state, "target"), None)
    runtime = pinned.runtime or next(_said(state, "runtime", target), None)
    return replace(pinned, model=model, target=target, runtime=runtime)


def _said(state: ChatState, name: str, target: str | None = None) -> Iterator[str]:
    for said in reversed(state.said):
        for call in reversed(said.calls):
            value = call.arguments.get(name)
            if value and not call.failed and target in (None, call.arguments.get("target")):
                yield str(value)


def _limited(workspace: Workspace, argument: str) -> Workspace:
    return replace(workspace, limits={**workspace.limits, **read_limits(argument)})


def _name(workspace: Workspace, model: str | None) -> None:
    """The user typed it, so it may be read wherever it lies."""
    if model:
        workspace.note(_quoted(model))


def _named(argument: str, *fields: str) -> dict[str, str]:
    words = _words(argument)
    if len(words) > len(fields):
        raise UsageError(
            f"{len(words)} names are too many here.",
            hint=f"Give at most the {' and the '.join(fields)}, in quotes if they have spaces.",
        )
    return dict(zip(fields, words, strict=False))


def _words(argument: str) -> list[str]:
    try:
        words = shlex.split(argument)
    except ValueError:
        raise UsageError("A quotation mark is not closed.", hint="Close it, or leave it out.") from None
    return [word.removeprefix("@") for word in words]


def _quoted(path: str) -> str:
    return f'"{path}"' if '"' not in path else f"'{path}'"
