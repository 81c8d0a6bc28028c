"""Cases of language models as rows: what they are put in order by, and the table that shows them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

from ..bench import NOT_KNOWN, Call, Record
from ..query import Query, Role
from ..words import entries
from .cases import cards_of, estimated, holds
from .least import own_prices
from .phrases import VERDICT_WORDS, figure, price, table
from .tokens import ended_by, for_sessions

RATE = "decode_tokens_per_s"
_ANSWER = 200
"""Tokens of a usual answer."""


class Row(NamedTuple):
    name: str
    query: Query
    record: Record
    chip: Record | None = None

    @property
    def fails(self) -> bool:
        return bool(self.record["verdict"] == "FAIL")

    @property
    def rate(self) -> float:
        return self.record.number(RATE) or 0.0

    @property
    def own_price(self) -> tuple[float, str]:
        """What the user says that this one costs them, and their words; empty where they do not."""
        return own_prices(self.query).get(str(self.record["target"]), (0.0, ""))

    @property
    def usd(self) -> float:
        """Of all its cards."""
        each = self.chip.number("price_usd") if self.chip else None
        return self.own_price[0] or cards_of(self.query) * (each or 0.0)

    @property
    def price(self) -> str:
        cards = cards_of(self.query)
        if self.own_price[1] or cards == 1 or self.chip is None or not self.chip.knows("price_usd"):
            return self.own_price[1] or price(self.chip or self.record)
        return f"{{{{{cards}*{self.chip.id}.price_usd|USD}}}} for {cards}"

    @property
    def for_money(self) -> str:
        if not self.rate or not self.usd or self.chip is None:
            return NOT_KNOWN
        own, cards = self.own_price[0], cards_of(self.query)
        paid = f"{own:g}USD" if own else f"({cards}*{self.chip.id}.price_usd)"
        return f"{{{{1s*1USD*{self.record.id}.{RATE}/{paid}|count}}}}"


class Goal(NamedTuple):
    """What rows are put in order by, the largest first, and how it is told."""

    by: Callable[[Row], float]
    verb: str
    shown: Callable[[Row], str]


def shown_of(row: Row, path: str = RATE) -> str:
    return row.record.ref(path, "GiB") if path.endswith("bytes") else figure(row.record, path, basis=False)


def _until_done(row: Row) -> float:
    """Milliseconds until an answer of usual length is there; 0 where that is not known."""
    first, rate = row.record.number("time_to_first_token_ms"), row.record.number("session_tokens_per_s")
    return first + 1e3 * _ANSWER / rate if first and rate else 0.0


def _least(path: str) -> Callable[[Row], float]:
    return lambda row: 1 / (row.record.number(path) or float("inf"))


FASTEST = Goal(lambda row: row.rate, "is the fastest with", shown_of)
SOONEST = Goal(
    _least("time_to_first_token_ms"),
    "starts first, after",
    lambda row: (
        f"{shown_of(row, 'time_to_first_token_ms')} at {row.record.ref('prompt_tokens')} tokens"
        f"{for_sessions(row.record)}"
    ),
)
DONE = Goal(
    lambda row: 1 / (_until_done(row) or float("inf")),
    "answers first, an answer of 200 tokens being there after",
    lambda row: (
        f"{{{{{row.record.id}.time_to_first_token_ms+{_ANSWER}/{row.record.id}.session_tokens_per_s|~}}}}, "
        f"the first of them after {row.record.ref('time_to_first_token_ms')}"
    ),
)
FRUGAL = Goal(
    _least("energy_uj_per_token"),
    "takes the least energy,",
    lambda row: f"{row.record.ref('energy_uj_per_token', '~')} a token",
)
LONGEST = Goal(
    lambda row: row.record.number("max_context") or 0.0,
    "has room for most context,",
    lambda row: (
        f"{row.record.ref('max_context')} tokens, ended by the {row.record.ref('context_bound')}"
        + (f" (the memory holds {row.record.ref('held_context')})" if ended_by(row.record) else "")
    ),
)
CHEAPEST = Goal(
    lambda row: 1 / (row.usd or float("inf")),
    "is the cheapest at",
    lambda row: f"{row.price}: {shown_of(row)}",
)
MOST_FOR_MONEY = Goal(
    lambda row: row.rate / row.usd if row.usd else 0.0,
    "writes most for its price,",
    lambda row: f"{row.for_money} tokens/s a dollar",
)


def varies_cache(rows: Sequence[Row]) -> bool:
    return len({row.record["kv"] for row in rows}) > 1


def cache_costs(rows: Sequence[Row]) -> str:
    """What fewer bits in the cache cost."""
    return entries("cache_costs")["costs"] if varies_cache(rows) else ""


def rows_of(
    named: Sequence[tuple[str, Query]], **place: str
) -> Generator[Call, Record, tuple[list[Row], list[str]]]:
    """The estimate of each case, and why there is none of others."""
    rows, errors = list[Row](), list[str]()
    for name, one in named:
        record = yield from estimated(one, **place)
        if record.result is None:
            errors.append(f"Not compared: {name}: {record.error.rstrip('.')}.")
        else:
            rows.append(Row(name, one, record))
    return rows, errors


def _fit_word(row: Row) -> str:
    """Yes, no, or what is between: what goes in beyond what the runtime leaves free hardly does."""
    spills = not row.fails and not holds(row.record)
    return "hardly" if spills else VERDICT_WORDS[row.record["verdict"]].partition(",")[0].lower()


def table_of(
    rows: Sequence[Row], *, energy: bool = False, full: bool = False, bare: bool = False, long: bool = False
) -> str:
    """With prices where the rows have a chip, without speeds where no hardware is named."""
    together = any((row.record["batch"] or 1) > 1 for row in rows)
    of_memory = not bare or any(row.query.has(Role.RAM_BYTES) for row in rows)

    def column(path: str, form: str = "") -> Callable[[Row], str]:
        return lambda row: row.record.ref(path, form)

    every: tuple[tuple[str, Callable[[Row], str], bool], ...] = (
        ("", lambda row: row.name, True),
        ("each", column("session_tokens_per_s", "~"), together and not bare),
        ("together" if together else "tokens/s", column(RATE, "" if together else "~"), not bare),
        (
            "context full, together" if together else "context full",
            column("full_context_tokens_per_s"),
            full and not bare and not all((row.record["batch"] or 1) > 1 for row in rows),
        ),
        ("first token", column("time_to_first_token_ms"), not bare and not varies_cache(rows)),
        ("weights", column("weights_bytes", "GiB"), bare),
        ("key-value cache", column("kv_cache_bytes", "GiB"), bare or varies_cache(rows)),
        ("takes", column("total_bytes", "GiB"), True),
        ("of", column("ram_bytes", "GiB"), of_memory),
        ("context that fits", column("max_context"), bare or long),
        ("fits", _fit_word, of_memory),
        ("energy a token", column("energy_uj_per_token"), energy),
        ("price", lambda row: row.price, rows[0].chip is not None),
        ("tokens/s a dollar", lambda row: row.for_money, rows[0].chip is not None),
    )
    columns = [(head, cell) for head, cell, is_shown in every if is_shown]
    return table([head for head, _ in columns], [[cell(row) for _, cell in columns] for row in rows])
