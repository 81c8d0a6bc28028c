"""Code that runs a model, and measurements of the user's own that are taken."""

from __future__ import annotations

from collections.abc import Sequence

from ..bench import Answering, call_of, needed
from ..query import Query, Role
from ..want import Want
from . import claims, commands, pages
from .phrases import ask_model, joined, lines


def code(query: Query, _wants: Sequence[Want]) -> Answering:
    """The code of a model on a target; a page where no model is named."""
    if not query.has(Role.MODEL):
        return pages.said_by_a_page(query.question) or ask_model()
    if not query.has(Role.TARGET):
        return "For which board or chip? `edgewright code MODEL -t TARGET` then writes the code."
    return (yield from commands.code(query))


def foretells(query: Query) -> bool:
    """Whether a time was measured of one network, and another is asked about on that board."""
    claims, models = query.all(Role.CLAIMED_MS), set(query.all(Role.MODEL))
    return len(claims) == 1 and len(models) > 1 and len(set(query.all(Role.TARGET))) == 1


def foretold(query: Query, _wants: Sequence[Want]) -> Answering:
    """The other networks by what was measured of the one; nothing is kept of it."""
    text = query.question
    slot = next(slot for slot in query.slots if slot.role is Role.CLAIMED_MS)
    models = [s for s in query.slots if s.role is Role.MODEL]
    models.sort(key=lambda model: abs(text.find(model.text or str(model.value)) - text.find(slot.text)))
    measured, others = models[0], list(dict.fromkeys(str(model.value) for model in models[1:]))
    one = query.put(Role.MODEL, measured.value, text=measured.text)
    call = call_of("calibrate_target", one, latency_ms=slot.number, keep=False, then=others)
    record = needed((yield call))
    row = "rows[#0]"
    if not record["boards"]:
        return f"I cannot go by {slot.text}: {record.ref(row + '.reason')}."
    rows = range(len(record["then"]))
    rate = [f"{{{{1/{record.id}.then[#{i}].latency_ms|fps}}}}" for i in rows]
    said = joined(
        f"{record.ref(f'then[#{i}].latency_ms', '~')} for {record.ref(f'then[#{i}].model')} ({rate[i]})"
        for i in rows
    )
    board = "boards[#0]"
    return lines(
        f"{said} on {record.ref(board + '.target')}, going by your measurement.",
        f"You measured {record.ref(row + '.measured_ms')} of {record.ref(row + '.model')} where I estimate "
        f"{record.ref(row + '.estimated_ms')}, so other networks there take "
        f"{record.ref(board + '.factor', '~')} times as long; without it "
        f"{joined(record.ref(f'then[#{i}].estimated_ms', '~') for i in rows)}.",
        f"Nothing is kept: `edgewright calibrate -m {measured.value} -t {query.text(Role.TARGET)} "
        f"--latency {slot.number:g}ms` would.",
    )


def calibrate(query: Query, wants: Sequence[Want]) -> Answering:
    """The command that takes a measurement of the user's own."""
    yield from ()
    if not query.has(Role.TARGET):
        return (yield from pages.pages(query, wants))
    seen = query.number(Role.CLAIMED_MS)
    placed = seen and all(len(set(query.all(role))) == 1 for role in (Role.MODEL, Role.TARGET))
    judged = (yield from claims.plausible(query)) if placed else ""
    name, time = query.text(Role.MODEL) or "YOUR_MODEL", f"{seen:g}" if seen else "YOUR_MS"
    row = f"{name},{query.text(Role.TARGET)},{time}"
    anchors = f"`edgewright calibrate --anchors -t {query.text(Role.TARGET)}`"
    return lines(
        judged,
        "Write your measurement as a row of a CSV file and give it to `edgewright calibrate "
        "FILE.csv`; every later "
        "estimate of this board uses it and says so:",
        f"```\nmodel,target,latency_ms\n{row}\n```",
        "" if query.has(Role.MODEL) else f"{anchors} names the three models that say most, and how.",
    )
