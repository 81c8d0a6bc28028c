"""A chat's report as a page: what was said, then the model on every target that it was about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from ... import tools
from ...hardware_db.errors import EdgewrightError
from ...tools.reports.page.shell import page
from ...tools.reports.views import views_of
from ..markup import html_file
from .state import ChatState

_MOST = 12
"""Targets of one page."""


def page_of(state: ChatState, said: str) -> str:
    """The interactive page with `said` (HTML) before it; that alone where no model and target were named.

    Every figure is computed anew, by the same functions that answered.
    """
    workspace = state.workspace
    try:
        places = [tools.deployment(target, settings=workspace.settings) for target in _targets(state)]
        limits = tools.limits_from_text({}, **workspace.limits)
        views = list(views_of(workspace.model_source(None), places, limits)) if places else []
    except EdgewrightError:
        views = []
    if not views:
        return html_file("Edgewright report", said)
    return page(views, before=f'<section id="said">{said}</section>')


def _targets(state: ChatState) -> list[str]:
    """The pinned one first, then those of the questions, by their ids, each once."""
    found: dict[str, None] = {}
    for name in _named(state):
        with suppress(EdgewrightError):
            found.setdefault(tools.deployment(name, settings=state.workspace.settings).target.id)
    return list(found)[:_MOST]


def _named(state: ChatState) -> Iterator[str]:
    pinned = state.workspace.context["target"]
    if pinned:
        yield pinned
    for said in state.said:
        for call in said.calls:
            yield from _strings(call.arguments.get("target"))
            yield from _strings(call.arguments.get("targets"))


def _strings(value: object) -> Iterable[str]:
    match value:
        case str():
            return (value.partition("/")[0],)
        case list() | tuple():
            return tuple(each.partition("/")[0] for each in value if isinstance(each, str))
        case _:
            return ()
