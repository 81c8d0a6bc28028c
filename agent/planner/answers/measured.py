"""Files that a question names besides one trace: two runs, or a linked firmware."""

from __future__ import annotations

from collections.abc import Sequence

from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from . import deeds
from .phrases import joined, lines

_LINKED = (".elf", ".axf", ".map")
_SHOWN = 3


def names_firmware(query: Query) -> bool:
    return any(name.casefold().endswith(_LINKED) for name in query.all(Role.TRACE))


def names_two_runs(query: Query, wants: Sequence[Want]) -> bool:
    return len(set(query.all(Role.TRACE))) == 2 and deeds.explains(query, wants)


def firmware(query: Query, _wants: Sequence[Want]) -> Answering:
    """What lies in flash and RAM by role, the largest first; against the plan where both are named."""
    path = next(name for name in query.all(Role.TRACE) if name.casefold().endswith(_LINKED))
    both = query.has(Role.MODEL) and query.has(Role.TARGET)
    more = {} if both else {"model": None, "target": None}
    record = needed((yield call_of("explain_firmware", query, path=path, **more)))
    parts = record["parts"]
    order = sorted(range(len(parts)), key=lambda at: -(parts[at]["flash_bytes"] + parts[at]["ram_bytes"]))
    largest = [
        f"{record.ref(f'parts[#{at}].role')} {record.ref(f'parts[#{at}].flash_bytes')} of flash and "
        f"{record.ref(f'parts[#{at}].ram_bytes')} of RAM"
        for at in order[:_SHOWN]
    ]
    against = [
        f"- {record.ref(f'against[#{at}].part')}: {record.ref(f'against[#{at}].linked_bytes')} linked, "
        f"{record.ref(f'against[#{at}].planned', '~')} planned."
        for at, row in enumerate(record["against"])
        if row["linked_bytes"] is not None
    ]
    return lines(
        f"It takes {record.ref('flash_bytes')} of flash and {record.ref('ram_bytes')} of RAM; "
        f"{joined(largest)}.",
        *against,
        f"`edgewright import {path}` shows each symbol.",
    )


def two_runs(query: Query, wants: Sequence[Want]) -> Answering:
    """What changed from the first to the second, and what makes it up; each alone where they are no runs."""
    before, after = dict.fromkeys(query.all(Role.TRACE))
    record = yield call_of("compare_runs", query, before=before, after=after)
    if record.result is None:
        return (yield from deeds.explained(query, wants))
    return lines(
        _change(record),
        *(f"- {_cause(record, at)}" for at in range(min(_SHOWN, len(record["by_structure"])))),
        f"`edgewright import {after} --against {before}` shows it layer by layer.",
    )


def _change(record: Record) -> str:
    row = "figures[#0]"
    first = f"{record.ref(row + '.before')} before and {record.ref(row + '.after')} after"
    ratio = f", {record.ref(row + '.ratio')} as much" if record.knows(row + ".ratio") else ""
    sure = {True: "", False: "; the runs do not tell them apart"}.get(record["differs"], "")
    return f"{first}{ratio}{sure}."


def _cause(record: Record, at: int) -> str:
    row = f"by_structure[#{at}]"
    return f"{record.ref(row + '.cause')}: {record.ref(row + '.share', '%')} of the change"


__all__ = ["firmware", "names_firmware", "names_two_runs", "two_runs"]
