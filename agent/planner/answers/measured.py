"""Files that a question names: a trace against the estimate, two runs, or a linked firmware."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from . import traces
from .phrases import joined, lines

_LINKED = (".elf", ".axf", ".map")
_SHOWN = 3
_MEASURED = re.compile(r"\b(?:measured|printed|logged|profiled|recorded|wrote|traced)\b", re.IGNORECASE)
_OF_A_MEASUREMENT = {Want.IMPORT, Want.WHY_SLOWER, Want.PLAUSIBLE}


def names_firmware(query: Query) -> bool:
    return any(name.casefold().endswith(_LINKED) for name in query.all(Role.TRACE))


def names_two_runs(query: Query, wants: Sequence[Want]) -> bool:
    return len(set(query.all(Role.TRACE))) == 2 and traces.explains(query, wants)


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
        return (yield from traces.explained(query, wants))
    return lines(
        _change(record),
        *(f"- {_cause(record, at)}" for at in range(min(_SHOWN, len(record["by_structure"])))),
        f"`edgewright import {after} --against {before}` shows it layer by layer.",
    )


def names_a_measured_model(query: Query, wants: Sequence[Want]) -> bool:
    """Whether a trace is to be read, and the one model and the one place that it is of are named."""
    one = len(set(query.all(Role.MODEL))) == len(set(query.all(Role.TARGET))) == 1
    asked = _OF_A_MEASUREMENT & set(wants) or _MEASURED.search(query.question)
    return bool(one and asked and traces.names_trace(query) and wants[:1] != (Want.CALIBRATE,))


def against_estimate(query: Query, wants: Sequence[Want]) -> Answering:
    """How far the measurement is from the estimate, where it goes, and what explains the difference."""
    path = query.text(Role.TRACE)
    record = yield call_of("import_profile", query, path=path)
    if record.result is None:
        return (yield from traces.explained(query, wants))
    sure = {True: "inside its interval", False: "outside its interval"}.get(record["inside_interval"], "")
    ratio = f", {record.ref('ratio')} times as much" if record.knows("ratio") else ""
    word = "Measured" if record["runs"] else "Expected"
    told = [f"{word} {record.ref('latency_ms')}, estimated {record.ref('estimated_ms', '~')}{ratio}; {sure}."]
    told += _longest(record) or [traces.of_runs(record)]
    holds = [at for at, row in enumerate(record["causes"]) if row["holds"]]
    told += [
        f"Why: {record.ref(f'causes[#{at}].cause')}, as {record.ref(f'causes[#{at}].why')}." for at in holds
    ]
    told += [f"Mind: {record.ref(f'warnings[#{at}]')}." for at in range(min(_SHOWN, len(record["warnings"])))]
    odd = [at for at, row in enumerate(record["residuals"]) if row["stands_out"]][:_SHOWN]
    told += [_odd(record, f"residuals[#{at}]") for at in odd]
    told += [f"- {record.ref(f'facts[#{at}]')}." for at in range(min(_SHOWN, len(record["facts"])))]
    told += [
        f"- Could be: {record.ref(row + '.cause')}. Check: {record.ref(row + '.check')}."
        for row in (f"hypotheses[#{at}]" for at in range(min(_SHOWN, len(record["hypotheses"]))))
    ]
    model, place = query.text(Role.MODEL), query.text(Role.TARGET)
    shown = "it layer by layer" if record["residuals"] else "all of it"
    return lines(*told, f"`edgewright import {path} --model {model} -t {place}` shows {shown}.")


def _longest(record: Record) -> list[str]:
    """The bottleneck of what was measured, and the two behind it."""
    timed = [at for at, row in enumerate(record["layers"]) if row["measured_ms"] is not None]
    order = sorted(timed, key=lambda at: -record["layers"][at]["measured_ms"])[:_SHOWN]
    rows = [f"layers[#{at}]" for at in order]
    named = [
        f"layer {record.ref(row + '.index')} ({record.ref(row + '.op')}, {record.ref(row + '.measured_ms')}, "
        f"{record.ref(row + '.share', '%')})"
        for row in rows
    ]
    return [f"Most of it goes to {joined(named)}."] if named else []


def _odd(record: Record, row: str) -> str:
    layer, op, took, foreseen, off = (
        record.ref(f"{row}.{each}")
        for each in ("index", "op", "measured_ms", "estimated_ms", "residual_ratio")
    )
    return f"- Layer {layer} {op} takes {took}, estimated {foreseen}: {off} times the level of the others."


def _change(record: Record) -> str:
    row = "figures[#0]"
    first = f"{record.ref(row + '.before')} before and {record.ref(row + '.after')} after"
    ratio = f", {record.ref(row + '.ratio')} as much" if record.knows(row + ".ratio") else ""
    sure = {True: "", False: "; the runs do not tell them apart"}.get(record["differs"], "")
    return f"{first}{ratio}{sure}."


def _cause(record: Record, at: int) -> str:
    row = f"by_structure[#{at}]"
    return f"{record.ref(row + '.cause')}: {record.ref(row + '.share', '%')} of the change"


__all__ = [
    "against_estimate", "firmware", "names_a_measured_model", "names_firmware", "names_two_runs", "two_runs",
]  # fmt: skip
