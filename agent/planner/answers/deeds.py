"""Code that runs a model, a trace or a measurement that is read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from . import compiled, facts, pages
from .phrases import ASSUMED, ask_model, assumed, figure, joined, lines, said, subject

_SHORT = 600


def code(query: Query, _wants: Sequence[Want]) -> Answering:
    """The command that writes the code, the size of the arena and the operators to register."""
    if not query.has(Role.MODEL):
        found = pages.search(query.question, 1, pages.SURE)
        return pages.with_code(query.question, pages.quoted(found[0]), found) if found else ask_model()
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


_DOUBTS_IT_IS_KNOWN = re.compile(
    r"\b(?:you|it|edgewright|tool|database)\b.{0,20}"
    r"\b(?:won'?t|don'?t|do not|doesn'?t|does not|will not|not|never)\b.{0,12}"
    r"\b(?:have|know|list|heard|support)\w*|\bnot (?:in|on) (?:your|the) list|"
    r"\bmissing in (?:your|the) (?:list|database)|\b(?:not|isn'?t) supported by (?:you|edgewright|the tool)",
    re.IGNORECASE,
)


def doubts_its_board(query: Query) -> bool:
    """Whether a board is thought unknown that is known."""
    return (
        query.says(Role.TARGET)
        and not query.has(Role.MODEL)
        and bool(_DOUBTS_IT_IS_KNOWN.search(query.question))
    )


def known_after_all(query: Query, wants: Sequence[Want]) -> Answering:
    """That it is there, what is known of it, and how a board is described that differs from it."""
    told = yield from facts.chip(query, wants)
    target, clock = query.text(Role.TARGET), query.number(Role.CLOCK_MHZ)
    at = f" --clock {clock:g}MHz" if clock else ""
    clocked = f", at {said(query, Role.CLOCK_MHZ)}," if clock else ""
    return lines(
        f"It is known: {told}",
        f"Where your board differs{clocked} describe it: `edgewright targets add my-board --like "
        f"{target}{at} "
        '--source "board manual" -o boards`, then `--hardware-dir boards`. One measurement of yours '
        "narrows what it says: `edgewright calibrate`.",
        "From docs/cli.md, Boards of your own.",
    )


_TRACES = (".csv", ".tsv", ".log", ".txt", ".json", ".prof", ".pb", ".xlsx", ".etdp", ".pftrace", ".ctf",
           ".tef")  # fmt: skip
_TOP = 3
_MLIR = "source in MLIR"
_ASKS_CHECKLIST = re.compile(r"\b(?:check ?list|reproduc\w+|trust|believ\w+)\b", re.IGNORECASE)
_PLAIN = str.maketrans("{}`", "()'")
"""A name out of a file is no reference and ends no quotation."""


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
    """What takes the time in a trace, how its units were used, and what that says to change."""
    first, *others = query.all(Role.TRACE)
    volts = query.number(Role.SUPPLY_V)
    call = call_of("explain_trace", query, path=first, beside=others or None, supply_v=volts)
    record = needed((yield call))
    if record["energy"]:
        supply = f" --supply {volts:g}" if volts else ""
        return _energy(record, " --with ".join((first, *others)) + supply)
    if record["clocks"]:
        told = [*_doubts(record), *_clocks(record)] if record["doubts"] else _clocks(record)
        return lines(*told, f"`edgewright import {first}` shows all of it.")
    if record["counters"]:
        told = [f"By its counters the run is {record.ref('counters.kind')}."]
        rules = range(min(_TOP, len(record["counters"]["rules"])))
        told += [_rule(record, f"counters.rules[#{at}]") for at in rules] or _shares(
            record, "counters.causes", "cause", "Of the cycles"
        )
        if record["energy_fit"]:
            told += _shares(record, "energy_fit.terms", "name", "Of the energy, as fitted to these rows")
        told = [*_ranked(record), *of_runs(record), *told, *_doubts(record), *_checklist(query, record)]
        return lines(*told, f"`edgewright import {first}` shows all of it.")
    if compiled.is_report(record) and not record["accesses"]:
        return lines(*compiled.told(record), *_minds(record), f"`edgewright import {first}` shows all of it.")
    if record["accesses"]:
        return lines(_accesses(record), f"`edgewright import {first}` shows all of it.")
    told = _ranked(record)
    if record["occupancy"] and len(record["lanes"]) > 1:
        of = "occupancy."
        told.append(
            f"Compute runs alone for {record.ref(of + 'compute_only_share', '%')} of the time, beside "
            f"transfers for {record.ref(of + 'overlap_share', '%')}; transfers run alone for "
            f"{record.ref(of + 'transfer_only_share', '%')}, and for "
            f"{record.ref(of + 'idle_share', '%')} nothing runs."
        )
    for at in range(min(_TOP, len(record["advice"]))):
        row = f"advice[#{at}]"
        told.append(f"- {record.ref(row + '.why')}. What helps: {record.ref(row + '.remedy')}.")
    told += _minds(record)
    shown = " --with ".join((first, *others))
    return lines(*told, f"`edgewright import {shown}` shows all of it.")


def _ranked(record: Record) -> list[str]:
    """The operators that take the most time; those of the model's source where it is known."""
    mapped = any(row["format"] == _MLIR for row in record["sources"])
    of = "by_source" if mapped and record["by_source"] else "operators"
    ranked = [f"{_operator(record, f'{of}[#{at}]')}" for at in range(min(_TOP, len(record[of])))]
    told = [f"{ranked[0]} takes the most time of {record.ref('sources[#0].file')}."] if ranked else []
    return told + ([f"Then {joined(ranked[1:])}."] if ranked[1:] else [])


def _minds(record: Record) -> list[str]:
    return [f"Mind: {record.ref(f'warnings[#{at}]')}." for at in range(min(_TOP, len(record["warnings"])))]


def _accesses(record: Record) -> str:
    """Of a trace of memory accesses: the working set, its order, and the caches that miss much of it."""
    of = "accesses."
    caches = [f"{of}caches[#{at}]" for at in range(len(record["accesses"]["caches"]))]
    missed = joined(
        f"{record.ref(f'{row}.cache_bytes')} {record.ref(f'{row}.miss_share', '%')}" for row in caches
    )
    return (
        f"It touches {record.ref(of + 'touched_bytes')} of data; "
        f"{record.ref(of + 'sequential_share', '%')} of the accesses follow the one before. "
        f"Caches would miss: {missed}."
    )


def _shares(record: Record, of: str, named: str, begin: str) -> list[str]:
    """The largest parts of a whole."""
    table, _, name = of.partition(".")
    rows = record[table][name]
    order = sorted(range(len(rows)), key=lambda at: -rows[at]["share"])[:_TOP]
    parts = [f"{record.ref(f'{of}[#{at}].{named}')} {record.ref(f'{of}[#{at}].share', '%')}" for at in order]
    return [f"{begin}: {joined(parts)}."] if parts else []


def _rule(record: Record, row: str) -> str:
    return f"- {record.ref(row + '.why')}. What helps: {record.ref(row + '.remedy')}."


def _energy(record: Record, files: str) -> str:
    """Of a power trace: of one inference and its layers, else of the whole."""
    of = "energy."
    whole, mean = record.ref(of + "energy_uj"), record.ref(of + "mean_mw")
    told = [f"The trace holds {whole}, {mean} on average."]
    if record["energy"]["inference_uj"] is not None:
        one, many = record.ref(of + "inference_uj"), record.ref(of + "inferences")
        told = [f"One inference takes {one}, the mean of {many}."]
    layers = record["energy"]["layers"]
    ranked = sorted(range(len(layers)), key=lambda at: -layers[at]["energy_uj"])[:_TOP]
    if len(layers) > 1:
        rows = [f"energy.layers[#{at}]" for at in ranked]
        names = [str(layers[at]["name_untrusted"]).translate(_PLAIN) for at in ranked]
        shown = [
            f"`{name}` ({record.ref(f'{row}.energy_uj')}, {record.ref(f'{row}.share', '%')})"
            for name, row in zip(names, rows, strict=True)
        ]
        told.append(f"Most goes to {joined(shown)}.")
    told += _doubts(record)
    return lines(*told, f"`edgewright import {files}` shows all of it.")


def _clocks(record: Record) -> list[str]:
    """Runs at several clocks: the one of least energy, and that of least energy times time."""
    told = []
    for name, words in (("least_energy", "least energy"), ("least_edp", "least energy x time")):
        at = next(at for at, row in enumerate(record["clocks"]) if row[name])
        mhz, energy, time = (
            record.ref(f"clocks[#{at}].{each}") for each in ("clock_mhz", "energy_uj", "latency_ms")
        )
        told.append(f"{mhz} takes the {words}: {energy} in {time}.")
    return told


def of_runs(record: Record) -> list[str]:
    if not record["run_times"]:
        return []
    runs, first, p50, p99 = (
        record.ref(f"run_times.{name}") for name in ("runs", "first_ms", "p50_ms", "p99_ms")
    )
    return [
        f"Of {runs} runs after the first half take {p50} or less, 99 of 100 {p99}; the first took {first}."
    ]


def _checklist(query: Query, record: Record) -> list[str]:
    """What of it is not met, where it is asked about."""
    if not _ASKS_CHECKLIST.search(query.question) or not record["checklist"]:
        return []
    rows = list(enumerate(record["checklist"]))
    open_ = [f"{record.ref(f'checklist[#{at}].name')}" for at, row in rows if row["met"] is False]
    unknown = [f"{record.ref(f'checklist[#{at}].name')}" for at, row in rows if row["met"] is None]
    return [
        f"Not met: {joined(open_)}." if open_ else "Nothing of the checklist is broken.",
        f"Not known from the file: {joined(unknown)}." if unknown else "",
    ]


def _doubts(record: Record) -> list[str]:
    """Why the measurement may not be believed."""
    rows = [f"doubts[#{at}]" for at in range(min(_TOP, len(record["doubts"])))]
    return [f"Mind: {record.ref(f'{row}.name')}, as {record.ref(f'{row}.why')}." for row in rows]


def _operator(record: Record, row: str) -> str:
    time = "time_ms" if record.knows(f"{row}.time_ms") else "cycles"
    unit = "" if time == "time_ms" else " cycles"
    share = record.ref(f"{row}.share", "%")
    return f"{_name(record, row)} ({record.ref(f'{row}.{time}')}{unit}, {share})"


def _name(record: Record, row: str) -> str:
    """As the file has it, which is cleaned: in quotes, and no reference whatever it holds."""
    of, at = row.removesuffix("]").split("[#")
    return f"`{str(record[of][int(at)]['name_untrusted']).translate(_PLAIN)}`"


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
        f"{ASSUMED}{record.ref(board + '.runtime')}." if not query.has(Role.RUNTIME) else "",
    )


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
