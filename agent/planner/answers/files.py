"""Files that a question names: a trace, two runs, linked firmware: what leads, then their document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ....hardware_db.later import Later
from ...patterns import compiled
from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from ..words import entries
from . import pages
from .phrases import lines
from .templates import put

if TYPE_CHECKING:
    from . import documents
else:
    documents = Later(".documents", __package__)

_LINKED = (".elf", ".axf", ".map")
_TRACES = (".csv", ".tsv", ".log", ".txt", ".json", ".prof", ".pb", ".xlsx", ".etdp", ".pftrace", ".ctf",
           ".tef")  # fmt: skip
_TRUSTED = compiled(r"\b(?:check ?list|reproduc\w+|trust|believ\w+)\b", re.IGNORECASE)
_MEASURED = compiled(r"\b(?:measured|printed|logged|profiled|recorded|wrote|traced)\b", re.IGNORECASE)
_OF_A_MEASUREMENT = {Want.IMPORT, Want.WHY_SLOWER, Want.PLAUSIBLE}
_TOLD = ("by_source", "energy.by_kind", "clocks", "latency_ms", "run_times", "causes", "checklist")
"""Fields of tables that these sentences tell, or that only all of it needs."""
_INSIDE = {True: "inside", False: "outside"}


def names_file(query: Query, wants: Sequence[Want]) -> bool:
    """Whether this question names a file to be read, and neither only mentions it nor calibrates by it."""
    named = [name.casefold() for name in query.all(Role.TRACE)]
    if any(name.endswith(_LINKED) for name in named):
        return True
    if not (query.says(Role.TRACE) and any(name.endswith(_TRACES) for name in named)):
        return False
    calibrates = wants[:1] == (Want.CALIBRATE,)
    if not (query.has(Role.MODEL) and query.has(Role.TARGET)):
        return not calibrates or bool(_TRUSTED.search(query.question))
    asked = _OF_A_MEASUREMENT & set(wants) or _MEASURED.search(query.question)
    return _is_of_one(query) and bool(asked) and not calibrates


def _is_of_one(query: Query) -> bool:
    return len(set(query.all(Role.MODEL))) == len(set(query.all(Role.TARGET))) == 1


def told(query: Query, _wants: Sequence[Want]) -> Answering:
    """What the files hold: against the plan, the other run or the estimate where that can be."""
    files = tuple(dict.fromkeys(query.all(Role.TRACE)))
    first, shown = files[0], ""
    if linked := next((name for name in files if name.casefold().endswith(_LINKED)), ""):
        both = query.has(Role.MODEL) and query.has(Role.TARGET)
        more = {} if both else {"model": None, "target": None}
        record, shown = needed((yield call_of("explain_firmware", query, path=linked, **more))), linked
    elif len(files) == 2:
        record = yield call_of("compare_runs", query, before=first, after=files[1])
        shown = f"{files[1]} --against {first}" if record.result is not None else ""
    elif _is_of_one(query):
        record = yield call_of("import_profile", query, path=first)
        names = f" --model {query.text(Role.MODEL)} -t {query.text(Role.TARGET)}"
        shown = f"{first}{names}" if record.result is not None else ""
    if not shown:
        volts = query.number(Role.SUPPLY_V)
        call = call_of("explain_trace", query, path=first, beside=list(files[1:]) or None, supply_v=volts)
        record = needed((yield call))
        shown = " --with ".join(files) + (f" --supply {volts:g}" if volts else "")
    return lines(
        *_leads(record),
        *(_unmet(record) if _TRUSTED.search(query.question) else ()),
        *documents.told(record, *_TOLD),
        f"`edgewright import {shown}` shows all of it.",
    )


def _leads(record: Record) -> Iterator[str]:
    where = _INSIDE.get(record["inside_interval"], "")
    for template, field, which in entries("leads")[record.name]:
        rows = [at for at, row in enumerate(record[field] or ()) if not which or row[which]] if field else [0]
        yield from (
            put(template.replace("AT", str(at)), record, where=where) for at in rows[: documents.MOST]
        )


def _unmet(record: Record) -> Iterator[str]:
    """What of the checklist is not met, where it is asked about."""
    unmet = (at for at, row in enumerate(record["checklist"] or ()) if row["met"] is False)
    yield from (put(f"Not met: {{checklist[#{at}].name}}.", record) for at in unmet)


def imported(query: Query, wants: Sequence[Want]) -> Answering:
    """A trace from a board against the estimate; without one, how that is done."""
    if not query.has(Role.TRACE):
        return (yield from pages.pages(query, wants))
    return (yield from told(query, wants))
