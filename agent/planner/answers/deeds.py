"""Code that runs a model, and measurements of the user's own that are taken."""

from __future__ import annotations

from collections.abc import Sequence

from ..bench import Answering
from ..query import Query, Role
from ..want import Want
from . import commands, pages
from .phrases import ask_model, lines


def code(query: Query, _wants: Sequence[Want]) -> Answering:
    """The code of a model on a target; a page where no model is named."""
    if not query.has(Role.MODEL):
        return pages.said_by_a_page(query.question) or ask_model()
    if not query.has(Role.TARGET):
        return "For which board or chip? `edgewright code MODEL -t TARGET` then writes the code."
    return (yield from commands.code(query))


def calibrate(query: Query, wants: Sequence[Want]) -> Answering:
    """The command that takes a measurement of the user's own."""
    yield from ()
    if not query.has(Role.TARGET):
        return (yield from pages.pages(query, wants))
    seen = query.number(Role.CLAIMED_MS)
    name, time = query.text(Role.MODEL) or "YOUR_MODEL", f"{seen:g}" if seen else "YOUR_MS"
    row = f"{name},{query.text(Role.TARGET)},{time}"
    anchors = f"`edgewright calibrate --anchors -t {query.text(Role.TARGET)}`"
    return lines(
        "Write your measurement as a row of a CSV file and give it to `edgewright calibrate "
        "FILE.csv`; every later "
        "estimate of this board uses it and says so:",
        f"```\nmodel,target,latency_ms\n{row}\n```",
        "" if query.has(Role.MODEL) else f"{anchors} names the three models that say most, and how.",
    )
