"""What a figure stands on, why its interval is as wide as it is, how far off the estimates are."""

from __future__ import annotations

import math

from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from .passages import SURE, quoted, search
from .phrases import figure, joined, lines

_CLASSES = ("mcu", "npu", "gpu", "cpu")
_OF_CLASS = {"mpu": "cpu", "gpu-soc": "gpu", "dsp": "npu"}
_MOST_ROWS = 6
_MOST_SAME = 2
_NAMES = {"latency_ms": "latency", "energy_uj": "energy", "ram_activation_kib": "RAM", "flash": "flash"}
_QUANTITIES = {
    Want.ENERGY: "energy_uj", Want.RAM: "ram_activation_kib", Want.FLASH: "flash", Want.LATENCY: "latency_ms",
}  # fmt: skip
_KINDS = (Role.TARGET, Role.RUNTIME, Role.MODEL, Role.TARGET_CLASS)
OF_TRUST = ("concepts/trust.md", "concepts/estimates.md")
"""Pages beside which the figures of validation stand."""
_HOW_FAR = "How far off they are"
_NARROWS = "one measurement of your own narrows it: `edgewright calibrate`"


def evidence(query: Query) -> Answering:
    """Measured or not, what the estimate rests on, and published measurements with where they stand."""
    estimate, path = needed((yield call_of("estimate_performance", query))), _doubted(query)
    record = yield call_of("evidence", query)
    rows, basis = record["nearest"] or (), estimate[path]["basis"]
    same = [at for at, row in enumerate(rows) if row["same_network"] and row["batch"] == 1]
    same.sort(key=lambda at: abs(math.log(rows[at]["latency_ms"] / (estimate.number("latency_ms") or 1.0))))
    here = (
        "measured and published for this very case"
        if basis == "published"
        else f"not measured here, but {basis}"
    )
    on = joined([estimate.ref(f"stands_on[#{i}]") for i in range(min(1, len(estimate["stands_on"])))])
    near = joined(_nearest(record, at) for at in same[:_MOST_SAME] or range(min(1, len(rows))))
    word = "such as" if same and basis == "published" else "nearest:"
    return (
        f"{figure(estimate, path, basis=False)} is "
        f"{here}{': ' + on if on else ''}{f'; {word} ' + near if near else ''}"
    )


def _doubted(query: Query) -> str:
    """The figure that is asked about: the time, or the energy where that was spoken of."""
    return "energy_uj" if query.text(Role.GOAL) == "energy" else "latency_ms"


def _nearest(record: Record, index: int) -> str:
    row = f"nearest[#{index}]"
    return (
        f"{record.ref(row + '.latency_ms')} for {record.ref(row + '.network')} on "
        f"{record.ref(row + '.device')} with {record.ref(row + '.runtime')} ({_address(record, index)})"
    )


def _address(record: Record, index: int) -> str:
    """Where it was read: the line's file at that commit, of what is on GitHub."""
    row, found = f"nearest[#{index}]", record["nearest"][index]
    if found["repository"].count("/") != 1 or not found["commit"] or {" ", "#"} & set(found["path"]):
        return record.ref(row + ".repository")
    return (
        f"https://github.com/{record.ref(row + '.repository')}/blob/{record.ref(row + '.commit')}/"
        f"{record.ref(row + '.path')}"
    )


def interval(query: Query) -> Answering:
    """Why it is as wide as it is."""
    estimate = needed((yield call_of("estimate_performance", query)))
    on = joined([estimate.ref(f"stands_on[#{i}]") for i in range(min(1, len(estimate["stands_on"])))])
    return (
        f"{figure(estimate, _doubted(query))}: nine such cases in ten lie inside, judged on networks "
        f"and boards left out "
        f"of the fit; it stands on {on or 'no measurement'}; {_NARROWS}"
    )


def error(query: Query, _wants: object = ()) -> Answering:
    """What a page says on it, and how far off estimates of the kind are that is named."""
    found = search(query.question, 1, SURE)
    at_hand = query.has(Role.MODEL) and query.has(Role.TARGET)
    page = found[0] if found and found[0].section != _HOW_FAR and not at_hand else None
    if page is not None and (page.computed or page.page not in OF_TRUST) and not query.says(*_KINDS):
        return quoted(page)
    told = yield from figures(query)
    return lines(quoted(page) if page is not None and page.page in OF_TRUST else "", told)


def figures(query: Query) -> Answering:
    """The out-of-sample error: of a kernel library or a board's usual one, of a class, or of all."""
    target = query.targets.get(query.text(Role.TARGET))
    usual = target.runtimes[0] if target and target.runtimes else ""
    kind = str(target.target_class) if target else query.text(Role.TARGET_CLASS)
    kind = _OF_CLASS.get(kind, kind)
    quantity = next((_QUANTITIES[want] for want in query.wants if want in _QUANTITIES), "latency_ms")
    quantity = "energy_uj" if query.text(Role.GOAL) == "energy" else quantity
    for runtime in dict.fromkeys([query.text(Role.RUNTIME) or usual, ""]):
        more = {"device_class": kind} if kind in _CLASSES else {}
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
    return f"I have no measurements to hold estimates of the {_NAMES[quantity]} against there."


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
