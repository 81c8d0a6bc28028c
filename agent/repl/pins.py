"""What a conversation is about: /model, /target, /runtime, /limits and @file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from ... import hardware_db, tools
from ...hardware_db.errors import EdgewrightError, InputError, nearest
from ...tools.core.sanitize import clean_text
from ..workspace import Workspace, cleaned_name
from .limits import read_limits, shown_limits
from .state import ChatState

NOTHING = frozenset({"none", "-"})
_MENTION = re.compile(r"(?<!\S)@(?:\"([^\"\n]+)\"|'([^'\n]+)'|([^\s\"']+))")
_PUNCTUATION = ".,;:!?)"


class Mentions(NamedTuple):
    """A question without its `@`, and what they stood before."""

    question: str
    models: tuple[str, ...]


def set_model(state: ChatState, argument: str) -> str:
    if not argument:
        return f"Model: {_pinned(state.workspace.context['model'])}"
    if argument in NOTHING:
        state.workspace.model = None
        return "No model is pinned."
    return f"Model: {pin_model(state.workspace, unquoted(argument))}"


def set_target(state: ChatState, argument: str) -> str:
    workspace = state.workspace
    if not argument:
        return f"Target: {_pinned(workspace.context['target'])}"
    if argument in NOTHING:
        workspace.target = None
        return "No target is pinned."
    target = hardware_db.resolve_target(unquoted(argument), workspace.own_hardware)
    workspace.target = target.id
    said = f"Target: {target.id} ({target.vendor} {target.name})"
    if (
        workspace.runtime is None
        or hardware_db.resolve_runtime(workspace.runtime, workspace.own_hardware).id in target.runtimes
    ):
        return said
    dropped, workspace.runtime = workspace.runtime, None
    return f"{said}\n{dropped} does not run on it; its usual runtime, {target.runtimes[0]}, is taken."


def set_runtime(state: ChatState, argument: str) -> str:
    workspace = state.workspace
    if not argument:
        return f"Runtime: {_pinned(workspace.context['runtime'], 'the usual one of the target')}"
    if argument in NOTHING:
        workspace.runtime = None
        return "No runtime is pinned; the usual one of the target is taken."
    runtime = hardware_db.resolve_runtime(unquoted(argument), workspace.own_hardware)
    if workspace.target:
        tools.deployment(workspace.target, runtime, settings=workspace.settings)
    workspace.runtime = runtime.id
    return f"Runtime: {runtime.id} ({runtime.name})"


def set_limits(state: ChatState, argument: str) -> str:
    workspace = state.workspace
    if argument in NOTHING:
        workspace.limits = {}
        return "No limits are pinned."
    if argument:
        workspace.limits = read_limits(argument)
    return f"Limits: {shown_limits(workspace.limits) or 'none are pinned'}"


def pin_model(workspace: Workspace, name: str) -> str:
    """Make a model the conversation's and say in a line what it is.

    Raises:
        EdgewrightError: it cannot be read; the model before stays.
    """
    before = workspace.model
    workspace.pin(name)
    try:
        parsed = tools.parse_model(workspace.model_source(None), settings=workspace.settings)
        model = tools.summarize_model(parsed)
    except EdgewrightError:
        workspace.model = before
        raise
    counted = f"{model.op_count:,} operators, {model.macs:,} MACs, {model.dtype}"
    return f"{workspace.context['model']} ({model.format}, {counted})"


def read_mentions(text: str, workspace: Workspace) -> Mentions:
    """What a question mentions with `@`: files and named architectures; any other `@word` stays as it is.

    Raises:
        InputError: a path that leads to no file.
    """
    if "@" not in text:
        return Mentions(text, ())
    models: list[str] = []

    def name_alone(match: re.Match[str]) -> str:
        quoted, bare = match[1] or match[2], match[3] or ""
        name = quoted or bare.rstrip(_PUNCTUATION)
        if not _is_file(workspace, name):
            if _reads_like_a_path(name):
                raise _no_file(workspace, name)
            if not name or not workspace.knows_architecture(name):
                return match[0]
        models.append(name)
        return (f'"{name}"' if " " in name else name) + bare[len(name) :] * (not quoted)

    return Mentions(_MENTION.sub(name_alone, text), tuple(dict.fromkeys(models)))


def unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


def _pinned(name: str | None, otherwise: str = "none is pinned") -> str:
    return name or otherwise


def _is_file(workspace: Workspace, name: str) -> bool:
    try:
        return (workspace.directory / Path(name).expanduser()).is_file()
    except (OSError, RuntimeError, ValueError):
        return False


def _reads_like_a_path(name: str) -> bool:
    return "/" in name or name.casefold().endswith((".tflite", ".onnx"))


def _no_file(workspace: Workspace, name: str) -> InputError:
    here = [path.name for end in ("tflite", "onnx") for path in workspace.directory.glob(f"*.{end}")]
    close = nearest(Path(name).name, here, 3)
    hint = f"Nearest here: {', '.join(map(cleaned_name, close))}." if close else "Tab completes after @."
    return InputError(f"There is no file {clean_text(name, 80)!r}.", hint=hint)
