"""Out of a no: what closes every gap on the same board, the largest network of its family that meets the
limits there, and the nearest boards that do; each simulated or estimated, in a line.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ....hardware_db.hosts import is_hosted, with_parts
from ....hardware_db.index import TargetSummary
from ....tools.model_zoo.members import members
from ..bench import PLAIN, Answering, Call, Record, call_of, is_named, needed
from ..query import Query, Role
from .phrases import RETRAINING, joined, price
from .ranked import MET, SIZED

LEADS = _DOES, _ANOTHER = "What would do: ", "another board would be: "
"""Before what is told beside a no, and asked by nobody."""
_MOST_CHANGES, _MOST_TOGETHER, _LOOKED_AT = 2, 3, 200
_NEXT = {
    "mcu": (("mcu",), ("mpu",)), "dsp": (("mcu", "dsp"), ("mpu",)), "mpu": (("mpu",), ("gpu-soc",), ("gpu",)),
    "npu": (("npu", "mcu"), ("mpu",), ("gpu-soc",)), "gpu-soc": (("gpu-soc",), ("gpu",)),
    "cpu": (("cpu", "gpu"),), "gpu": (("gpu",),),
}  # fmt: skip
"""Where a board is looked for in place of one of a class, the nearest first."""
_QUICK = "minutes"
_BATCHED, _BATCHES, _SOON_MS = ("gpu", "gpu-soc"), (2, 4, 8, 16, 32), 100.0
"""What runs several inputs at once the faster, how many, and how long they may wait where nothing is said."""
_BY_PRICE = {"price": 1.0, "latency": 0.001, "energy": 0.0, "power": 0.0}
_ROOM = frozenset(("ram", "flash"))
_HOSTED = (("npu",), ("gpu-soc",))
_OF_THE_BOARD = (
    Role.TARGET, Role.RUNTIME, Role.TARGET_CLASS, Role.CLOCK_MHZ, Role.THREADS, Role.RAM_BYTES,
    Role.FLASH_BYTES, Role.EXTERNAL_BYTES, Role.HOST, Role.NPU_CORES,
)  # fmt: skip


def out(query: Query, asked: Query, gaps: Sequence[str]) -> Answering:
    """What would do in place of what does not.

    Args:
        asked: what was checked, with the memory that others take off.
        gaps: names of the checks that fail.
    """
    check = needed((yield call_of("check_constraints", asked, remedies=True)))
    found = [(yield from _member(query, asked)), *_changes(check, gaps)]
    here = list(filter(None, found))[:_MOST_CHANGES]
    there = yield from boards(query, gaps)
    if here:
        also = f"; or another board: {there}" if there else ""
        return f"{_DOES}{joined(here, 'or')}{also}."
    none = f"No change that {'you allow' if query.ruled_out else 'I simulate'} is enough on it"
    none += _nearest(check, gaps)
    other = "" if "hardware" in query.excluded else ", and no board of a known price"
    return f"{none}; {_ANOTHER}{there}." if there else f"{none}{other}."


def _batch(query: Query) -> Generator[Call, Record, str]:
    """The smallest batch with which a GPU keeps the rate that it misses one at a time, in time."""
    own, rate = query.targets.get(query.text(Role.TARGET)), query.number(Role.RATE_HZ)
    if own is None or own.target_class not in _BATCHED or not rate or query.has(Role.BATCH):
        return ""
    most = query.number(Role.LATENCY_MS) or _SOON_MS
    for batch in _BATCHES:
        record = yield call_of("estimate_performance", query, batch=batch)
        if (record.number("latency_ms") or most) >= most:
            return ""
        if (record.number("inferences_per_second") or 0.0) >= rate:
            each = f"{record.ref('inferences_per_second', 'fps~')}, {record.ref('latency_ms')} a batch"
            return f"batch {record.ref('deployment.batch')} ({each})"
    return ""


def _changes(check: Record, gaps: Sequence[str]) -> Iterator[str]:
    """What alone closes every gap, with least effort first; else the fewest that do together."""
    failing = [row for name in gaps for row in check["checks"] if row["name"] == name]
    closing = [{one["change"] for one in row["levers"] if one["closes_gap"]} for row in failing]
    alone: dict[str, str] = {}
    for one in sorted(failing[0]["levers"] if failing else (), key=lambda one: one["effort"] != _QUICK):
        if all(one["change"] in each for each in closing):
            sure = "" if (one["after_high"] or 0.0) <= failing[0]["bound"] else "probably "
            told = f"{sure}{one['change']} ({one['effort']}, {_after(check, failing[0], one)})"
            alone.setdefault(one["change"].partition("-")[0], told)
    if alone:
        yield from alone.values()
        return
    together = (check["fit"] or {}).get("changes")
    if not together or not 0 < len(together["changes"]) <= _MOST_TOGETHER:
        return
    if together["effort"] != "redesign":
        path = "fit.changes"
        names = [check.ref(f"{path}.changes[#{at}].technique") for at in range(len(together["changes"]))]
        room = [f"{what} {check.ref(f'{path}.after.{what}_bytes')}" for what in ("arena", "flash")]
        figures = [check.ref(f"{path}.after.{_figure(gaps)}", "~"), *(room if _ROOM & {*gaps} else ())]
        all_of = f"{joined(names)} together" if len(names) > 1 else names[0]
        yield f"{all_of} ({together['effort']}, {', '.join(figures)})"


def _nearest(check: Record, gaps: Sequence[str]) -> str:
    """Of the changes the one that leaves least of the first gap."""
    row = next((row for row in check["checks"] if row["name"] in gaps), None)
    if row is None or not row["levers"]:
        return ""
    best = min(row["levers"], key=lambda one: one["after"])
    return f" (nearest is {best['change']}, {_after(check, row, best)})"


def _after(check: Record, row: Mapping[str, Any], lever: Mapping[str, Any]) -> str:
    return check.ref(f"checks[{row['name']}].levers[{lever['change']}].after", "~")


def _member(query: Query, asked: Query) -> Generator[Call, Record, str]:
    """The largest smaller network of the family that meets all limits on the same board."""
    if RETRAINING in query.ruled_out:
        return ""
    for name in smaller(query.text(Role.MODEL)):
        check = yield call_of("check_constraints", asked, model=name)
        if check["verdict"] in MET:
            estimate = yield call_of("estimate_performance", asked, model=name)
            return f"{name} as the largest of its family that does ({estimate.ref('latency_ms', '~')})"
    return ""


def smaller(model: str) -> list[str]:
    """The smaller networks of its family, the largest first; empty for a file, or of no family."""
    name, _, fields = model.partition(":")
    every = members(name) if is_named(model) else ()
    below = every[: every.index(name)] if name in every else ()
    return [f"{one}:{fields}" if fields else one for one in reversed(below)]


def boards(
    query: Query, gaps: Sequence[str] = (), beside: Iterable[str] = ()
) -> Generator[Call, Record, str]:
    """The nearest board that meets the limits, of the same maker where one does, and the cheapest.

    With the same kernels first, then with any, then of the next class. Only what has a known price.

    Args:
        gaps: names of the checks that fail on the board that is named.
        beside: targets that are compared already.
    """
    own = query.targets.get(query.text(Role.TARGET))
    if own is None or len(set(query.all(Role.MODEL))) != 1 or "hardware" in query.excluded:
        return ""
    plain, kernels = query.without(_OF_THE_BOARD), query.text(Role.RUNTIME) or own.runtimes[0]
    seen = {SIZED.sub("", name) for name in (*beside, own.id)}
    nearest, *further = _HOSTED if is_hosted(own) else _NEXT[str(own.target_class)]
    same = [(nearest, kernels)] if kernels != PLAIN else []
    wider = [] if same and str(own.target_class) in _BATCHED else [(nearest, None)]
    for classes, runtime in [*same, *wider, *((one, None) for one in further)]:
        ids = [own.id, *(one.id for one in query.targets.values() if _is_near(query, one, own, classes))]
        record = yield call_of(
            "recommend_hardware", plain, targets=[*dict.fromkeys(ids)], top=_LOOKED_AT, weights=_BY_PRICE,
            runtime=runtime,
        )  # fmt: skip
        rows = [record.row("ranking", at) for at in range(len(record["ranking"] or ()))]
        sold = next((row["price_of"] for row in rows if row["target"] == own.id), None)
        may = [row for row in rows if row["verdict"] in MET and SIZED.sub("", row["target"]) not in seen]
        if may:
            return _named(query, own, may, sold, _figure(gaps))
    return ""


def instead(query: Query, compared: Sequence[str], gaps: Sequence[str] = ()) -> Answering:
    """Where several all fail: the batch with which one of them keeps the rate, else the nearest board.

    Args:
        query: of the one that comes nearest.
        compared: targets that fail.
        gaps: by what, where that is one and the same.
    """
    for target in compared:
        if batch := (yield from _batch(query.put(Role.TARGET, target))):
            return f"{_DOES}{batch} on {target}."
    told = yield from boards(query, gaps, compared)
    return f"{_DOES}{told}." if told else ""


def _figure(gaps: Sequence[str]) -> str:
    return "energy_uj" if "energy" in gaps else "latency_ms"


def _is_near(query: Query, one: TargetSummary, own: TargetSummary, classes: Sequence[str]) -> bool:
    unwanted = {*query.all(Role.WITHOUT), *query.left_out}
    return (
        bool(one.price_usd)
        and str(one.target_class) in classes
        and is_hosted(one) is is_hosted(own)
        and not unwanted & {one.id, one.vendor, str(one.target_class)}
    )


def _named(query: Query, own: TargetSummary, rows: Sequence[Record], sold: str | None, figure: str) -> str:
    """The nearest of them, and what is cheaper and does as surely."""
    parts = with_parts(own.id, query.targets)

    def likely(row: Record) -> tuple[bool, bool]:
        return row["verdict"] != "PASS", sold != "chip" and row["price_of"] == "chip"

    def place(row: Record) -> tuple[bool | float, ...]:
        found = query.targets.get(row["target"])
        kin = found is not None and found.vendor == own.vendor
        return row["target"] not in parts, *likely(row), not kin, row["price_usd"]

    first = min(rows, key=place)
    cheapest = min(rows, key=lambda row: (*likely(row), row["price_usd"]))
    cheaper = cheapest["price_usd"] < first["price_usd"]
    return joined([_told(first, figure), f"cheaper {_told(cheapest, figure)}" if cheaper else ""], "or")


def _told(row: Record, figure: str) -> str:
    surely = "" if row["verdict"] == "PASS" else "probably "
    facts = ", ".join([row.ref(figure, "~"), price(row)])
    return f"{surely}{row.ref('target')} with {row.ref('runtime')} ({facts})"
