"""A file of measurements that a question names: what leads, and what its own document says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from . import documents, pages
from .documents import MOST
from .phrases import figure, joined, lines, subject

_TRACES = (".csv", ".tsv", ".log", ".txt", ".json", ".prof", ".pb", ".xlsx", ".etdp", ".pftrace", ".ctf",
           ".tef")  # fmt: skip
_MLIR = "source in MLIR"
_ASKS_CHECKLIST = re.compile(r"\b(?:check ?list|reproduc\w+|trust|believ\w+)\b", re.IGNORECASE)


def imported(query: Query, wants: Sequence[Want]) -> Answering:
    """A trace from a board against the estimate; without one, how that is done."""
    if not query.has(Role.TRACE) or not query.has(Role.MODEL) or not query.has(Role.TARGET):
        return (yield from pages.pages(query, wants))
    path = query.text(Role.TRACE)
    record = needed((yield call_of("import_profile", query, path=path)))
    return lines(
        f"The trace says {figure(record, 'latency_ms')}: {subject(query, record)}.",
        f"`edgewright import {path} --model {query.text(Role.MODEL)} -t {query.text(Role.TARGET)}` shows it "
        "layer by layer.",
    )


def explains(query: Query, wants: Sequence[Want]) -> bool:
    """Whether a trace is named, and no model or no place to compare it with."""
    compared = query.has(Role.MODEL) and query.has(Role.TARGET)
    calibrates = wants[:1] == (Want.CALIBRATE,) and not _ASKS_CHECKLIST.search(query.question)
    return names_trace(query) and not compared and not calibrates


def names_trace(query: Query) -> bool:
    """Whether this question names a file that may be a trace."""
    named = [name for name in query.all(Role.TRACE) if name.casefold().endswith(_TRACES)]
    return bool(named) and query.says(Role.TRACE)


def explained(query: Query, _wants: Sequence[Want]) -> Answering:
    """What takes the time or the energy in a trace, why to doubt it, and what its document says."""
    first, *others = query.all(Role.TRACE)
    volts = query.number(Role.SUPPLY_V)
    call = call_of("explain_trace", query, path=first, beside=others or None, supply_v=volts)
    record = needed((yield call))
    files = " --with ".join((first, *others)) + (f" --supply {volts:g}" if volts else "")
    return lines(
        *(f"Mind: {line}." for line in _minds(record)),
        *_leads(record),
        *(_unmet(record) if _ASKS_CHECKLIST.search(query.question) else ()),
        *documents.told(record, "operators", "by_source", "energy.layers", "energy.by_kind"),
        f"`edgewright import {files}` shows all of it.",
    )


def _minds(record: Record) -> Iterator[str]:
    """Why the measurement may not be believed."""
    for at in range(min(MOST, len(record["doubts"]))):
        yield f"{record.ref(f'doubts[#{at}].name')}, as {record.ref(f'doubts[#{at}].why')}"
    yield from (record.ref(f"warnings[#{at}]") for at in range(min(MOST, len(record["warnings"]))))


def _leads(record: Record) -> Iterator[str]:
    """The sentence on what most will want of it."""
    if record["energy"]:
        yield from _energy(record)
    if record["accesses"]:
        yield f"It touches {record.ref('accesses.touched_bytes')} of data."
    for name, words in (("least_energy", "least energy"), ("least_edp", "least energy x time")):
        for at in (at for at, row in enumerate(record["clocks"]) if row[name]):
            mhz, energy, time = (
                record.ref(f"clocks[#{at}].{each}") for each in ("clock_mhz", "energy_uj", "latency_ms")
            )
            yield f"{mhz} takes the {words}: {energy} in {time}."
    mapped = any(row["format"] == _MLIR for row in record["sources"]) and record["by_source"]
    of = "by_source" if mapped else "operators"
    ranked = [_operator(record, f"{of}[#{at}]", row) for at, row in enumerate(record[of][:MOST])]
    if ranked:
        yield f"{ranked[0]} takes the most time of {record.ref('sources[#0].file')}."
        yield f"Then {joined(ranked[1:])}." if ranked[1:] else ""
    yield of_runs(record)


def _energy(record: Record) -> Iterator[str]:
    """Of one inference and its layers, else of the whole."""
    of = "energy."
    if record["energy"]["inference_uj"] is not None:
        yield (
            f"One inference takes {record.ref(of + 'inference_uj')}, the mean of "
            f"{record.ref(of + 'inferences')}."
        )
    else:
        yield (f"The trace holds {record.ref(of + 'energy_uj')}, {record.ref(of + 'mean_mw')} on average.")
    layers = list(enumerate(record["energy"]["layers"]))
    shown = [
        f"`{documents.plain(layer['name_untrusted'])}` ({record.ref(f'energy.layers[#{at}].energy_uj')}, "
        f"{record.ref(f'energy.layers[#{at}].share', '%')})"
        for at, layer in sorted(layers, key=lambda one: -one[1]["energy_uj"])[:MOST]
    ]
    yield f"Most goes to {joined(shown)}." if len(layers) > 1 else ""


def of_runs(record: Record) -> str:
    if not record["run_times"]:
        return ""
    runs, first, p50, p99 = (
        record.ref(f"run_times.{name}") for name in ("runs", "first_ms", "p50_ms", "p99_ms")
    )
    return f"Of {runs} runs after the first half take {p50} or less, 99 of 100 {p99}; the first took {first}."


def _unmet(record: Record) -> Iterator[str]:
    """What of the checklist is not met, where it is asked about."""
    for met, words in ((False, "Not met"), (None, "Not known from the file")):
        names = [
            record.ref(f"checklist[#{at}].name")
            for at, row in enumerate(record["checklist"])
            if row["met"] is met
        ]
        yield f"{words}: {joined(names)}." if names else ""


def _operator(record: Record, row: str, found: dict[str, object]) -> str:
    timed = record.knows(f"{row}.time_ms")
    time = record.ref(f"{row}.time_ms") if timed else f"{record.ref(f'{row}.cycles')} cycles"
    return f"`{documents.plain(str(found['name_untrusted']))}` ({time}, {record.ref(f'{row}.share', '%')})"
