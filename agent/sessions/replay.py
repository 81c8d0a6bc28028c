"""The tool calls of a saved conversation once more, without any chat model, and what differs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ... import __version__
from ...hardware_db.errors import EdgewrightError
from ...tools.core.quantity import Result
from ...tools.core.settings import Settings
from ..plain_text import reason_in
from ..views import VIEWS, View, error_text, former_view
from ..workspace import Workspace
from .model_files import file_of_call
from .saved import SavedCall, SavedSession, SavedTurn, numbers_in, text_or_none

_MOST_DIFFERENCES = 20
_LONGEST_VALUE = 80
_ABSENT = "nothing"


class Difference(Result):
    """A field of a result, with both values as JSON; `nothing` where one side lacks it."""

    path: str
    before: str
    now: str


class ReplayedCall(Result):
    question: int
    """Counted from 1."""
    id: str
    name: str
    same: bool
    differences: tuple[Difference, ...]
    """The first of them; `omitted` says how many more there are."""
    omitted: int = 0


class ChangedModel(Result):
    """A model file whose content is another one now; `sha256_now` is None where it is gone."""

    source_untrusted: str
    sha256_before: str
    sha256_now: str | None


class Replay(Result):
    schema_version: str = "1.0"
    session: str
    same: bool
    version_before: str | None
    version_now: str
    changed_models: tuple[ChangedModel, ...]
    unfinished: int
    """Calls that were cut off and have no result to compare with."""
    calls: tuple[ReplayedCall, ...]


def replay(session: SavedSession, directory: Path | None = None, settings: Settings | None = None) -> Replay:
    """Run every call that ended, with the arguments and defaults it had.

    Args:
        session: as it was read.
        directory: where relative paths lead; None is the one that each question was asked in, if it exists.
        settings: of the user's environment; None reads it.
    """
    calls: list[ReplayedCall] = []
    changed: dict[str, ChangedModel] = {}
    for number, turn in enumerate(session.turns, 1):
        workspace = _workspace(session.turns[:number], directory, settings)
        for call in turn.calls:
            if call.ended:
                calls.append(_again(call, number, workspace))
                changed.update(_changed(call, workspace))
    return Replay(
        session=session.id,
        same=all(call.same for call in calls),
        version_before=session.facts.get("version"),
        version_now=__version__,
        changed_models=tuple(changed.values()),
        unfinished=sum(not call.ended for turn in session.turns for call in turn.calls),
        calls=tuple(calls),
    )


def _workspace(turns: Sequence[SavedTurn], directory: Path | None, settings: Settings | None) -> Workspace:
    pinned = turns[-1].pinned
    then = pinned.get("directory")
    place = directory or (Path(then) if isinstance(then, str) and Path(then).is_dir() else Path.cwd())
    model, target, runtime = (text_or_none(pinned.get(name)) for name in ("model", "target", "runtime"))
    workspace = Workspace(place, model=model, target=target, runtime=runtime, settings=settings)
    workspace.limits = numbers_in(pinned.get("limits"))
    for turn in turns:
        workspace.note(turn.question)
    return workspace


def _again(call: SavedCall, question: int, workspace: Workspace) -> ReplayedCall:
    before: Any = call.result if call.result is not None else {"error": call.error}
    if call.ran:
        before = [record["result"] or {"error": record["error"]} for record in call.ran]
    now = _outcome(call, workspace)
    # Two errors are alike however they word the path, which depends on where one stands.
    failed_alike = call.result is None and isinstance(now, dict) and now.keys() == {"error"}
    found = [] if failed_alike else list(_differences(before, now, ""))
    return ReplayedCall(
        question=question,
        id=call.id,
        name=call.name,
        same=not found,
        differences=tuple(found[:_MOST_DIFFERENCES]),
        omitted=max(0, len(found) - _MOST_DIFFERENCES),
    )


def _outcome(call: SavedCall, workspace: Workspace) -> Any:
    """Of a view the results of all functions that it runs, of a function its own."""
    view = _view(call)
    if view is None:
        return {"error": f"There is no tool {call.name} any more."}
    try:
        records = view.call(call.arguments, workspace)
    except (EdgewrightError, ValidationError) as error:
        return {"error": reason_in(error_text(call.name, error))}
    results = [record["result"] or {"error": record["error"]} for record in records]
    return json.loads(json.dumps(results if call.ran else results[0]))


def _view(call: SavedCall) -> View | None:
    if call.ran:
        return next((view for view in VIEWS if view.name == call.name), None)
    return former_view(call.name)


def _changed(call: SavedCall, workspace: Workspace) -> dict[str, ChangedModel]:
    source, before = call.model.get("source"), call.model.get("sha256")
    if not isinstance(source, str) or not isinstance(before, str):
        return {}
    now = file_of_call(call.arguments, workspace).get("sha256")
    if now == before:
        return {}
    return {source: ChangedModel(source_untrusted=source, sha256_before=before, sha256_now=now)}


def _differences(before: Any, now: Any, path: str) -> Iterator[Difference]:
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for name in (*before, *(name for name in now if name not in before)):
            here = f"{path}.{name}" if path else str(name)
            if before.get(name) is None and now.get(name) is None:
                continue
            yield from _differences(before.get(name, _ABSENT), now.get(name, _ABSENT), here)
    elif isinstance(before, list) and isinstance(now, list):
        for index in range(max(len(before), len(now))):
            one = before[index] if index < len(before) else _ABSENT
            other = now[index] if index < len(now) else _ABSENT
            yield from _differences(one, other, f"{path}[{index}]")
    elif before != now or isinstance(before, bool) != isinstance(now, bool):
        yield Difference(path=path, before=_shown(before), now=_shown(now))


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"
