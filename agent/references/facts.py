"""Every figure of the results of a conversation, and which of them a number in a text is a rounding of."""

from __future__ import annotations

import bisect
import functools
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...hardware_db.errors import InputError
from ...tools.core.dimensions import base_unit, family_of, is_unit
from ...tools.core.paths import figure_at, keys_of
from ...tools.core.records import dataclass, replace
from ..quantities import Family, Figure
from .evaluation import Results

_FAMILIES = {
    "ms": Family.TIME, "1/s": Family.RATE, "B": Family.BYTES, "uJ": Family.ENERGY, "mW": Family.POWER,
    "uA": Family.CURRENT, "mAh": Family.CHARGE, "V": Family.VOLTAGE, "MHz": Family.CLOCK,
    "GOP/s": Family.SPEED, "GB/s": Family.BANDWIDTH, "USD": Family.MONEY, "1": Family.FACTOR,
}  # fmt: skip
"""Unit that results hold → the family of figures in it; all others are counts."""
_MOST = 200_000
_DEEPEST = 12
_LISTS_OF_OPERATORS = frozenset({"layers", "ops", "timeline", "tensors", "peak_tensors"})


@dataclass(frozen=True)
class Fact:
    """A figure of a result; `amount` in the unit that names its family."""

    path: str
    """From the id of its call on."""
    amount: float
    family: Family
    rows: tuple[str, ...] = ()
    """The keys of the rows that it stands in, and what else they go by."""
    layer: bool = False
    """Of one operator of many."""


def facts_of(results: Results) -> list[Fact]:
    found: list[Fact] = []
    for record, result in results.items():
        for fact in _facts(result or {}, (), record, (), layer=False):
            found.append(fact)
            if len(found) >= _MOST:
                return found
    return found


def derived(facts: Sequence[Fact]) -> Iterator[Fact]:
    """What people say in place of a field: so many a second, so much of what there is."""
    bounds = {fact.path: fact for fact in facts if fact.path.endswith(".bound")}
    for fact in facts:
        if fact.family is Family.TIME and fact.amount and not fact.layer and "latency_ms" in fact.path:
            yield replace(fact, path=f"1/{fact.path}", amount=1e3 / fact.amount, family=Family.RATE)
        bound = bounds.get(f"{fact.path.removesuffix('.demand')}.bound")
        if bound is not None and bound.amount and bound.family is fact.family:
            share = fact.amount / bound.amount
            yield replace(fact, path=f"{fact.path}/{bound.path}", amount=share, family=Family.FACTOR)


def texts_of(results: Results) -> str:
    """The words of the results, folded; none of a model file."""
    return "\n".join(text for result in results.values() for text in _texts(result, 0))


def _facts(
    node: Any, nodes: tuple[Any, ...], path: str, rows: tuple[str, ...], *, layer: bool
) -> Iterator[Fact]:
    if len(nodes) > _DEEPEST:
        return
    nodes = (*nodes, node)
    match node:
        case bool() | None | str():
            return
        case int() | float():
            yield from _fact(nodes, path, rows, layer=layer)
        case Mapping():
            if "value" in node and "unit" in node:
                yield from _fact(nodes, path, rows, layer=layer)
            for name, each in node.items():
                if _reachable(name) and not (name == "value" and "unit" in node):
                    yield from _facts(each, nodes, f"{path}.{name}", rows, layer=layer)
        case list() | tuple():
            yield Fact(path, float(len(node)), Family.COUNT, rows, layer)
            name = path.rpartition(".")[2]
            deep = layer or name in _LISTS_OF_OPERATORS
            for key, row in zip(keys_of(node), node, strict=True):
                called = (*rows, key, *_called(row))
                yield from _facts(row, nodes, f"{path}[{key}]", called, layer=deep)


def _fact(nodes: tuple[Any, ...], path: str, rows: tuple[str, ...], *, layer: bool) -> Iterator[Fact]:
    inside = path.partition(".")[2]
    try:
        value = figure_at(inside, nodes)
    except InputError:
        return
    if isinstance(value.value, int | float) and math.isfinite(value.value):
        family, factor = _family(value.unit)
        yield Fact(path, value.value * factor, family, rows, layer)
        if value.low != value.high and isinstance(nodes[-1], Mapping):
            return
        for name, end in (("low", value.low), ("high", value.high)):
            if end is not None and end != value.value and not isinstance(nodes[-1], Mapping):
                yield Fact(f"{path}_{name}", end * factor, family, rows, layer)


@functools.lru_cache(maxsize=256)
def _family(unit: str) -> tuple[Family, float]:
    if not is_unit(unit):
        return Family.COUNT, 1.0
    base = base_unit(unit)
    family = family_of(unit)
    return _FAMILIES.get(base, Family.COUNT), family[unit] / family[base]


def _called(row: Any) -> tuple[str, ...]:
    if not isinstance(row, Mapping):
        return ()
    names = (
        "name",
        "target",
        "runtime",
        "technique",
        "change",
        "region",
        "op",
        "dtype",
        "processor",
        "figure",
    )
    return tuple(str(row[name]) for name in names if isinstance(row.get(name), str))


def _texts(node: Any, depth: int) -> Iterator[str]:
    match node:
        case str():
            yield node.lower()
        case Mapping() if depth < _DEEPEST:
            for name, each in node.items():
                if _reachable(name):
                    yield from _texts(each, depth + 1)
        case list() | tuple() if depth < _DEEPEST:
            for each in node:
                yield from _texts(each, depth + 1)


def _reachable(name: Any) -> bool:
    text = str(name)
    return text.isidentifier() and not text.startswith("_") and not text.endswith("_untrusted")


_DIGITS = re.compile(r"\d[\d,]*(?:\.(\d+))?")
_ABOUT = re.compile(
    r"(?:about|around|roughly|approximately|some|nearly|almost|close to|up to|under|over|~|≈|≅)\s*$", re.I
)
_LOOSE, _LOOSEST = 0.05, 0.02
_AMBIGUOUS = {"kb": 1.024, "mb": 1.024**2, "gb": 1.024**3}
"""Units of memory that some read as powers of 1000, with how much larger the other reading is."""


@dataclass(frozen=True)
class Spoken:
    """A figure of an answer, and how far a field may be from it that it rounds; in the unit as written."""

    figure: Figure
    slack: float

    def ranges(self) -> Iterator[tuple[Family, float, float]]:
        """Families and the amounts in them that round to the figure."""
        figure = self.figure
        low, high = (max(0.0, abs(figure.written) + sign * self.slack * (1 + 1e-9)) for sign in (-1, 1))
        factor = figure.value / figure.written if figure.written else 1.0
        yield figure.family, low * factor, high * factor
        match figure.family:
            case Family.BYTES if figure.unit.lower() in _AMBIGUOUS:
                other = factor / _AMBIGUOUS[figure.unit.lower()]
                yield figure.family, low * other, high * other
            case Family.PERCENT:
                yield Family.FACTOR, low / 100, high / 100
            case Family.COUNT:
                yield Family.FACTOR, low * factor, high * factor

    def fits(self, amount: float, family: Family) -> bool:
        return any(family is own and low <= abs(amount) <= high for own, low, high in self.ranges())


def spoken(text: str, figure: Figure) -> Spoken:
    """With the slack that its last digit and words like `about` leave."""
    digits = _DIGITS.search(figure.text)
    size = abs(figure.written)
    if digits is None or figure.spoken:
        return Spoken(figure, size * _LOOSE)
    decimals, whole = len(digits[1] or ""), digits[0].replace(",", "")
    slack = 0.5 * 10.0**-decimals
    if not decimals and len(whole) > 2:
        zeros = len(whole) - len(whole.rstrip("0"))
        slack = max(slack, min(0.5 * 10.0**zeros, size * _LOOSEST))
    if _ABOUT.search(text[max(0, figure.start - 16) : figure.start]):
        slack = max(slack, size * _LOOSE)
    return Spoken(figure, slack)


class Known:
    """Facts, found by their amounts."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self.facts = facts
        self._by_family: dict[Family, list[Fact]] = defaultdict(list)
        for fact in facts:
            self._by_family[fact.family].append(fact)
        for kin in self._by_family.values():
            kin.sort(key=_size)

    def rounding_to(self, said: Spoken) -> list[Fact]:
        """The facts that a figure is a rounding of."""
        found: list[Fact] = []
        for family, low, high in said.ranges():
            kin = self._by_family[family]
            first = bisect.bisect_left(kin, low, key=_size)
            found += kin[first : bisect.bisect_right(kin, high, key=_size)]
        return found


def _size(fact: Fact) -> float:
    return abs(fact.amount)
