"""What is chosen from, with its figures: how likely each meets what is demanded, and their order."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass

from ..bench import NOT_KNOWN, Call, Record, call_of
from ..dossier import Dossier
from ..query import LIMITS, Query, Role
from ..want import Want
from .cases import demanded, estimated
from .columns import CHECK, CHIP, COLUMNS, ESTIMATE, Column
from .judging import ROLES_OF
from .least import least_of
from .phrases import joined, price, said
from .rows import Row, row_of
from .table import rounded

GENERATION = "estimate_generation"
DEMANDED = (*LIMITS, Role.LIFE_MS)
LEVELS = ("yes", "probably", "not sure", "probably not", "no")
"""Whether what is demanded is met, the surest first."""
_OF_WRITERS: Mapping[Want, Column] = {
    Want.LATENCY: Column("tokens/s", GENERATION, "session_tokens_per_s", "~", "is the fastest", largest=True),
    Want.ENERGY: Column("energy a token", GENERATION, "energy_uj_per_token", "~", "takes the least energy"),
    Want.RAM: Column("takes", GENERATION, "total_bytes", "GiB", "takes the least memory"),
    Want.PRICE: COLUMNS[Want.PRICE],
}
_BASIS = re.compile(r", \{\{[^}|]*\.basis\}\}")
_ALIKE = 1.02
_A_PACE_HZ = 5.0
"""Below that a rate beside a battery says how often it runs."""


@dataclass(frozen=True)
class Contender:
    """One that may be chosen, with a row a network."""

    name: str
    rows: tuple[Row, ...]

    @property
    def row(self) -> Row:
        """The one that is least likely to do."""
        return max(self.rows, key=lambda row: (LEVELS.index(level_of(row)), failing(row).count(" against ")))

    @property
    def level(self) -> str:
        return level_of(self.row)

    def number(self, column: Column) -> float | None:
        """The worst of the networks."""
        numbers = [row.number(column) for row in self.rows]
        known = [number for number in numbers if number is not None]
        return None if len(known) < len(numbers) else min(known) if column.largest else max(known)

    def cell(self, column: Column) -> str:
        """The figure; of several networks each, without their intervals."""
        cells = [row.cell(column) for row in self.rows]
        return cells[0] if len(set(cells)) == 1 else joined(cell.replace("~}}", "}}") for cell in cells)

    def plain(self, column: Column) -> str:
        """The figure without what it rests on."""
        return _BASIS.sub("", self.cell(column))

    def ends(self, column: Column) -> tuple[float, float] | None:
        return self.rows[0].ends(column) if len(self.rows) == 1 else None


def level_of(row: Row) -> str:
    """How likely a row meets what is demanded; without a limit, whether it runs at all."""
    record = row.records.get(GENERATION)
    if record is not None:
        return _level_of_writer(row, record)
    if not row.query.has(*DEMANDED):
        return "no" if row.verdict == "FAIL" else "yes"
    return row.likely


def _level_of_writer(row: Row, record: Record) -> str:
    least, _ = demanded(row.query)
    usd, most = row.number(COLUMNS[Want.PRICE]), row.query.number(Role.PRICE_USD)
    ends, rate = record.ends("session_tokens_per_s"), record.number("session_tokens_per_s")
    if record["verdict"] == "FAIL" or (usd and most and usd > most):
        return "no"
    if least is None:
        return "not sure" if record["verdict"] == "UNKNOWN" else "yes"
    if ends is None or rate is None:
        return "not sure"
    return (
        "yes"
        if ends[0] >= least
        else "no"
        if ends[1] < least
        else "probably"
        if rate >= least
        else "probably not"
    )


def contenders(dossier: Dossier) -> Generator[Call, Record, tuple[list[Contender], list[str]]]:
    """Those that can be calculated; what could not, in words."""
    columns = [*columns_of(dossier), COLUMNS[Want.PRICE]]
    found, errors = list[Contender](), list[str]()
    for name, queries in dossier.contenders.items():
        rows = []
        for one in queries:
            rows.append((yield from (_written(name, one) if dossier.writes else row_of(name, one, columns))))
        if failed := next((row for row in rows if row.error), None):
            errors.append(f"Not compared: {name}: {failed.error.rstrip('.')}.")
        else:
            found.append(Contender(rows[0].name, tuple(rows)))
    return found, errors


def _written(name: str, query: Query) -> Generator[Call, Record, Row]:
    record = yield from estimated(query)
    chip = yield call_of(CHIP, query)
    known = {GENERATION: record} | ({CHIP: chip} if chip.result is not None else {})
    return Row(name, query, known, "" if record.result is not None else record.error)


def of_time(dossier: Dossier) -> Column:
    """The time as it is demanded."""
    if dossier.writes:
        return _OF_WRITERS[Want.LATENCY]
    query = dossier.query
    rated = query.has(Role.RATE_HZ) and not is_paced(dossier)
    batched = (query.number(Role.BATCH) or 1) > 1 and not query.has(Role.LATENCY_MS)
    return COLUMNS[Want.THROUGHPUT if rated or batched else Want.LATENCY]


def is_paced(dossier: Dossier) -> bool:
    """Whether a rate says how often it runs, rather than what is to be reached."""
    rate = dossier.query.number(Role.RATE_HZ) or _A_PACE_HZ
    return rate < _A_PACE_HZ and dossier.aim in (Want.BATTERY_LIFE, Want.ENERGY, Want.POWER)


def columns_of(dossier: Dossier) -> list[Column]:
    """By what they are weighed, the aim first."""
    if dossier.writes:
        wants = [want for want in (dossier.aim, Want.LATENCY, Want.RAM) if want in _OF_WRITERS]
        return list(dict.fromkeys(_OF_WRITERS[want] for want in wants if want))
    aim = [dossier.aim] if dossier.aim in COLUMNS and dossier.aim else []
    aim += [Want.ENERGY] if dossier.aim is Want.BATTERY_LIFE else []
    time, energy = of_time(dossier), [] if "energy" in dossier.query.no_goals else [COLUMNS[Want.ENERGY]]
    return list(dict.fromkeys([*(COLUMNS[want] for want in aim), time, *energy]))


def in_order(found: Sequence[Contender], column: Column) -> list[Contender]:
    """By how likely they do, then by a figure; what has none last."""

    def place(one: Contender) -> tuple[int, bool, float]:
        number = one.number(column)
        return (
            LEVELS.index(one.level),
            number is None,
            rounded(-number if column.largest else number) if number else 0.0,
        )

    return sorted(found, key=place)


def least(dossier: Dossier, found: Sequence[Contender]) -> tuple[Contender, str] | None:
    """Of those that all do, the cheapest, else what draws least, with the figure; None where unknown."""
    rows = {one.rows[0].name: one for one in found}
    if dossier.writes or len(found) < 2:
        return None
    enough = least_of(dossier.query, [one.rows[0] for one in found], dossier.role)
    return (rows[enough.row.name], f"is enough at {enough.figure}") if enough and enough.figure else None


def alike(one: float | None, other: float | None) -> bool:
    """Whether two figures are the same for all that anybody cares."""
    return bool(one and other) and max(one or 0.0, other or 0.0) < _ALIKE * min(one or 0.0, other or 0.0)


def runs(row: Row) -> bool:
    """Whether nothing but a figure stands against it."""
    return all(one["name"] != "operators" for one in row.checks("FAIL"))


def failing(row: Row) -> str:
    """Why a row does not do, as what it takes against what is demanded."""
    check, written = row.records.get(CHECK), row.records.get(GENERATION)
    if check is None:
        usd, most = row.number(COLUMNS[Want.PRICE]), row.query.number(Role.PRICE_USD)
        if usd and most and usd > most:
            return f"{row.cell(COLUMNS[Want.PRICE])} of {said(row.query, Role.PRICE_USD)}"
        if written and written["verdict"] == "FAIL":
            return f"{written.ref('total_bytes', 'GiB')} against {written.ref('ram_bytes', 'GiB')}"
        return row.cell(_OF_WRITERS[Want.LATENCY])
    lives = any(one["name"] == "life" for one in row.checks("FAIL"))
    lasts = f"{row.cell(COLUMNS[Want.BATTERY_LIFE])} against {said(row.query, Role.LIFE_MS)}"
    life = [_BASIS.sub("", lasts)] if lives else []
    checks = {one["name"]: one for one in check["checks"] if one["verdict"] in ("FAIL", "UNKNOWN")}
    bad = [name for name, one in checks.items() if one["verdict"] == "FAIL"] or [
        name for name in checks if name in ROLES_OF and row.query.has(ROLES_OF[name])
    ]
    return " and ".join(filter(None, [*life, *(_against(row, check, name) for name in bad[:2])]))


_SHOWN = {
    "latency": "latency_ms",
    "rate": "inferences_per_second",
    "energy": "energy_uj",
    "power": "power_mw",
}


def _against(row: Row, check: Record, name: str) -> str:
    path = f"checks[{name}]"
    if name == "price" and CHIP in row.records:
        return f"{price(row.records[CHIP])} against {said(row.query, Role.PRICE_USD)}"
    if name == "operators" or name not in ROLES_OF:
        return f"{check.ref(f'{path}.demand', 'count')} operators do not run" if name == "operators" else ""
    unit = "fps~" if name == "rate" else "~"
    takes = row.records[ESTIMATE].ref(_SHOWN[name], unit) if name in _SHOWN else check.ref(f"{path}.demand")
    of = said(row.query, ROLES_OF[name]) or check.ref(f"{path}.bound")
    return "" if takes == NOT_KNOWN else f"{takes} against {of}"
