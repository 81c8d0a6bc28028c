"""What one inference or token takes, as expressions: of a network on a target, and of a language model."""

from __future__ import annotations

from collections.abc import Generator

from ....tools.core.records import dataclass, replace
from ...quantities import Family, Figure
from ..bench import Call, Record, call_of, needed
from ..query import Query, Role
from ..writing import WORDS_A_TOKEN
from . import cases, energies, packs
from .phrases import batch_of, language_models, said, sentence

IN_TURN = "All cards at their rating: split by layers they compute in turn, so it may be less"
_DAY_H = 24.0
NONSTOP, _IN_A_ROW = "nonstop", "one after another"


@dataclass(frozen=True)
class Source:
    """Expressions of what one inference or token takes, and of the mean power at the rate that is said."""

    name: str
    record: Record
    each: str
    """Its energy."""
    time: str
    power: str
    pace: str
    notes: tuple[str, ...] = ()
    rent: float = 0.0
    """An hour of it, and of all its cards."""
    paid: str = ""
    """That rent, in the user's words."""
    cards: str = ""
    """How many of it, where that is not one."""
    why: str = ""
    """Why the mean power is not known, where that is no missing source."""
    of_words: bool = False
    """Whether what is counted are words, of which a token is but a part."""
    mean_mw: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """The mean power at the rate that is said, of all its cards, and its ends; 0 where none is."""
    told: str = ""
    """What is asked for, as an expression; empty where something in it is not known."""

    @property
    def model(self) -> str:
        """The network that the figure is of, whichever else the question names."""
        model, record = str(self.record["model"]).rpartition("/")[2], self.record
        if record.knows("weights_bytes"):
            return f"{model} in {record.ref('weights')} with {record.ref('runtime')}"
        return model.removesuffix(f":{record['dtype']}")

    @property
    def place(self) -> str:
        path = "deployment.target" if self.record["deployment"] else "target"
        return f"{f'{self.cards} x ' if self.cards else ''}{self.record.ref(path)}"

    @property
    def seconds(self) -> float:
        """Of one inference or token."""
        each_ms = (self.record.number("latency_ms") or 1e-9) / batch_of(self.record)
        return 1 / (self.record.number("decode_tokens_per_s") or 1e3 / each_ms)

    @property
    def energy_uj(self) -> float:
        """Of one inference or token."""
        each = (self.record.number("energy_uj") or 0.0) / batch_of(self.record)
        return each or self.record.number("energy_uj_per_token") or 0.0


def own_power(query: Query) -> Figure | None:
    found = (each for each in query.figures if each.family is Family.POWER)
    return next(found, None) if language_models(query) else None


def rating(record: Record) -> str:
    """What it draws while it writes: that is its rating, however uncertain the speed is."""
    return f"{record.id}.energy_uj_per_token.value*{record.id}.decode_tokens_per_s.value"


def of_tokens(
    name: str, record: Record, *, words: bool, own: Figure | None, rated: Record | None = None
) -> Source:
    """Of a language model; in words where those are counted, at the user's own watts where they are said.

    Args:
        rated: an estimate of another model on that target, whose rating is the same.
    """
    i, cards = record.id, int(record["cards"] or 1)
    many = f"{cards}*" if cards > 1 else ""
    each = f"({many}{i}.energy_uj_per_token)" if record.knows("energy_uj_per_token") else ""
    rate = f"{i}.decode_tokens_per_s" if record.knows("decode_tokens_per_s") else ""
    drawn = record if each and rate else rated
    power = f"{many}{rating(drawn)}" if drawn is not None else ""
    if own is not None:
        power = f"{own.value / 1e3:.9g}W*{i}.batch/{i}.batch"  # an expression has a field in it
    notes: tuple[str, ...] = (f"A token is taken as {WORDS_A_TOKEN:g} words",) if words else ()
    notes += (IN_TURN,) if many and own is None else ()
    if words:
        each, rate = (each and f"({each}/{WORDS_A_TOKEN:g})"), (rate and f"{WORDS_A_TOKEN:g}*{rate}")
    pace = f"{record.ref('batch')} at once" if (record["batch"] or 1) > 1 else _IN_A_ROW
    why = ""
    if not rate and record["verdict"] == "FAIL":
        takes = f"{record.ref('total_bytes', 'GiB')} of {record.ref('ram_bytes', 'GiB')}"
        why = f"{record.ref('model')} in {record.ref('weights')} does not fit {record.ref('target')}, {takes}"
    return Source(
        name, record, each, f"(1/({rate}))" if rate else "", power, pace, notes,
        cards=str(cards) if many else "", of_words=words, why=why,
    )  # fmt: skip


def of_network(name: str, query: Query, *, of_a_time: bool) -> Generator[Call, Record, Source]:
    """Of any other network: nonstop, or at the rate that is said, where it is of a time."""
    record = needed((yield call_of("estimate_performance", query)))
    i, batch = record.id, batch_of(record)
    cards = cases.cards_of(query) if of_a_time else 1
    many = f"{cards}*" if cards > 1 else ""
    power = f"{many}{i}.power_mw" if record.knows("power_mw") else ""
    found = Source(
        name, record, f"({i}.energy_uj/{batch})" if record.knows("energy_uj") else "",
        f"({i}.latency_ms/{batch})" if record.knows("latency_ms") else "", power,
        NONSTOP if of_a_time else _IN_A_ROW, cards=str(cards) if many else "",
    )  # fmt: skip
    return (yield from _at_a_rate(found, query, cards)) if of_a_time and query.has(Role.RATE_HZ) else found


def in_batches_of(source: Source) -> Source:
    """That it works in batches, though nobody said so."""
    many, alone = source.record.ref("deployment.batch"), source.pace in (NONSTOP, _IN_A_ROW)
    pace = f"in batches of {many}{'' if alone else f', {source.pace}'}"
    return replace(source, pace=pace, name=f"{source.name}, batch {many}" if source.name else "")


def _at_a_rate(source: Source, query: Query, cards: int) -> Generator[Call, Record, Source]:
    """With the mean power of so many of it, and what that leaves out."""
    budget = yield call_of("estimate_energy_budget", packs.sized(query)[0])
    pace = f"at {said(query, Role.RATE_HZ)}".replace("at once", "once").replace("at every", "every")
    path = energies.averaged_in(budget)
    if not budget.knows(path):
        why = budget.ref("statement") if budget["verdict"] == "FAIL" else ""
        return replace(source, power="", pace=pace, why=why)
    alone = "" if path == "average_power_mw" else f"At least that, {energies.not_counted(budget)}"
    hours = query.hours_a_day or _DAY_H
    idles = f"It idles in the other {_DAY_H - hours:g} hours of a day, which is counted; off it draws less"
    rest = idles if hours < _DAY_H and budget["rests"] == "idle" else ""
    notes = tuple(note for note in (sentence(energies.hosted_by(budget)).rstrip("."), alone, rest) if note)
    low, high = budget.ends(path) or (0.0, 0.0)
    mean_mw = (cards * (budget.number(path) or 0.0), cards * low, cards * high)
    power = f"{f'{cards}*' if cards > 1 else ''}{budget.id}.{path}"
    return replace(source, power=power, pace=pace, notes=notes, mean_mw=mean_mw)
