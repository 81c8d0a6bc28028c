"""What is wanted is a column: its head, the call and field that show it, and what the best of it does."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ....tools.core.records import dataclass, replace
from ...figure_units import Family
from ...patterns import compiled
from ..choice import of_a_supply
from ..no_goals import denied
from ..query import CELLS, LIMITS, Query, Role
from ..want import Want
from ..words import patterns, spoken, spoken_in_turn
from .judging import limits_said
from .phrases import said

ESTIMATE, PLAN, CHECK, CHIP, ROOF, LIFE, MODEL = (
    "estimate_performance", "plan_memory", "check_constraints", "get_target", "analyze_roofline",
    "estimate_energy_budget", "parse_model",
)  # fmt: skip


_RATE = "at_once_per_second"


@dataclass(frozen=True)
class Column:
    """What a want is shown by: its head, the call and field, and what the best of it does."""

    head: str
    function: str
    path: str
    unit: str
    best: str
    worst: str = ""
    largest: bool = False
    ratio: str = ""
    """What is shown instead of the field: over `{here}`, `{batch}` and `{chip}`, as a plain number."""
    of: str = ""
    """The field of all that there is, of which it is a part."""
    turned: bool = False
    """Whether it is the worst that is asked for."""

    @property
    def other_end(self) -> Column:
        return replace(
            self, best=self.worst, worst=self.best, largest=not self.largest, turned=not self.turned
        )

    def is_of(self, want: Want) -> bool:
        """Whichever end is asked for."""
        return self.head == COLUMNS[want].head


COLUMNS: Mapping[Want, Column] = {
    Want.LATENCY: Column("latency", ESTIMATE, "latency_ms", "~", "is the fastest", "is the slowest"),
    Want.THROUGHPUT: Column(
        "throughput", ESTIMATE, _RATE, "fps~", "reaches most", "reaches least", largest=True
    ),
    Want.CYCLES: Column("cycles", ESTIMATE, "cycles", "", "takes the fewest cycles", "takes the most cycles"),
    Want.ENERGY: Column(
        "energy", ESTIMATE, "energy_uj", "~", "takes the least energy", "takes the most energy"
    ),
    Want.POWER: Column("power", ESTIMATE, "power_mw", "~", "draws the least power", "draws the most power"),
    Want.BATTERY_LIFE: Column(
        "battery life", LIFE, "battery.life_days", "days", "lasts longest", "lasts shortest", largest=True
    ),
    Want.PER_WATT: Column(
        "fps per watt", ESTIMATE, "energy_uj", "", "does most for its power", "does least for its power",
        ratio="{batch}J/{here}"
    ),
    Want.PER_PRICE: Column(
        "images/s a dollar", ESTIMATE, _RATE, "", "does most for its price", "does least for its price",
        largest=True, ratio="1s*1USD*{here}/{chip}.price_usd",
    ),
    Want.RAM: Column("arena", PLAN, "arena", "", "takes the least RAM", "takes the most RAM"),
    Want.FLASH: Column("flash", PLAN, "flash", "", "takes the least flash", "takes the most flash"),
    Want.PRICE: Column("price", CHIP, "price_usd", "", "is the cheapest", "is the dearest"),
    Want.UTILISATION: Column(
        "of the peak", ROOF, "compute_utilization", "%", "uses its peak best", "uses its peak worst",
        largest=True
    ),
    Want.INTENSITY: Column("ridge", ROOF, "ridge_point", "", "has the lowest ridge", "has the highest ridge"),
}  # fmt: skip
AVERAGE = Column(
    "average power", LIFE, "average_power_mw", "~", "draws least on average", "draws most on average"
)
_ROOM = (
    Column("arena", CHECK, "checks[ram].demand", "", "takes the least RAM", of="checks[ram].bound"),
    Column("flash", CHECK, "checks[flash].demand", "", "takes the least flash", of="checks[flash].bound"),
)
"""What goes in beside what there is, where that is asked."""
MACS = Column("MACs", MODEL, "macs", "M", "computes least", "computes most")
_FILE = Column("model", PLAN, "model_bytes", "", "is the smallest", "is the largest")
_SIZED = patterns("columns")["sized"]
_SIZES = (Column("parameters", MODEL, "parameter_count", "", "is the smallest", "is the largest"), MACS)
SAME = {Want.CHEAPEST: Want.PRICE, Want.COST_OF_BATCH: Want.THROUGHPUT}
_GOALS = {"latency": Want.LATENCY, "energy": Want.ENERGY, "ram": Want.RAM, "flash": Want.FLASH,
          "price": Want.PRICE}  # fmt: skip
_KINDS = (
    {Want.LATENCY, Want.THROUGHPUT, Want.CYCLES},
    {Want.ENERGY, Want.POWER, Want.BATTERY_LIFE, Want.PER_WATT}, {Want.PRICE, Want.PER_PRICE},
)  # fmt: skip
"""What says the same of a goal."""
_RATIOS = {Want.PER_WATT: Want.POWER, Want.PER_PRICE: Want.PRICE}
_USUAL, _MOST_WITH_USUAL = (Want.LATENCY, Want.ENERGY), 4
"""What a comparison shows beside what it was asked for, while it has no more columns than these."""
_STREAMS = compiled(r"\bhow many (?:\w+ )?(?:cameras?|streams?|channels|feeds|videos?|sensors)\b", re.I)
_HOW_MANY = compiled(r"\bhow many\b|\bnumber of\b", re.IGNORECASE)


def wanted(query: Query, wants: Sequence[Want]) -> list[Want]:
    """What is wanted, the deciding one first: the goal of this very question, else its first figure."""
    found = [one for want in wants if (one := SAME.get(want, want)) in COLUMNS]
    if not query.has(*CELLS):
        found = [Want.ENERGY if want is Want.BATTERY_LIFE else want for want in found]
    found = [Want.PRICE, *found] if "cheapest" in query.question.casefold() else found
    found = _with_goals(query, found)
    if query.has(Role.CARDS) and not {Want.THROUGHPUT, Want.ENERGY} & set(found[:1]):
        found.insert(0, Want.THROUGHPUT)
    if _EFFICIENT.search(query.question) and not set(found[:1]) & {Want.PER_WATT, Want.PRICE, Want.PER_PRICE}:
        found.insert(0, Want.PER_WATT if _weighs_rate(query) else Want.ENERGY)
    found.sort(key=lambda want: want not in _RATIOS)
    found += [Want.THROUGHPUT, Want.POWER] if Want.PER_WATT in found[:1] else []
    if len(set(query.all(Role.BATCH))) > 1 or (query.number(Role.BATCH) or 1) > 1:
        found += [Want.THROUGHPUT, Want.LATENCY]
    if Want.COMPARE in wants and query.has(*CELLS) and query.has(Role.RATE_HZ):
        found.insert(len([want for want in found if want in wants]), Want.BATTERY_LIFE)
    room = query.has(Role.RAM_BYTES, Role.FLASH_BYTES)
    if not found and (room or not query.has(Role.TARGET, Role.RATE_HZ)):
        found = [Want.RAM, Want.FLASH]
    found = found or [_GOALS.get(query.text(Role.GOAL), _likeliest(query))]
    if "throughput" in query.asks and not {Want.THROUGHPUT, Want.LATENCY} & set(found):
        found.append(Want.THROUGHPUT)
    beside = {Want.ENERGY: Want.LATENCY, Want.PRICE: Want.LATENCY}
    if found[0] is Want.LATENCY and Want.LATENCY not in wants:
        beside[Want.LATENCY] = Want.ENERGY
    if len(set(found)) == 1 and found[0] in beside:
        found.append(beside[found[0]])
    if found == [Want.BATTERY_LIFE]:
        found += [Want.ENERGY, Want.LATENCY]
    found += [paid for paid, of in _RATIOS.items() if {Want.THROUGHPUT, of} <= set(found)]
    found += [Want.PRICE] if query.has(Role.PRICE_USD) else []
    found = list(dict.fromkeys(found))
    if Want.COMPARE in wants:
        usual = [want for want in _USUAL if want not in found]
        found += usual[: max(0, _MOST_WITH_USUAL - len(found))]
    return [found[0], *(want for want in found[1:] if want not in denied(query.no_goals))]


def _weighs_rate(query: Query) -> bool:
    """Whether it computes nonstop, so that a rate tells how efficient it is: no microcontroller does."""
    chips = {one.target_class for name in query.all(Role.TARGET) if (one := query.targets.get(name))}
    return "mcu" not in chips and not query.has(*CELLS, Role.RATE_HZ)


_EFFICIENT = compiled(r"\b(?:more|most|less|least|energy|power)[- ]efficien\w+|\befficiency\b", re.I)
_HINTED = 0.15
_FIGURES = frozenset((Want.LATENCY, Want.THROUGHPUT, Want.ENERGY, Want.POWER, Want.RAM, Want.FLASH))


def _likeliest(query: Query) -> Want:
    """The figure that a comparison may be about, where none is surely wanted."""
    likely = ((SAME.get(want, want), chance) for want, chance in query.likely)
    return next((one for one, chance in likely if one in _FIGURES and chance >= _HINTED), Want.LATENCY)


def goals_of(query: Query) -> list[Want]:
    """What this very question names as its goals."""
    named = (str(slot.value) for slot in query.slots if slot.role is Role.GOAL and not slot.inherited)
    return [_GOALS[goal] for goal in dict.fromkeys(named)]


def _with_goals(query: Query, found: list[Want]) -> list[Want]:
    """With the goals that this question names; one alone, of another kind than its figures, decides."""
    criteria = [_GOALS[goal] for goal in spoken_in_turn(query.question, "goal", "money")]
    if len(criteria) > 1 and (set(criteria) <= set(found) or spoken("priority", query.question)):
        return [*criteria, *found]
    goals = goals_of(query)
    kind = next((kind for kind in _KINDS if set(goals) <= kind), set(goals)) if len(goals) == 1 else set()
    decides = kind and found and not kind & set(found) and spoken("decides", query.question)
    return [*goals, *found] if decides or not found else [*found, *goals]


def asks_size(query: Query, wants: Sequence[Want]) -> bool:
    """Whether one of several networks is to be told by its size alone."""
    sized = spoken("sized", query.question) or {"macs", "parameters"} & query.asks
    which = sized and {"the_two", "which"} & query.asks
    return bool(which) and len(set(query.all(Role.MODEL))) > 1 and not set(wants) & set(COLUMNS)


def columns_of(query: Query, wants: Sequence[Want]) -> list[Column]:
    """The columns of what is wanted; a count of what a rate takes, or a share of time, where one is asked."""
    if asks_size(query, wants) and not query.says(Role.TARGET, *LIMITS):
        largest = spoken("conclusion", query.question)[-1:] == ("largest",)
        sizes = [column.other_end if largest else column for column in _SIZES]
        sizes = sizes[::-1] if "macs" in query.asks else sizes
        turned = not largest and _asks_other_end(query, sizes[0])
        return [sizes[0].other_end, sizes[1]] if turned else sizes
    columns = [COLUMNS[want] for want in wanted(query, wants)]
    chips = len(set(query.all(Role.TARGET))) > 1 and not set(wants) & set(COLUMNS)
    if chips and spoken("sized", query.question) and len(set(query.all(Role.MODEL))) == 1:
        columns.insert(0, Column("RAM there is", CHIP, "ram_bytes", "", "is the smallest", "is the largest"))
    if _is_paced(query, wants, columns[0]):
        columns = [AVERAGE, *(column for column in columns if not column.is_of(Want.POWER))]
    if (
        {Want.FITS, Want.MEETS} & set(wants)
        and not query.has(*LIMITS)
        and not {Want.RAM, Want.FLASH} & set(wants)
    ):
        columns = [c for c in columns if not c.is_of(Want.ENERGY) or Want.ENERGY in wants] + [*_ROOM]
    if "macs" in query.asks and len(set(query.all(Role.MODEL))) > 1:
        columns.append(MACS)
    if len(set(query.all(Role.DTYPE))) > 1 and _SIZED.search(query.question):
        columns.append(_FILE)
    asks_count = Want.HOW_MANY in wants and _HOW_MANY.search(query.question) is not None
    if asks_count and (counted := _counted(query)):
        return [counted, COLUMNS[Want.THROUGHPUT], *(c for c in columns if c.path == "price_usd")]
    columns = [power_of(query) if column.is_of(Want.POWER) else column for column in columns]
    if COLUMNS[Want.POWER] in columns and query.has(Role.RATE_HZ) and AVERAGE not in columns:
        columns.insert(columns.index(COLUMNS[Want.POWER]) + 1, AVERAGE)
    columns = [*filter(None, [_over_a_time(query, wants)]), *columns]
    shared = COLUMNS[Want.UTILISATION]
    columns = [_share_of_time(query) if c is shared and query.has(Role.RATE_HZ) else c for c in columns]
    return [columns[0].other_end if _asks_other_end(query, columns[0]) else columns[0], *columns[1:]]


def power_of(query: Query) -> Column:
    """What a limit on it is held against: while computing, or on average where a rate is said."""
    averaged = query.has(Role.POWER_MW) and query.has(Role.RATE_HZ) and not of_a_supply(query)
    return AVERAGE if averaged else COLUMNS[Want.POWER]


def _over_a_time(query: Query, wants: Sequence[Want]) -> Column | None:
    """What a flight or a shift takes, where watt-hours are asked for: on average at the rate, or nonstop."""
    spans = [f for f in query.figures if f.family is Family.TIME and f.value >= _A_MINUTE_MS]
    asked = {Want.ENERGY, Want.POWER} & set(wants) and _WATT_HOURS.search(query.question)
    if len(spans) != 1 or not asked:
        return None
    of = AVERAGE if query.has(Role.RATE_HZ) else COLUMNS[Want.POWER]
    text = spans[0].text if spans[0].text.endswith("s") else f"{spans[0].text}s"
    ratio = f"{{here}}*{spans[0].value / 1e3:.6f}s"
    return Column(f"energy in {text}", of.function, of.path, "Wh~", "takes least", "takes most", ratio=ratio)


_A_MINUTE_MS = 6e4
_WATT_HOURS = compiled(
    r"\b(?:how (?:many|much)|what|which)\b[^.?!;]*\b(?:k?wh|(?:kilo)?watt[- ]?hours?)\b", re.IGNORECASE
)
_A_PACE_HZ = 5.0
"""A slower rate is how often it runs, whatever it is demanded for."""


def _is_paced(query: Query, wants: Sequence[Want], column: Column) -> bool:
    """Whether a rate says how often it runs: what counts is then what is drawn on average, asleep too."""
    rate = query.number(Role.RATE_HZ) or 0.0
    paced = 0 < rate < _A_PACE_HZ or (rate > 0 and Role.RATE_HZ not in limits_said(query, wants))
    return paced and not query.has(Role.ENERGY_UJ) and (column.is_of(Want.ENERGY) or column.is_of(Want.POWER))


def _asks_other_end(query: Query, column: Column) -> bool:
    """Whether the worst is asked for: the slowest, what takes most, what lasts shortest."""
    words = set(spoken("worst", query.question))
    if column.ratio or "best" in words:
        return False
    time = column.is_of(Want.LATENCY) or column.is_of(Want.CYCLES)
    return bool(words & ({"little"} if column.largest else {"much", "time"} if time else {"much"}))


def _counted(query: Query) -> Column | None:
    """How many of a kind keep up with a rate, or how many streams of that rate one serves."""
    rate = (query.number(Role.RATE_HZ) or 0.0) * (query.number(Role.DEVICES) or 1.0)
    words = " at ".join(filter(None, [said(query, Role.DEVICES), said(query, Role.RATE_HZ)]))
    serves = _STREAMS.search(query.question) is not None
    head = f"{'streams at' if serves else 'needed for'} {words}"
    best, worst = ("serves most", "serves least") if serves else ("needs the fewest", "needs the most")
    form = f"floor({{here}}/{rate:.6f}fps)" if serves else f"ceil({rate:.6f}fps/{{here}})"
    return Column(head, ESTIMATE, _RATE, "", best, worst, largest=True, ratio=form) if rate else None


def _share_of_time(query: Query) -> Column:
    """How busy a rate keeps it."""
    busy = f"{{here}}/{1e3 / (query.number(Role.RATE_HZ) or 1.0):.6g}ms"
    if spoken("left", query.question):
        return Column("of the time left", ESTIMATE, "latency_ms", "%", "leaves most", ratio=f"1-{busy}")
    return Column("of the time", ESTIMATE, "latency_ms", "%", "is busy least", ratio=busy)


__all__ = [
    "AVERAGE",
    "CHECK",
    "CHIP",
    "COLUMNS",
    "ESTIMATE",
    "LIFE",
    "MACS",
    "MODEL",
    "SAME",
    "Column",
    "columns_of",
]
