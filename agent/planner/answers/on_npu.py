"""How much of a network runs on an accelerator, and what to do where nothing of it does."""

from __future__ import annotations

from collections.abc import Generator

from ...patterns import compiled
from ..bench import Call, Record, call_of, is_named
from ..query import LIMITS, Query, Role
from ..want import Want
from ..words import patterns
from .templates import put

_INTEGER = "int8"
_ASKED = patterns("on_npu")["asked"]


def asks(query: Query) -> bool:
    """Whether it asks how much of a network an accelerator takes."""
    return _ASKED.search(query.question) is not None


def shared(query: Query, record: Record) -> str:
    """Of an estimate on an accelerator: how many operators run there; empty where that is not asked."""
    on, off = record.number("accelerated_layers"), record.number("cpu_only_layers")
    if not on or not asks(query):
        return ""
    place, many = record.ref("deployment.processor"), record.ref("accelerated_layers")
    if not off:
        return f"All {many} operators run on {place}, none on the CPU."
    return f"{record.ref('cpu_only_layers')} operators run on the CPU, {many} on {place}."


def first(query: Query, wants: list[Want]) -> list[Want]:
    """What is wanted, with the operators before all else where they are asked for."""
    if not asks(query):
        return wants
    return [Want.COMPATIBILITY, *(want for want in wants if want not in (Want.PLACEMENT, Want.COMPATIBILITY))]


def share(record: Record) -> str:
    """Of a compatibility: the part of the MACs that stays on it; empty where all or nothing does."""
    on = _segments(record)
    if not on or len(on) == len(record["segments"]):
        return ""
    return f"{{{{sum({record.id}.segments[{','.join(map(str, on))}].macs_share)|%}}}} of the MACs stay on it"


def _segments(record: Record) -> list[int]:
    placed = (record["deployment"] or {}).get("processor")
    return [at for at, row in enumerate(record["segments"] or ()) if row["processor"] == placed]


def whole(query: Query) -> Generator[Call, Record, str]:
    """How many operators of the network the accelerator has, and what it takes then."""
    found = yield call_of("score_compatibility", query)
    time = yield call_of("estimate_performance", query)
    if not found["ops"] or not time.knows("latency_ms"):
        return ""
    has = len(found["ops"]) - sum(int(found[name] or 0) for name in _LACKING)
    many = "all {ops}" if has == len(found["ops"]) else f"{has} of {{ops}}"
    which = f"{many} operators of {{model}} are ones that {{deployment.target}} takes"
    told = put(which, found, model=query.text(Role.MODEL))
    return (
        f"By my tables {told}; mapped so, an inference takes {time.ref('latency_ms', '~')}." if told else ""
    )


def on_what_runs(query: Query) -> Generator[Call, Record, tuple[Query, str]]:
    """On other cores of a chip whose accelerator lacks an operator, and what it lacks.

    What does not run has no time, no energy and no life.
    """
    found = query.targets.get(query.text(Role.TARGET))
    if found is None or not found.accelerators or query.has(Role.RUNTIME) or len(found.runtimes) == 1:
        return query, ""
    usual, *others = found.runtimes
    check = yield call_of("check_constraints", query.without(LIMITS))
    for kernels in others if lacks(check) else ():
        other = query.put(Role.RUNTIME, kernels)
        if not lacks((yield call_of("check_constraints", other.without(LIMITS)))):
            of = yield call_of("score_compatibility", query)
            at = next(op["index"] for op in of["ops"] if not op["supported"])
            why = f"layer {at}, {of.ref(f'ops[{at}].op')}: {of.ref(f'ops[{at}].reason')}"
            many = f"{check.ref('checks[operators].demand')} in {usual}"
            return other, f"{many} ({why}) Changed for {usual} and trained anew it may"
    return query, ""


def elsewhere(query: Query) -> Generator[Call, Record, str]:
    """What such a chip takes on its other cores."""
    other, lacking = yield from on_what_runs(query)
    if not lacking:
        return ""
    one = yield call_of("estimate_performance", other)
    takes = [one.ref(path, "~") for path in ("latency_ms", "energy_uj") if one.knows(path)]
    there = f"with {other.text(Role.RUNTIME)} it takes {' and '.join(takes)}"
    return f"{query.text(Role.TARGET)}: {lacking}; {there}."


def lacks(check: Record) -> bool:
    """Whether there is no kernel for an operator, or nothing can be told."""
    return check.result is None or any(
        row["name"] == "operators" and row["verdict"] == "FAIL" for row in check["checks"]
    )


def left_out(query: Query, said: str) -> Generator[Call, Record, tuple[str, str]]:
    """A refusal on a chip of which an accelerator is not described: that it is without it, and why."""
    place = query.targets.get(query.text(Role.TARGET))
    if place is None or place.target_class == "mcu" or said.startswith("Yes") or query.says(Role.RUNTIME):
        return said, ""
    chip = yield call_of("get_target", query)
    for at, note in enumerate(chip["notes"] or ()):
        if of := _LEFT_OUT.match(note):
            without = f"Without its {of[1]}, of which I have no figures, no: "
            return said.replace("No, ", without, 1), chip.ref(f"notes[#{at}]")
    return said, ""


_LEFT_OUT = compiled(r"(?:Its|The) (Neural Engine|TPU|NPU)\b.* left out:")
_LACKING = ("fallback_ops", "unsupported_ops", "unknown_ops")


def nothing_on_it(query: Query, record: Record) -> Generator[Call, Record, str]:
    """That an estimate for an accelerator is one of the CPU beside it, for want of kernels in its type."""
    layers, dtype = record["layers"] or (), str(record["dtype"] or "")
    placed = (record["deployment"] or {}).get("processor")
    if not layers or record["accelerated_layers"] or any(row["processor"] == placed for row in layers):
        return ""
    many, cpu = record.ref("cpu_only_layers"), record.ref("layers[#0].processor")
    told = f"Nothing of it runs on the NPU, which takes no {dtype}: all {many} operators run on {cpu}."
    if not is_named(query.text(Role.MODEL)) or dtype == _INTEGER:
        return told
    other = yield call_of("estimate_performance", query, dtype=_INTEGER)
    return f"{told} In int8 it takes {other.ref('latency_ms', '~')}." if other.knows("latency_ms") else told
