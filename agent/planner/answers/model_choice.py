"""Which network to take on a chip: the published ones of a task by accuracy, else those that are usual."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from ..words import spoken
from . import facts
from .phrases import joined, lines, said, table
from .side_by_side import side_by_side

_SHOWN = 4
_SMALL = ("kws", "vww", "ic", "ad", "mobilenet_v1:0.25")
_LARGE = ("mobilenet_v2", "efficientnet_lite0", "resnet50", "yolov8n", "yolov8s")
"""Networks that are usual on microcontrollers, and on more than that."""
_WORDS = {"PASS": "yes", "MARGINAL": "probably", "FAIL": "no", "UNKNOWN": "not sure"}
_MEETING = ("PASS", "MARGINAL")


def chooses_model(query: Query) -> bool:
    """Whether a question asks which network to take for a task on a chip, and names none itself."""
    named = [slot for slot in query.slots if slot.role is Role.MODEL and not slot.inherited]
    of_task = not named or (len(named) == 1 and bool(spoken("task", named[0].text)))
    return "model_choice" in query.asks and query.has(Role.TARGET) and of_task and _task(query) != ""


def recommend_model(query: Query, _wants: Sequence[Want]) -> Answering:
    """The most accurate published networks for a task that meet what is demanded on a chip."""
    if not query.has(Role.TARGET):
        return (yield from facts.list_models(query))
    task = _task(query)
    if not task:
        return (yield from _usual(query))
    call = call_of("recommend_model", query, task=task)
    record = needed((yield replace(call, used=call.used | {Role.MODEL})))
    where = record.ref("deployment.target")
    rows = _best(record)
    if not rows:
        none = f"No published model for {task} that I know surely does on {where}{_demanded(query)}."
        return lines(_perhaps(record), none, *_nearest(record))
    front = f"ranking[#{rows[0]}]"
    reached = f"{record.ref(f'{front}.accuracy', '%')} {record.ref(f'{front}.metric')}"
    first = (
        f"{_name(record, rows[0])}: {reached} on {record.ref(f'{front}.dataset')}, "
        f"{record.ref(f'{front}.latency_ms', '~')} on {where}."
    )
    head = ("model", "accuracy", "dataset", "fits", "latency", "RAM", "licence")
    return lines(
        first,
        table(head, (_row(record, at) for at in rows)),
        f"Of the published models for {task} that I know {record.ref('passing')} do there{_demanded(query)}; "
        f"the accuracy of the first is from {record.ref(f'{front}.source')}.",
        _other_type(record, rows[0]),
    )


def _task(query: Query) -> str:
    """What the network is for; of several the first of the table."""
    return next(iter(spoken("task", query.question)), "")


def _best(record: Record) -> list[int]:
    """The most accurate on the usual dataset, and the best of each other one."""
    rows = [at for at, row in enumerate(record["ranking"]) if row["verdict"] in _MEETING]
    usual = [at for at in rows if record["ranking"][at]["dataset"] == record["ranking"][rows[0]]["dataset"]]
    others = [at for at in rows if at not in usual and record["ranking"][at]["rank"] == 1]
    return [*usual[:_SHOWN], *others[:1]]


def _row(record: Record, at: int) -> tuple[str, ...]:
    path = f"ranking[#{at}]"
    return (
        _name(record, at),
        record.ref(f"{path}.accuracy", "%"),
        record.ref(f"{path}.dataset"),
        _WORDS[record["ranking"][at]["verdict"]],
        record.ref(f"{path}.latency_ms", "~"),
        record.ref(f"{path}.arena_bytes"),
        record.ref(f"{path}.licence"),
    )


def _name(record: Record, at: int) -> str:
    return record.ref(f"ranking[#{at}].architecture")


def _other_type(record: Record, at: int) -> str:
    row = record["ranking"][at]
    if row["precision"] == row["dtype"]:
        return ""
    path = f"ranking[#{at}]"
    return (
        f"That accuracy is of {record.ref(f'{path}.precision')}; it runs there in "
        f"{record.ref(f'{path}.dtype')}, and what that costs is not known."
    )


def _perhaps(record: Record) -> str:
    """The most accurate of those that may do, where none surely does; empty without one."""
    at = next((at for at, row in enumerate(record["ranking"] or ()) if row["verdict"] == "UNKNOWN"), None)
    if at is None or not record.knows(f"ranking[#{at}].latency_ms"):
        return ""
    latency = record.ref(f"ranking[#{at}].latency_ms", "~")
    return f"Perhaps {_name(record, at)}, with {latency} on {record.ref('deployment.target')}."


def _nearest(record: Record) -> list[str]:
    """What misses least, and why."""
    return [
        f"- {_name(record, at)}: {record.ref(f'ranking[#{at}].reasons[#0]')}"
        for at in range(min(2, len(record["ranking"] or ())))
    ]


def _demanded(query: Query) -> str:
    words = [said(query, role) for role in (Role.LATENCY_MS, Role.RATE_HZ, Role.RAM_BYTES, Role.FLASH_BYTES)]
    shown = joined(word for word in words if word)
    return f" within {shown}" if shown else ""


def _usual(query: Query) -> Answering:
    """Which usual networks go onto a chip, and how fast they are there."""
    found = query.targets.get(query.text(Role.TARGET))
    usual = _SMALL if found is None or found.target_class == "mcu" else _LARGE
    names = dict.fromkeys([*query.all(Role.MODEL), *usual])
    told = yield from side_by_side(query.put(Role.MODEL, *names), (Want.FITS, Want.LATENCY, Want.RAM))
    return lines(told, "These are usual networks; any .tflite of yours can be checked too.")
