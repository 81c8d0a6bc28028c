"""The rows of a ranking of hardware: their order, how sure each is, what misses, and their table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....hardware_db.hosts import is_hosted
from ...patterns import compiled
from ..bench import Record
from ..choice import Order, classes_of, lists, of_a_supply, shown_of
from ..query import LIMITS, Query, Role
from ..words import patterns
from .phrases import joined, lines, price, table

MET, FEW = ("PASS", "MARGINAL"), 3
_FIGURES = ("price_usd", "latency_ms", "energy_uj")


_BY = {
    Order.CHEAPEST: "price_usd", Order.FASTEST: "latency_ms", Order.SLOWEST: "latency_ms",
    Order.FRUGAL: "energy_uj", Order.COOLEST: "power_mw",
}  # fmt: skip
_TO_BUY = (Order.BALANCE, Order.ENOUGH, Order.FRUGAL, Order.COOLEST)
"""What nobody sells by itself, such as the chip of a phone, stands behind what has a price."""
_SAYS = patterns("choosing")
SIZED = compiled(r"-[rn]?\d+(?:gb|mb)?$")
"""What the ids of one chip beside more or less memory differ in."""


def ordered(query: Query, record: Record, by: Order, verdicts: Sequence[str] = MET) -> list[Record]:
    """What meets the demand, the best first: one row a chip, in a list one a target; what runs by itself
    before what needs a board, at a price what is sold as is asked for before what is not.
    """
    replaced = query.says(Role.TARGET) or _SAYS["another"].search(query.question)
    named, sizes = {SIZED.sub("", one) for one in query.all(Role.TARGET) if replaced}, query.targets
    every = (
        record.row("ranking", at) for at, row in enumerate(record["ranking"]) if row["verdict"] in verdicts
    )
    rows = [
        r
        for r in every
        if SIZED.sub("", r["target"]) not in named and _of_its_class(query, r) and _is_supplied(query, r)
    ]
    weighed, sold = (Order.CHEAPEST, Order.ENOUGH), sold_as(query)
    priced = query.has(Role.PRICE_USD) or by in weighed
    sign, downwards = (-1.0, True) if by in (Order.SLOWEST, Order.LARGEST) else (1.0, False)

    def place(row: Record) -> tuple[bool | float, ...]:
        found = sizes.get(row["target"]) if by in (Order.SMALLEST, Order.LARGEST) else None
        figure = row.number(_BY.get(by, "rank")) if found is None else found.ram_bytes
        unsure, worth = row["verdict"] != "PASS", row.number("score") or 0.0
        hosted = not classes_of(query) and is_hosted(query.targets.get(row["target"]))
        parted = priced and bool(sold) and row["price_of"] not in sold
        parted |= by in _TO_BUY and not lists(query) and not row.knows("price_usd")
        at = sign * (figure or 0.0)
        return hosted, parted, downwards and unsure, figure is None, at, unsure, -worth

    best = {row["target"]: row for row in sorted(rows, key=place, reverse=True)}
    last = sorted(
        best.values(), key=lambda r: ("board" in sold and r["price_of"] == "chip", place(r)), reverse=True
    )
    chips = {row["target"] if lists(query) else _chip_of(row): row for row in last}
    left = sorted(chips.values(), key=place)
    if by is not Order.BALANCE:
        return left
    first = left[:FEW]
    beaten = {row["target"]: sum(_beats(other, row) for other in first) for row in first}
    return sorted(first, key=lambda row: (*place(row)[:2], beaten[row["target"]])) + left[FEW:]


def sold_as(query: Query) -> tuple[str, ...]:
    """As what is sold that is asked for, a board or a bare chip; empty for either."""
    whole, bare = (_SAYS[name].search(query.question) is not None for name in ("whole", "bare"))
    return () if whole is bare else ("chip",) if bare else ("board", "module", "system")


def _chip_of(row: Record) -> tuple[str, str, float | None]:
    """What two rows of one chip have in common."""
    return SIZED.sub("", row["target"]), row["runtime"], row.number("latency_ms")


def _of_its_class(query: Query, row: Record) -> bool:
    """Of a chip with an NPU beside its cores, whether it computes on that."""
    if classes_of(query) != ("npu",) or row["target_class"] == "npu":
        return True
    alone = (found for found in query.targets.values() if not found.accelerators)
    return not any(row["runtime"] in found.runtimes for found in alone)


def _is_supplied(query: Query, row: Record) -> bool:
    """Whether it draws no more while it computes than a supply gives that is spoken of."""
    most = query.number(Role.POWER_MW) if of_a_supply(query) else None
    return most is None or (row.number("power_mw") or 0.0) <= most


def _beats(one: Record, other: Record) -> bool:
    """Whether it meets the limits as surely and is better in all that the table shows."""
    pairs = [(one.number(path), other.number(path)) for path in _FIGURES]
    better = all(a is not None and b is not None and a < b for a, b in pairs)
    return better and one["verdict"] == other["verdict"]


def praised(row: Record, does: str = "") -> str:
    """A row of the ranking with its figures."""
    energy = f"{row.ref('energy_uj', '~')} an inference" if row.knows("energy_uj") else ""
    facts = [row.ref("latency_ms", "~"), energy, price(row) if row.knows("price_usd") else ""]
    return f"{row.ref('name')} with {_kernels(row)}{does}: {joined(facts)}"


def _kernels(row: Record) -> str:
    return row.ref("runtime") + (f", {row.ref('threads')} threads" if row["threads"] > 1 else "")


def foremost(query: Query, rows: Sequence[Record]) -> list[Record]:
    """The first of them, and the first that surely meets the limits."""
    most = shown_of(query)
    sure = next((row for row in rows[most:] if row["verdict"] == "PASS"), None)
    if sure is None or any(row["verdict"] == "PASS" for row in rows[:most]):
        return list(rows[:most])
    return [*rows[: most - 1], sure]


def surely(query: Query, rows: Sequence[Record]) -> dict[str, list[str]]:
    """Which of them surely meet the limits; of the others what is not sure."""
    doubts = [joined(row["decided_by"] or ()) for row in rows]
    words = ["probably" if row["verdict"] in MET else "not sure" for row in rows]
    cells = [f"{word} ({doubt})" if doubt else "yes" for word, doubt in zip(words, doubts, strict=True)]
    return {"limits" if query.has(*LIMITS) else "fits": cells} if query.has(*LIMITS) or any(doubts) else {}


_CHECKED = {
    "latency": "latency_ms", "rate": "latency_ms", "energy": "energy_uj", "power": "power_mw",
    "ram": "arena_bytes", "flash": "flash_bytes", "price": "price_usd",
}  # fmt: skip


def tells(row: Record) -> bool:
    """Whether the figures that its limits are on are known, however wide."""
    fields = (
        _CHECKED[name] for name in row["decided_by"] if name in _CHECKED and name not in ("ram", "flash")
    )
    return all(map(row.knows, fields))


def missing(query: Query, record: Record, *, few: bool = False) -> str:
    """What may meet the limits too, and what misses them least, where few do or that is asked."""
    if not (few or _SAYS["misses"].search(query.question)) or not query.has(*LIMITS):
        return ""
    near: dict[str, list[str]] = {"UNKNOWN": [], "FAIL": []}
    every = [record.row("ranking", at) for at in range(len(record["ranking"]))]
    seen = {SIZED.sub("", row["target"]) for row in every if row["verdict"] in MET}
    for row in every:
        told, chip = near.get(row["verdict"], []), SIZED.sub("", row["target"])
        fields = dict.fromkeys(_CHECKED[name] for name in row["decided_by"] if name in _CHECKED)
        figures = [row.ref(field, "~") for field in fields if row.knows(field)]
        if chip in seen or len(told) >= FEW or len(figures) < len(row["decided_by"]):
            continue
        seen.add(chip)
        told.append(f"{row.ref('target')} ({joined(figures)})")
    heads = {"UNKNOWN": "May do too", "FAIL": "Misses least"}
    return lines(*(f"{heads[verdict]}: {'; '.join(told)}." for verdict, told in near.items() if told))


def table_of(rows: Sequence[Record], more: Mapping[str, Sequence[str]], time: str = "latency") -> str:
    cells = [
        [row.ref("target"), _kernels(row), row.ref("latency_ms", "~"), row.ref("energy_uj", "~"),
         price(row), *(column[at] for column in more.values())]
        for at, row in enumerate(rows)
    ]  # fmt: skip
    return table(["board", "kernels", time, "energy", "price", *more], cells)


def rests_on(query: Query, rows: Sequence[Record]) -> str:
    """On which of them the very network was measured, where that is asked."""
    if "measured" not in query.asks:
        return ""
    ran = [row for row in rows if row["latency_ms"]["basis"] in ("published", "measured")]
    if not ran:
        return "None of these times is measured with that very network: all are estimates."
    shown = joined(row.ref("target") for row in ran[: shown_of(query)])
    return f"Measured with that very network: {shown}; the other times are estimates."
