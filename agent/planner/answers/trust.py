"""What a figure stands on, why its interval is as wide as it is, how far off the estimates are."""

from __future__ import annotations

from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from .passages import SURE, quoted, search
from .phrases import figure, joined, lines

_CLASSES = ("mcu", "npu", "gpu", "cpu")
_OF_CLASS = {"mpu": "cpu", "gpu-soc": "gpu", "dsp": "npu"}
_MOST_ROWS = 6
_NAMES = {"latency_ms": "latency", "energy_uj": "energy"}
_HOW_FAR = "How far off they are"
_NARROWS = "one measurement of your own narrows it: `edgewright calibrate`"


def evidence(query: Query) -> Answering:
    """Measured or not, what the estimate rests on, and the nearest published measurements."""
    estimate = needed((yield call_of("estimate_performance", query)))
    record = yield call_of("evidence", query)
    basis = estimate["latency_ms"]["basis"]
    here = (
        "measured and published for this very case"
        if basis == "published"
        else f"not measured here, but {basis}"
    )
    on = joined([estimate.ref(f"stands_on[#{i}]") for i in range(min(1, len(estimate["stands_on"])))])
    near = joined(_nearest(record, i) for i in range(min(1, len(record["nearest"] or ()))))
    return (
        f"{figure(estimate, 'latency_ms', basis=False)} is "
        f"{here}{': ' + on if on else ''}{'; nearest: ' + near if near else ''}"
    )


def _nearest(record: Record, index: int) -> str:
    row = f"nearest[#{index}]"
    return (
        f"{record.ref(row + '.latency_ms')} for {record.ref(row + '.network')} on "
        f"{record.ref(row + '.device')} with "
        f"{record.ref(row + '.runtime')} ({record.ref(row + '.repository')})"
    )


def interval(query: Query) -> Answering:
    """Why it is as wide as it is."""
    estimate = needed((yield call_of("estimate_performance", query)))
    on = joined([estimate.ref(f"stands_on[#{i}]") for i in range(min(1, len(estimate["stands_on"])))])
    return (
        f"{figure(estimate, 'latency_ms')}: nine such cases in ten lie inside, judged on networks "
        f"and boards left out "
        f"of the fit; it stands on {on or 'no measurement'}; {_NARROWS}"
    )


def error(query: Query, quantity: str = "latency_ms") -> Answering:
    """The out-of-sample error: of a kernel library or a board's usual one, of a class, or of all.

    Where nothing of these is named and a page on trust answers the question, that.
    """
    if not query.says(Role.TARGET, Role.RUNTIME, Role.MODEL) and (page := _page(query)):
        return page
    found = query.targets.get(query.text(Role.TARGET))
    usual = found.runtimes[0] if found and found.runtimes else ""
    kind = query.text(Role.TARGET_CLASS) or (str(found.target_class) if found else "")
    kind = _OF_CLASS.get(kind, kind)
    for runtime in dict.fromkeys([query.text(Role.RUNTIME) or usual, ""]):
        more = {"device_class": kind} if kind in _CLASSES and not runtime else {}
        record = yield call_of("validate", query.without([Role.RUNTIME]), **more, runtime=runtime or None)
        rows = {
            (row["class"], row["scheme"]): i
            for i, row in enumerate(record["groups"] or ())
            if row.get("class") and row["runtime"] == (runtime or "all") and row["quantity"] == quantity
        }
        new = [(name, i) for (name, scheme), i in rows.items() if scheme == "leave-one-model-out"]
        if not new:
            continue
        new.sort(key=lambda each: -(record.number(f"groups[#{each[1]}].n") or 0.0))
        parts = [
            f"{record.ref(f'groups[#{i}].median_ape', '%')} on {name.upper()}s"
            + _of_board(record, rows.get((name, "leave-one-board-out")))
            + (_counted(record, i) if len(new) == 1 or runtime else "")
            for name, i in new[:_MOST_ROWS]
        ]
        which = f" with {runtime}" if runtime else ""
        asked = "" if runtime else query.text(Role.RUNTIME)
        return lines(
            f"I have no measurements with {asked}." if asked else "",
            f"Median error of the {_NAMES[quantity]}{which}, on networks that were left out of the fit: "
            f"{'; '.join(parts)}.",
            "`edgewright validate` shows it by board, kernels and quantity.",
        )
    return "I have no measurements to hold the estimates against there."


def _page(query: Query) -> str:
    """What the pages say, unless it is the section that sends one to the figures."""
    found = search(query.question, 1, SURE)
    return quoted(found[0]) if found and found[0].section != _HOW_FAR else ""


def _of_board(record: Record, row: int | None) -> str:
    known = row is not None and record.knows(f"groups[#{row}].median_ape")
    return (
        f" ({record.ref(f'groups[#{row}].median_ape', '%')} on a board that was left out too)"
        if known
        else ""
    )


def _counted(record: Record, row: int) -> str:
    path = f"groups[#{row}]"
    return (
        f", {record.ref(path + '.n')} measurements of {record.ref(path + '.models')} networks on "
        f"{record.ref(path + '.boards')} boards, {record.ref(path + '.coverage', '%')} of them "
        f"inside the interval"
    )
