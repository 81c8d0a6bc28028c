"""The words for what a load takes: of one kind of board in a sentence, of several as a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from ....hardware_db.hosts import is_hosted
from ....hardware_db.schema import TargetClass
from ....tools.core.records import dataclass
from ....tools.verdicts.ties import apart
from ...asked_unit import AskedUnit, Price, What
from ...patterns import compiled
from ..bench import NOT_KNOWN, Record
from ..dossier import asks_to_choose
from ..query import Query, Role
from ..want import Want
from ..words import counts_things
from .phrases import VERDICT_WORDS, joined, lines, model_shown, price, said, sentence, table

IN_ALL, _DAY_H = "devices_in_all", 24.0
"""A field that each such answer refers to."""
TELLS = frozenset((Want.PRICE, Want.POWER, Want.ENERGY, Want.HOW_MANY, Want.THROUGHPUT))
_ELECTRIC = compiled(
    r"\b(?:electric\w*|kwh|mains|wall|energy|power (?:bills?|costs?)|rent\w*)\b", re.IGNORECASE
)
_BOUGHT = compiled(
    r"\b(?:hardware|buy\w*|purchase\w*|boxes|cards|boards|modules|all[- ]in|total|altogether)\b",
    re.IGNORECASE,
)


_ENOUGH = compiled(
    r"^(?:and )?(?:do|does|can|could|will|would|is|are)\b|\b(?:enough|suffic\w+|doable|manage\w*|can|could|"
    r"possible|cope\w*|keeps? up|ok(?:ay)?|will do|does (?:that|the|it))\b",
    re.IGNORECASE,
)


_COMPUTING = {"power_in_all_mw": "computing_in_all_mw", "energy_wh": "computing_wh"}


@dataclass(frozen=True)
class Kind:
    """A kind of board, with what it takes."""

    name: str
    query: Query
    work: Record
    page: Record
    rent: str = ""
    """Words for what an hour of it costs; empty where it is not rented."""
    where: str = ""
    """In each place, or in one; empty where all are alike."""

    @property
    def target(self) -> str:
        return self.query.text(Role.TARGET)

    @property
    def runs(self) -> bool:
        return self.work.knows("devices_needed")

    @property
    def many(self) -> float:
        return self.work.number(IN_ALL) or 1.0

    def to_be_sure(self) -> str:
        """How many by the lower end of the estimate; empty where that is no other number."""
        ends = self.work.ends(IN_ALL)
        more = ends is not None and ends[1] > self.many
        return f"{{{{{self.work.id}.{IN_ALL}.high|count}}}} to be sure" if more else ""

    @property
    def counts_idle(self) -> bool:
        return self.work.knows("power_in_all_mw") or not self.work.knows("computing_in_all_mw")

    def field(self, path: str) -> str:
        """The field that tells it: of computing alone where what is drawn in between is not known."""
        return path if self.counts_idle else _COMPUTING[path]

    def drawn(self, path: str, unit: str = "") -> str:
        """It with its interval; at least that where it leaves out what is drawn in between."""
        shown = self.work.ref(self.field(path), f"{unit}~")
        return shown if self.counts_idle or shown == NOT_KNOWN else f"at least {shown}"

    def bill(self, paid: Price | None) -> str:
        """What its electricity costs, as an expression; empty where it is not known."""
        path = self.field("energy_wh")
        if paid is None or self.rent or not self.work.knows(path):
            return ""
        return f"{self.work.id}.{path}/1000Wh*{paid.term}"


@dataclass(frozen=True)
class Asked:
    """What is to be told of each."""

    query: Query
    wants: tuple[Want, ...]
    period: AskedUnit | None
    paid: Price | None
    alone: bool

    @property
    def in_dollars(self) -> bool:
        return self.paid is not None and self.paid.currency in ("USD", "$")

    @property
    def bought(self) -> bool:
        """Whether the price of the boards counts: not of those that run already."""
        text = self.query.question
        if _BOUGHT.search(text) or not self.alone:
            return not self.of_power
        return bool({Want.PRICE, Want.CHEAPEST} & {*self.wants}) and not _ELECTRIC.search(text)

    @property
    def of_power(self) -> bool:
        """Whether it is power alone that is asked for."""
        return Want.POWER in self.wants and self.period is None and "price" not in self.query.asks

    @property
    def judges(self) -> bool:
        """Whether one, or as many as are named, are to be enough."""
        meets = {*self.wants} & {Want.MEETS, Want.FITS} and _ENOUGH.search(self.query.question)
        return bool(meets)


_Figure = Callable[[Kind, Asked], str]


def _count(kind: Kind, _asked: Asked) -> str:
    if not kind.runs:
        return NOT_KNOWN
    told, sure = kind.work.ref(IN_ALL, "count"), kind.to_be_sure()
    return f"{told} ({sure})" if sure else told


def _to_buy(kind: Kind, _asked: Asked) -> str:
    return _dollars(kind, "cost_devices", "")


def _dollars(kind: Kind, path: str, ends: str = "~") -> str:
    return f"{{{{{kind.work.id}.{path}*1USD|USD{ends}}}}}" if kind.work.knows(path) else NOT_KNOWN


def _power(kind: Kind, _asked: Asked) -> str:
    return kind.drawn("power_in_all_mw")


def _energy(kind: Kind, _asked: Asked) -> str:
    return kind.drawn("energy_wh", "kWh")


def _bill(kind: Kind, asked: Asked) -> str:
    bill = kind.bill(asked.paid)
    return f"{_at_least(kind)}{asked.paid.shown(bill)}" if asked.paid and bill else NOT_KNOWN


def _at_least(kind: Kind) -> str:
    return "" if kind.counts_idle else "at least "


def _rent(kind: Kind, _asked: Asked) -> str:
    return _dollars(kind, "cost_rent") if "{{" in kind.rent else kind.work.ref("cost_rent", "count~")


def _in_all(kind: Kind, asked: Asked) -> str:
    bill = kind.bill(asked.paid)
    if not bill or not kind.work.knows("cost_devices"):
        return NOT_KNOWN
    return f"{_at_least(kind)}{{{{({kind.work.id}.cost_devices+{bill})*1USD|USD~}}}}"


def _columns(kinds: Sequence[Kind], asked: Asked) -> list[tuple[str, _Figure]]:
    rented, owned = any(kind.rent for kind in kinds), any(not kind.rent for kind in kinds)
    found: list[tuple[str, _Figure]] = [("where", lambda kind, _: kind.where)] if kinds[0].where else []
    found += [("of them", _count)]
    found += [("to buy", _to_buy), ("power", _power)] if owned else []
    if asked.period is not None:
        words = asked.period.words
        found += [(f"energy {words}", _energy)] if owned else []
        found += [(f"rent {words}", _rent)] if rented else []
        found += [(f"electricity {words}", _bill)] if asked.paid else []
        found += [("in all", _in_all)] if asked.in_dollars else []
    return found


def told_in(answer: str) -> frozenset[Want]:
    """What such an answer tells; nothing where it is another."""
    return TELLS if IN_ALL in answer else frozenset()


def told(kinds: Sequence[Kind], asked: Asked) -> str:
    """The answer; what is not in its figures in the last line."""
    notes = _notes(kinds, asked)
    if asked.alone:
        return lines(_of_one(kinds[0], asked), _one_does(kinds[0]), *notes)
    columns = _columns(kinds, asked)
    cells = [[kind.name, *(figure(kind, asked) for _, figure in columns)] for kind in kinds]
    return lines(_least(kinds, asked), table(["", *(head for head, _ in columns)], cells), *notes)


def _load(query: Query) -> str:
    load = _of_a_place(query)
    return f"{load} in each of {said(query, Role.PLACES)}" if query.has(Role.PLACES) else load


def _of_a_place(query: Query) -> str:
    return f"{said(query, Role.DEVICES)} times {said(query, Role.RATE_HZ)}".removeprefix(" times ")


def _where(kind: Kind) -> str:
    """How many of them are in each place; empty where there is one."""
    each = "one" if kind.work.number("devices_needed") == 1 else kind.work.ref("devices_needed", "count")
    places = said(kind.query, Role.PLACES)
    return f", {each} in each of {places}," if places and kind.work["devices"] == 1 else ""


def _of_one(kind: Kind, asked: Asked) -> str:
    """What is asked first, for how many of what, and the rest."""
    if not kind.runs:
        missing = f", {kind.work.ref('missing[#0]')}" * kind.work.knows("missing[#0]")
        return sentence(f"{NOT_KNOWN} for {kind.target}: {kind.work.ref('statement')}{missing}")
    sure = f" ({kind.to_be_sure()}, by the lower end)" * bool(kind.to_be_sure())
    figures = _figures(kind, asked)
    first, count = _first(asked, figures), kind.work.ref(IN_ALL, "count")
    enough = " is enough" * (not first)
    carry = f"One {kind.target}{enough}{sure}" if kind.many == 1 else f"{count} {kind.target}{sure}"
    carry += f"{_where(kind)} for {_of_a_place(kind.query)} with {model_shown(kind.query)}"
    rest = "; ".join(text for name, text in figures.items() if name != first and text)
    if verdict := _verdict(kind, asked):
        return sentence(f"{verdict}: {carry[0].lower()}{carry[1:]}: {rest}")
    if not first:
        return sentence(f"{carry}: {rest}")
    carry = f"{carry[0].lower()}{carry[1:]}"
    return sentence(f"{figures[first]}: {carry}{'; ' * bool(rest)}{rest}")


def _verdict(kind: Kind, asked: Asked) -> str:
    """Whether one, or as many as are named, is enough, where that is asked."""
    if not asked.judges:
        return ""
    there, ends = kind.work.number("devices") or 1.0, kind.work.ends("devices_needed")
    needed, at_worst = kind.work.number("devices_needed") or 1.0, ends[1] if ends else 1.0
    word = "PASS" if at_worst <= there else "MARGINAL" if needed <= there else "FAIL"
    takes = f", it takes {kind.work.ref('devices_needed', 'count')}" if word == "FAIL" else ""
    return f"{VERDICT_WORDS[word]}{takes}"


def _figures(kind: Kind, asked: Asked) -> dict[str, str]:
    """By name what it costs and draws, as far as it is asked."""
    found: dict[str, str] = {}
    if asked.period is not None and kind.rent:
        found["bill"] = f"{_rent(kind, asked)} {asked.period.words} at {kind.rent} each"
    elif asked.period is not None:
        energy, words = _energy(kind, asked), asked.period.words
        bill = f"{_bill(kind, asked)} {words} at {asked.paid.words}, for {energy}" if asked.paid else ""
        found["bill"] = bill or f"{energy} {words}"
    if asked.bought and not kind.rent:
        known = f"{_to_buy(kind, asked)} to buy, " * (kind.many > 1) + price(kind.page)
        unknown = f"what {kind.target} costs is not known, as no source of a price was read"
        found["bought"] = known if kind.work.knows("cost_devices") else unknown
    if not kind.rent:
        found["power"] = _power_of(kind, asked)
    if asked.in_dollars and asked.bought and _in_all(kind, asked) != NOT_KNOWN and asked.period:
        found["all"] = f"{_in_all(kind, asked)} in all"
    return found


def _power_of(kind: Kind, asked: Asked) -> str:
    """On average, of one and of all."""
    path = kind.field("power_in_all_mw")
    if not kind.work.knows(path):
        return "" if asked.period is not None else f"what it draws is {NOT_KNOWN}"
    if kind.many <= 1:
        return f"{_power(kind, asked)} on average"
    of_one = f"{kind.work.id}.{path}/{kind.many:g}"
    of_one = kind.work.ref("average_power_mw", "~") if kind.counts_idle else f"{{{{{of_one}|~}}}}"
    one = f"{_at_least(kind)}{of_one}"
    return f"{one} on average each, {_power(kind, asked)} together"


def _first(asked: Asked, figures: dict[str, str]) -> str:
    """Which of them is asked first; empty where it is how many."""
    if asked.wants[:1] == (Want.HOW_MANY,) or counts_things(asked.query.question) or asked.judges:
        return ""
    if (asked.wants[:1] == (Want.POWER,) or asked.of_power) and figures.get("power"):
        return "power"
    order = ["all", "bill", "bought", "power"] if asked.paid else ["bought", "bill", "power"]
    return next((name for name in order if figures.get(name)), "")


def _one_does(kind: Kind) -> str:
    """How much one does, in its batch, and how long a result takes."""
    work = kind.work
    if not kind.runs:
        return ""
    batch, took = work.ref("deployment.batch"), work.ref("latency_ms")
    in_batches = work["deployment"]["batch"] > 1
    waits = in_batches and work.knows("longest_wait_ms")
    each = f"in batches of {batch} of {took}" if in_batches else f"{took} each"
    wait = f"; a result takes up to {work.ref('longest_wait_ms')}, waiting included" if waits else ""
    return f"One does {work.ref('inferences_per_second', 'fps~')}, {each}{wait}."


_RANKED: tuple[tuple[str, str, _Figure], ...] = (
    ("all", "costs least in all", _in_all), ("cost_devices", "is cheapest to buy", _to_buy),
    ("cost_rent", "is cheapest to rent", _rent), ("energy_wh", "takes least electricity", _bill),
    ("power_in_all_mw", "draws least", _power),
)  # fmt: skip


def _ends(kind: Kind, name: str, asked: Asked) -> tuple[float, float, float] | None:
    """A figure and its interval, None where it is not known."""
    if name == "all":
        bought, spent = _ends(kind, "cost_devices", asked), _ends(kind, "energy_wh", asked)
        price_wh = asked.paid.value / 1e3 if asked.paid else 0.0
        if bought is None or spent is None or kind.rent:
            return None
        value, low, high = (one + price_wh * other for one, other in zip(bought, spent, strict=True))
        return value, low, high
    path = kind.field(name) if name in _COMPUTING else name
    value_, ends = kind.work.number(path), kind.work.ends(path)
    return None if value_ is None or ends is None else (value_, *ends)


def _least(kinds: Sequence[Kind], asked: Asked) -> str:
    """Which is least in what is asked, as far as it is known; the one to take where it is least in all."""
    running, load = [kind for kind in kinds if kind.runs], f"{model_shown(asked.query)}, {_load(asked.query)}"
    if not running:
        return sentence(f"{NOT_KNOWN}, as none of them is known to do it: {load}")
    clauses, best = list[str](), list[str]()
    for name, words, figure in _RANKED:
        known = {kind.name: ends for kind in running if (ends := _ends(kind, name, asked)) is not None}
        alone = len(known) == 1 and len(kinds) == 2
        if not known or alone or name in _passed_over(running, asked):
            continue
        first = min((kind for kind in running if kind.name in known), key=lambda kind: known[kind.name][0])
        few = len(known) < len(kinds) and len(kinds) > 2
        among = f" of the {len(known)} whose figure is known" * few
        among += _not_surely(first.name, known)
        who = "" if best[-1:] == [first.name] else f"{first.name} "
        clauses.append(f"{who}{words}{among}, {figure(first, asked)}")
        best.append(first.name)
    load += f", at {asked.paid.words}" if asked.paid and asked.period else ""
    if not clauses or kinds[0].where:
        return f"{'; '.join(_sums(kind, asked) for kind in running)}: {load}."
    take = f"I would take {best[0]}: " if len({*best}) == 1 and asks_to_choose(asked.query) else ""
    clauses = [clauses[0].removeprefix(f"{best[0]} ") if take else clauses[0], *clauses[1:]]
    return f"{take}{'it ' * bool(take)}{joined(clauses)}: {load}."


def _sums(kind: Kind, asked: Asked) -> str:
    """What is known of its costs, where they are not of one kind."""
    bought = f"{_to_buy(kind, asked)} to buy" if kind.work.knows("cost_devices") else ""
    rent = f"{_rent(kind, asked)} of rent" if kind.work.knows("cost_rent") else ""
    bill = f"{_bill(kind, asked)} for electricity" if kind.bill(asked.paid) else ""
    return f"{kind.target} {kind.where}: {joined([bought, rent, bill]) or NOT_KNOWN}"


def _not_surely(first: str, known: Mapping[str, tuple[float, float, float]]) -> str:
    """With whom it may change places, as their intervals overlap."""
    others = sorted((name for name in known if name != first), key=lambda name: known[name][0])
    tie = bool(others) and not apart(known[first][1:], known[others[0]][1:])
    return f", not surely before {others[0]}" if tie else ""


def _passed_over(running: Sequence[Kind], asked: Asked) -> set[str]:
    """Figures that another one of all of them contains, or that are of no one currency."""
    if asked.in_dollars and asked.period and all(_ends(kind, "all", asked) for kind in running):
        return {"cost_devices", "energy_wh", "power_in_all_mw"}
    paid = asked.paid is not None and asked.period is not None
    return {"all", "power_in_all_mw" if paid else "energy_wh"}


def _notes(kinds: Sequence[Kind], asked: Asked) -> list[str]:
    """What is not in the figures."""
    running, out = [kind for kind in kinds if kind.runs and not kind.rent], list[str]()
    idle = dict.fromkeys(kind.target for kind in running if not kind.counts_idle)
    out += [f"what {joined(idle)} draw{'s' * (len(idle) == 1)} between the runs"] if idle else []
    known = {kind.target: kind.query.targets[kind.target] for kind in running}
    inside = [n for n, one in known.items() if one.target_class is TargetClass.GPU or is_hosted(one)]
    out += [f"the computer that {joined(inside)} sit{'s' * (len(inside) == 1)} in"] if inside else []
    told = [f"Not counted: {joined(out)}."] if out else []
    if asked.period is None:
        return told
    if (asked.query.hours_a_day or _DAY_H) < _DAY_H:
        told.append(f"It is off outside {said(asked.query, Role.HOURS_A_DAY)}.")
    if asked.paid and asked.paid.currency and not asked.in_dollars and (asked.bought or not asked.alone):
        told.append(f"Hardware is priced in USD, which is not added to {asked.paid.currency}.")
    if asked.paid is None and asked.period.what is What.MONEY and running:
        told.append("What a kWh costs was not said: *0.30 € per kWh* gives the bill.")
    return told
