"""What a figure stands on, why its interval is as wide as it is, how far off the estimates are."""

from __future__ import annotations

import math
import re
from collections.abc import Generator

from ....hardware_db.processors import kernels_by_processor
from ...patterns import compiled
from ..bench import Answering, Call, Record, call_of, needed
from ..query import CELLS, Query, Role
from ..want import Want
from ..words import entries
from .axes import kinds_of, several
from .passages import SURE, quoted, search
from .phrases import figure, joined, lines

_CLASSES = ("mcu", "npu", "gpu", "cpu")
_OF_CLASS = {"mpu": "cpu", "gpu-soc": "gpu", "dsp": "npu"}
_MOST_ROWS = 6
_MEASURED = ("measured", "published")
_MOST_SAME = 2
_NAMES = {"latency_ms": "latency", "energy_uj": "energy", "ram_activation_kib": "RAM", "flash": "flash"}
_QUANTITIES = {
    Want.ENERGY: "energy_uj", Want.RAM: "ram_activation_kib", Want.FLASH: "flash", Want.LATENCY: "latency_ms",
}  # fmt: skip
_KINDS = (Role.TARGET, Role.RUNTIME, Role.MODEL, Role.TARGET_CLASS)
OF_TRUST = ("concepts/trust.md", "concepts/estimates.md")
"""Pages beside which the figures of validation stand."""
HOW_FAR = "How far off they are"
_NARROWS = "one measurement of your own narrows it: `edgewright calibrate`"
LEAST_SURE = "Least sure: "
_SPOKEN_OF = {Want(one): (str(of[0]), str(of[1])) for one, of in entries("spoken_of").items()}
"""The figure that each is about: the tool and the field."""
_SAID = {"datasheet": "of a datasheet"}
_REFERENCE = compiled(r"\{\{(?P<record>r\d+)\.(?P<path>[^|}/*()]+)(?:\|(?P<unit>[^}~]*)~?)?\}\}")
_OF_A_LIFE = compiled(r"\bbatter\w+|\b(?:life|lifetime|runtime|days|months|weeks)\b", re.IGNORECASE)
_WIDE = 1.05
"""Times from one end of an interval to the other below which it is hardly one."""


def evidence(query: Query) -> Answering:
    """Measured or not, what the estimate rests on, and published measurements with where they stand."""
    if several(query):
        return (yield from of_each(query))
    estimate = needed((yield call_of("estimate_performance", query)))
    path = spoken_of(query)[1]
    path = path if estimate.knows(path) else "latency_ms"
    basis = estimate[path]["basis"]
    published = basis == "published"
    other = f"not measured here, but {_SAID.get(basis, basis)}"
    here = "measured and published for this very case" if published else other
    first = f"{figure(estimate, path, basis=False)} is {here}"
    if parts := entries("reckoned_from").get(path):
        of = joined(f"the {name} {figure(estimate, part)}" for part, name in parts.items())
        return f"{first}, made of {of}; the time stands on {stands_on(estimate) or 'no measurement'}"
    record = yield call_of("evidence", query)
    rows = record["nearest"] or ()
    same = [at for at, row in enumerate(rows) if row["same_network"] and row["batch"] == 1]
    same.sort(key=lambda at: abs(math.log(rows[at]["latency_ms"] / (estimate.number("latency_ms") or 1.0))))
    on = stands_on(estimate)
    near = joined(_nearest(record, at) for at in same[:_MOST_SAME] or range(min(1, len(rows))))
    word = "such as" if same and published else "nearest:"
    return f"{first}{': ' + on if on else ''}{f'; {word} ' + near if near else ''}"


def of_each(query: Query) -> Answering:
    """Of several, whose time was measured and published, and what those of the others are."""
    by_basis: dict[str, list[str]] = {}
    for name, one in kinds_of(query, (Want.LATENCY,))[0][:_MOST_ROWS]:
        record = yield call_of("estimate_performance", one)
        if record.knows("latency_ms.basis"):
            by_basis.setdefault(str(record["latency_ms"]["basis"]), []).append(name)
    seen = joined(name for basis in _MEASURED for name in by_basis.pop(basis, []))
    others = [f"{joined(names)} {_SAID.get(basis, basis)}" for basis, names in by_basis.items()]
    measured = f"measured: {seen}" if seen else "none of these times is measured for this very case"
    return "; ".join([measured, *(f"estimated: {other}" for other in others)])


def interval(query: Query) -> Answering:
    """Why the figure that is spoken of is as wide as it is."""
    function, path = spoken_of(query)
    record = yield call_of(function, query)
    if not record.knows(path):
        record, path = needed((yield call_of("estimate_performance", query))), "latency_ms"
    narrows = f"it stands on {stands_on(record) or 'no measurement'}; {_NARROWS}"
    if path not in entries("reckoned_from"):
        judged = "nine such cases in ten lie inside, judged on networks and boards left out of the fit"
        return (
            f"{figure(record, path)}: {judged}; {narrows}" if path == "latency_ms" else figure(record, path)
        )
    parts = {
        part: name for part, name in entries("reckoned_from")[path].items() if _width(record, part) > _WIDE
    }
    widest = max(parts, key=lambda part: _width(record, part), default="")
    of = joined(f"the {name} {figure(record, part)}" for part, name in parts.items())
    most = f", most by the {parts[widest]}" if len(parts) > 1 else ""
    on = stands_on(record)
    return f"{figure(record, path)}: as wide as what it is made of{most}: {of}; the time stands on {on}"


def spoken_of(query: Query) -> tuple[str, str]:
    """The figure that is asked about, by this question or those before."""
    named = Want.BATTERY_LIFE if Want.BATTERY_LIFE in query.wants else Want.ENERGY
    if query.has(*CELLS) and _OF_A_LIFE.search(query.question):
        return _SPOKEN_OF[Want.BATTERY_LIFE]
    goal = {"energy": (named,), "battery": (Want.BATTERY_LIFE,)}.get(query.text(Role.GOAL), ())
    asked = (want for want in (*goal, *query.wants, *query.topic) if want in _SPOKEN_OF)
    return _SPOKEN_OF[next(asked, Want.LATENCY)]


def stands_on(record: Record) -> str:
    return record.ref("stands_on[#0]") if record["stands_on"] else ""


def _width(record: Record, path: str) -> float:
    """From one end of its interval to the other, in times; 1 of what has none."""
    low, high = record.ends(path) or (0.0, 0.0)
    return high / low if low > 0 else 1.0


def watched(answering: Answering, seen: dict[str, Record]) -> Generator[Call, Record, str]:
    """The answer, and in `seen` what was called for it."""
    try:
        call = next(answering)
        while True:
            record = yield call
            seen[record.id] = record
            call = answering.send(record)
    except StopIteration as done:
        return str(done.value)


def least_sure(text: str, seen: dict[str, Record]) -> str:
    """A sentence on the figure with the widest interval of an answer; empty without one."""
    widest, told = _WIDE, ""
    for found in _REFERENCE.finditer(text):
        record = seen.get(found["record"])
        if record is None or (width := _width(record, found["path"])) <= widest:
            continue
        figure = record.ref(found["path"], f"{found['unit'] or ''}~")
        where = record.ref("target" if record.knows("target") else "deployment.target")
        widest, told = width, f"{LEAST_SURE}{figure} on {where}; measure that first."
    return told


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


def error(query: Query, _wants: object = ()) -> Answering:
    """What a page says on it, and how far off estimates of the kind are that is named."""
    asked = dict(query.likely).get(Want.ERROR, 0.0) >= SURE
    found = search(query.question, 1, SURE) if asked else ()
    at_hand = query.has(Role.MODEL) and query.has(Role.TARGET)
    page = found[0] if found and found[0].section != HOW_FAR and not at_hand else None
    kind = class_asked(query)
    of_another = query.says(*_KINDS) and not (kind and page and page.computed)
    if page is not None and (page.computed or page.page not in OF_TRUST) and not of_another:
        return lines(quoted(page, kind=kind), (yield from figures(query)) if kind else "")
    told = yield from figures(query)
    if page is None or page.page not in OF_TRUST or _HOW.match(query.question):
        return told
    return lines(quoted(page), told)


def class_asked(query: Query) -> str:
    """The class of processors that measurements are told apart by: of the board, or named; empty for all."""
    target = query.targets.get(query.text(Role.TARGET))
    said = query.text(Role.TARGET_CLASS) if query.says(Role.TARGET_CLASS) else ""
    kind = said or (str(target.target_class) if target else "")
    named = next((one for one in _CLASSES if re.search(rf"\b{one}s?\b", query.question, re.IGNORECASE)), "")
    kind = _OF_CLASS.get(kind, kind) or named
    return kind if kind in _CLASSES else ""


_HOW = compiled(r"\W*how\b", re.IGNORECASE)


def figures(query: Query) -> Answering:
    """The out-of-sample error: of a kernel library or a board's usual one, of a class, or of all."""
    target = query.targets.get(query.text(Role.TARGET))
    kind = class_asked(query)
    there = kernels_by_processor(target.id).get(query.text(Role.TARGET_CLASS)) if target else None
    usual = next(iter(there or (target.runtimes if target else ())), "")
    quantity = next((_QUANTITIES[want] for want in query.wants if want in _QUANTITIES), "latency_ms")
    quantity = "energy_uj" if query.text(Role.GOAL) == "energy" else quantity
    for runtime in dict.fromkeys([query.text(Role.RUNTIME) or usual, ""]):
        more = {"device_class": kind} if kind else {}
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
