"""Files that a question names: a trace against the estimate, two runs, or a linked firmware."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from . import traces
from .phrases import joined, lines
from .templates import put

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
    part = "{parts[#AT].role} {parts[#AT].flash_bytes} of flash and {parts[#AT].ram_bytes} of RAM"
    linked = "- {against[#AT].part}: {against[#AT].linked_bytes} linked, {against[#AT].planned|~} planned."
    return lines(
        put(
            "It takes {flash_bytes} of flash and {ram_bytes} of RAM; {largest}.",
            record,
            largest=joined(_each(record, part, order[:_SHOWN])),
        ),
        *_each(record, linked, range(len(record["against"]))),
        f"`edgewright import {path}` shows each symbol.",
    )


def _each(record: Record, template: str, rows: Iterable[int]) -> list[str]:
    """The template for each of these rows, which `AT` stands for, that it can be told of."""
    return list(filter(None, (put(template.replace("AT", str(at)), record) for at in rows)))


def two_runs(query: Query, wants: Sequence[Want]) -> Answering:
    """What changed from the first to the second, and what makes it up; each alone where they are no runs."""
    before, after = dict.fromkeys(query.all(Role.TRACE))
    record = yield call_of("compare_runs", query, before=before, after=after)
    if record.result is None:
        return (yield from traces.explained(query, wants))
    sure = "; the runs do not tell them apart" if record["differs"] is False else ""
    change = "{figures[#0].before} before and {figures[#0].after} after[, {figures[#0].ratio} as much]"
    cause = "- {by_structure[#AT].cause}: {by_structure[#AT].share|%} of the change"
    return lines(
        put(f"{change}{sure}.", record),
        *_each(record, cause, range(min(_SHOWN, len(record["by_structure"])))),
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
    inside = {True: "; inside its interval", False: "; outside its interval"}.get(
        record["inside_interval"], ""
    )
    word = "Measured" if record["runs"] else "Expected"
    told = [
        put(
            f"{word} {{latency_ms}}[, estimated {{estimated_ms|~}}][, {{ratio}} times as much]{inside}.",
            record,
        )
    ]
    told += _longest(record) or [traces.of_runs(record)]
    holds = [at for at, row in enumerate(record["causes"]) if row["holds"]]
    odd = [at for at, row in enumerate(record["residuals"]) if row["stands_out"]]
    for template, rows in (
        ("Why: {causes[#AT].cause}, as {causes[#AT].why}.", holds),
        ("Mind: {warnings[#AT]}.", range(min(_SHOWN, len(record["warnings"])))),
        (_ODD, odd[:_SHOWN]),
        ("- {facts[#AT]}.", range(min(_SHOWN, len(record["facts"])))),
        (_COULD_BE, range(min(_SHOWN, len(record["hypotheses"])))),
    ):
        told += _each(record, template, rows)
    model, place = query.text(Role.MODEL), query.text(Role.TARGET)
    shown = "it layer by layer" if record["residuals"] else "all of it"
    return lines(*told, f"`edgewright import {path} --model {model} -t {place}` shows {shown}.")


_ODD = (
    "- Layer {residuals[#AT].index} {residuals[#AT].op} takes {residuals[#AT].measured_ms}, estimated "
    "{residuals[#AT].estimated_ms}: {residuals[#AT].residual_ratio} times the level of the others."
)
_COULD_BE = "- Could be: {hypotheses[#AT].cause}. Check: {hypotheses[#AT].check}."
_LAYER = "layer {layers[#AT].index} ({layers[#AT].op}, {layers[#AT].measured_ms}, {layers[#AT].share|%})"


def _longest(record: Record) -> list[str]:
    """The bottleneck of what was measured, and the two behind it."""
    timed = [at for at, row in enumerate(record["layers"]) if row["measured_ms"] is not None]
    order = sorted(timed, key=lambda at: -record["layers"][at]["measured_ms"])[:_SHOWN]
    named = _each(record, _LAYER, order)
    return [f"Most of it goes to {joined(named)}."] if named else []


__all__ = [
    "against_estimate", "firmware", "names_a_measured_model", "names_firmware", "names_two_runs", "two_runs",
]  # fmt: skip
