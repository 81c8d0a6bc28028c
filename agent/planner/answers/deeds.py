"""Code that runs a model, a trace or a measurement that is read."""

from __future__ import annotations

from collections.abc import Sequence

from ..bench import Answering, call_of, needed
from ..query import Query, Role
from ..want import Want
from . import pages
from .phrases import ask_model, assumed, figure, joined, lines, subject

_SHORT = 600


def code(query: Query, _wants: Sequence[Want]) -> Answering:
    """The command that writes the code, the size of the arena and the operators to register."""
    if not query.has(Role.MODEL):
        return ask_model()
    if not query.has(Role.TARGET):
        return "For which board or chip? `edgewright code MODEL -t TARGET` then writes the code."
    record = needed((yield call_of("firmware_code", query)))
    commands = [f"```\n{command}\n```" for command in record["commands"][:2] if len(command) < _SHORT]
    if record["why_not"]:
        return lines(record.ref("why_not"), *commands, assumed(query, record))
    command = f"edgewright code {query.text(Role.MODEL)} -t {query.text(Role.TARGET)}"
    if not record["files"]:
        return lines(f"This makes it, for {subject(query, record)}:", *commands, assumed(query, record))
    names = joined(f"`{name}`" for name in record["files"])
    return lines(
        f"`{command}` writes {names}: {subject(query, record)}.",
        f"The arena is {record.ref('arena_bytes', 'B')}; it registers {joined(record['operators'][:12])}.",
        *commands,
        assumed(query, record),
    )


def imported(query: Query, wants: Sequence[Want]) -> Answering:
    """A trace from a board against the estimate; without one, how that is done."""
    if not query.has(Role.TRACE) or not query.has(Role.MODEL) or not query.has(Role.TARGET):
        return (yield from pages.pages(query, wants))
    record = needed((yield call_of("import_profile", query, path=query.text(Role.TRACE))))
    command = (
        f"`edgewright import {query.text(Role.TRACE)} --model {query.text(Role.MODEL)} -t "
        f"{query.text(Role.TARGET)}`"
    )
    return lines(
        f"The trace says {figure(record, 'latency_ms')}: {subject(query, record)}.",
        f"{command} shows it layer by layer.",
    )


def calibrate(query: Query, wants: Sequence[Want]) -> Answering:
    """The command that takes a measurement of the user's own."""
    yield from ()
    if not query.has(Role.TARGET):
        return (yield from pages.pages(query, wants))
    seen = query.number(Role.CLAIMED_MS)
    name, time = query.text(Role.MODEL) or "YOUR_MODEL", f"{seen:g}" if seen else "YOUR_MS"
    row = f"{name},{query.text(Role.TARGET)},{time}"
    return lines(
        "Write your measurement as a row of a CSV file and give it to `edgewright calibrate "
        "FILE.csv`; every later "
        "estimate of this board uses it and says so:",
        f"```\nmodel,target,latency_ms\n{row}\n```",
    )
