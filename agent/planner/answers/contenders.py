"""What is chosen from, with its figures: how likely each meets what is demanded, which to take."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace

from ....tools.core.records import dataclass
from ....tools.verdicts.ties import is_tie, reaches, rounded
from ...patterns import compiled
from ..bench import NOT_KNOWN, Call, Record, call_of
from ..choice import links, of_a_supply
from ..dossier import Dossier
from ..query import LIMITS, Query, Role
from ..want import Want
from ..words import entries
from .accuracy import ACCURACY, with_accuracy
from .cases import demanded, estimated
from .columns import CHECK, CHIP, COLUMNS, ESTIMATE, Column
from .in_batches import batched
from .judging import ROLES_OF, is_of_a_computer, supplied
from .least import least_of
from .phrases import joined, price, said
from .rows import Row, row_of

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
_BASIS = compiled(r", \{\{[^}|]*\.basis\}\}")
_SLOW, _PATIENCE_MS = 10.0, 300.0
"""How many times as long as the quickest, and how long at all, is too slow where no speed is demanded."""
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
    of_the_board = [Role.RAM_BYTES] if is_of_a_computer(row.query) else []
    if not row.query.without(of_the_board).has(*DEMANDED):
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
    return reaches(rate, ends, least)


def contenders(dossier: Dossier) -> Generator[Call, Record, tuple[list[Contender], list[str]]]:
    """Those that can be calculated; what could not, in words."""
    columns = [*columns_of(dossier), COLUMNS[Want.PRICE]]
    found, errors = list[Contender](), list[str]()
    for name, queries in dossier.contenders.items():
        rows = []
        for each in queries:
            one = each if dossier.writes else (yield from batched(each))
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


def in_order(found: Sequence[Contender], column: Column, alike: Sequence[Contender] = ()) -> list[Contender]:
    """By how likely they do, then by a figure, what has none last; of what fails alike the largest first.

    Args:
        alike: those that are as good as what surely does.
    """

    def place(one: Contender) -> tuple[int, bool, float, float]:
        number, written = one.number(column), one.row.records.get(GENERATION)
        room = written.number("ram_bytes") if written and one.level == "no" else None
        return (
            0 if one in alike else LEVELS.index(one.level),
            number is None,
            rounded(-number if column.largest else number) if number else 0.0,
            -(room or 0.0),
        )

    return sorted(found, key=place)


def least(dossier: Dossier, found: Sequence[Contender]) -> tuple[Contender, str] | None:
    """Of those that all do, the cheapest, else what draws least, with the figure; None where unknown."""
    rows = {one.rows[0].name: one for one in found}
    if dossier.writes or len(found) < 2:
        return None
    enough = least_of(dossier.query, [one.rows[0] for one in found], dossier.role)
    return (rows[enough.row.name], f"is enough at {enough.figure}") if enough and enough.figure else None


def _is_tie(one: Contender, other: Contender, by: Column) -> bool:
    return is_tie(one.number(by), other.number(by), one.ends(by), other.ends(by))


def parted(order: list[Contender], by: Column, columns: Sequence[Column]) -> tuple[list[Contender], Column]:
    """Of those that are as good as the first, by the next figure that tells them apart."""
    level = order[0].level
    ties = [one for one in order if one.level == level and (one is order[0] or _is_tie(order[0], one, by))]
    for column in columns if len(ties) > 1 else ():
        first, *others = in_order(ties, column)
        if all(one.number(column) for one in ties) and not any(_is_tie(first, one, column) for one in others):
            return [first, *others, *(one for one in order if one not in ties)], column
    return order, by


def in_time(found: Sequence[Contender]) -> list[Contender]:
    """Without what is slow and takes so much longer than the quickest that nothing makes up for it."""
    times = {one.name: one.number(COLUMNS[Want.LATENCY]) or 0.0 for one in found}
    most = max(_PATIENCE_MS, _SLOW * min(filter(None, times.values()), default=0.0))
    return [one for one in found if times[one.name] <= most] if len(found) > 1 else list(found)


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
    lives = any(one["name"] == "life" for one in row.checks("FAIL") or row.checks("UNKNOWN"))
    lasts = f"{row.cell(COLUMNS[Want.BATTERY_LIFE])} against {said(row.query, Role.LIFE_MS)}"
    life = [_BASIS.sub("", lasts)] if lives else []
    checks = {one["name"]: one for one in check["checks"] if one["verdict"] in ("FAIL", "UNKNOWN")}
    bad = [name for name, one in checks.items() if one["verdict"] == "FAIL"] or [
        name for name in checks if name in ROLES_OF and row.query.has(ROLES_OF[name])
    ]
    return " and ".join(filter(None, [*life, *(_against(row, check, name) for name in bad[:2])]))


def _against(row: Row, check: Record, name: str) -> str:
    path = f"checks[{name}]"
    if name == "price" and CHIP in row.records:
        return f"{price(row.records[CHIP])} against {said(row.query, Role.PRICE_USD)}"
    if name == "operators" or name not in ROLES_OF:
        return f"{check.ref(f'{path}.demand', 'count')} operators do not run" if name == "operators" else ""
    if name == "power" and of_a_supply(row.query):
        return supplied(row.query, row.records[ESTIMATE])[1]
    unit = "fps~" if name == "rate" else "~"
    field = "" if name == "power" and row.query.has(Role.RATE_HZ) else entries("measured_as").get(name)
    takes = row.records[ESTIMATE].ref(field, unit) if field else check.ref(f"{path}.demand")
    takes = takes if field or name != "power" else f"{takes} on average"
    of = said(row.query, ROLES_OF[name]) or check.ref(f"{path}.bound")
    return "" if takes == NOT_KNOWN else f"{takes} against {of}"


@dataclass(frozen=True)
class Decision:
    """What is to be chosen from in the order in which one would take it, and what it goes by."""

    dossier: Dossier
    order: tuple[Contender, ...]
    by: Column | None
    """None where all that do are alike, and the least of them is taken."""
    enough: str
    """Why that one of them: the least price or power, or that the user has it."""
    errors: tuple[str, ...]
    wished: Column
    """What it would go by, were it known of each."""
    tied: Column | None = None
    """In what the first two hardly differ, so that `by` decides."""
    slow: tuple[Contender, ...] = ()
    """What nobody would wait for beside the others, where no speed is demanded."""

    @property
    def pick(self) -> Contender:
        return self.order[0]

    @property
    def does(self) -> bool:
        """Whether the first of them meets what is demanded, or may."""
        return LEVELS.index(self.pick.level) < LEVELS.index("probably not")

    @property
    def column(self) -> Column:
        return self.by or of_time(self.dossier)

    @property
    def second(self) -> Contender | None:
        """The next that does as surely, by what it goes by."""
        sure = LEVELS.index(self.pick.level)
        alike = [one for one in self.order[1:] if LEVELS.index(one.level) <= sure and one not in self.slow]
        others = [one for one in alike if one.number(self.column)]
        return others[0] if others and self.pick.number(self.column) else None


def decision_of(dossier: Dossier) -> Generator[Call, Record, Decision | None]:
    """The figures of each, and which of them to take."""
    found, errors = yield from contenders(dossier)
    if not found:
        return None
    accurate = dossier.role is Role.MODEL and not dossier.stated and all(len(one.rows) == 1 for one in found)
    if accurate:
        known_of = yield from with_accuracy([one.rows[0] for one in found])
        found = [replace(one, rows=(row,)) for one, row in zip(found, known_of, strict=True)]
    linked = [one for one in found if has_links(one)] or found
    top = min(LEVELS.index(one.level) for one in linked)
    unlimited = {Role.RATE_HZ} if is_paced(dossier) else set()
    of_the_board = dossier.writes or is_of_a_computer(dossier.query)
    limits = set(LIMITS) - unlimited - ({Role.RAM_BYTES} if of_the_board else set())
    limited, time = dossier.query.has(*limits), of_time(dossier)
    worst = max(top, 0 if limited or not dossier.stated else LEVELS.index("probably"))
    good = [one for one in linked if top <= LEVELS.index(one.level) <= worst]
    cheapest = least(dossier, good) if limited and dossier.aim is None and top < 2 else None
    slow = () if limited or dossier.stated else tuple(one for one in good if one not in in_time(good))
    good = [one for one in good if one not in slow]
    columns = columns_of(dossier)
    if accurate and all(one.number(ACCURACY) is not None for one in found):
        columns, cheapest = [ACCURACY, *columns], None
    shared = [c for c in columns if all(one.number(c) is not None for one in good)]
    known = [c for c in columns if any(one.number(c) is not None for one in good)]
    by = time if limited and top > 2 else next(iter([*shared, *known]), columns[0])
    order = sorted(
        in_order(found, by, good if worst > top else ()),
        key=lambda one: (one not in linked, one.level == "no" and not one.row.runs, one not in good),
    )
    own = [one for one in good if one.rows[0].query.text(Role.TARGET) in dossier.query.cast.mine()]
    if limited and not dossier.stated and len(own) == 1 < len(good) and top < 2:
        cheapest = own[0], "you have it"
    if cheapest is not None:
        order = [cheapest[0], *(one for one in order if one is not cheapest[0])]
        return Decision(dossier, tuple(order), None, cheapest[1], tuple(errors), columns[0])
    then = [*shared, *columns, COLUMNS[Want.PRICE]]
    order, other = parted(order, by, then) if top < 3 else (order, by)
    tied = by if other != by else None
    return Decision(dossier, tuple(order), other, "", tuple(errors), columns[0], tied, slow)


def has_links(one: Contender) -> bool:
    """Whether it is known to connect by what is demanded."""
    query = one.rows[0].query
    found = query.targets.get(query.text(Role.TARGET))
    return links(query) <= {*(found.interfaces if found else ())}
