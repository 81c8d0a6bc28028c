"""A path into a result, such as `checks[ram].demand`, and the figure that stands there.

latency_ms                  a field; a quantity comes with its interval and basis
deployment.clock_mhz        a field of a field
checks[ram].demand          a row by what it is called
layers[7].latency_ms        a row by its `index`; one of rows without an index, by its position
ranking[gap9/gapflow].rank  a row by target and runtime
assumptions[#0]             a row by its position
layers                      how many rows there are
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple

from pydantic import BaseModel

from ...hardware_db.errors import InputError, nearest
from .records import dataclass

_NAMES = (
    "name", "target", "technique", "change", "region", "what", "id", "figure", "op", "processor", "clock_mhz",
    "limit", "dtype", "model", "part",
)  # fmt: skip
"""Fields that a row goes by, the first that it has."""
_SHARE_UNIT = frozenset({
    "value", "low", "high", "demand", "demand_low", "demand_high", "bound", "gap", "before", "after",
    "change", "demanded", "needed",
})  # fmt: skip
"""Fields whose unit stands beside them in a field `unit`."""
_UNITS = {
    "ms": "ms", "us": "us", "s": "s", "days": "days", "bytes": "bytes", "uj": "uJ", "mw": "mW", "ua": "uA",
    "mah": "mAh", "mhz": "MHz", "hz": "1/s", "v": "V", "usd": "USD", "gops": "GOP/s", "gb_s": "GB/s",
    "bytes_per_s": "B/s", "per_second": "1/s", "per_s": "1/s", "intensity": "FLOP/byte",
    "ridge_point": "FLOP/byte", "share": "fraction", "shares": "fraction", "utilization": "fraction",
    "gain": "fraction", "errors": "fraction", "ape": "fraction", "coverage": "fraction",
    "accuracy": "fraction", "agreement": "fraction", "ms_mean": "ms", "j_mean": "J",
    "mb_mean": "MiB", "energy_delay": "", "accepted_ratio": "fraction", "within_10": "fraction",
    "within_25": "fraction", "percent": "%", "sqnr_db": "dB", "c": "°C", "error_before": "fraction",
    "error_after": "fraction", "h": "h",
}  # fmt: skip
"""How the name of a field ends → its unit."""
_LONGEST_END = 3
"""Words."""


class PathError(InputError):
    """A path that leads nowhere; says what there is."""


class Step(NamedTuple):
    name: str
    is_row: bool


@dataclass(frozen=True)
class Value:
    """What stands at a path. `value` None is unknown; text and yes or no are values too."""

    value: float | str | bool | None
    unit: str = ""
    low: float | None = None
    high: float | None = None
    basis: str = ""


Named = dict[int, dict[str | None, Any]]
"""Rows by what they are called, of each table by its `id`: of one result, while that is held."""
_STEP = re.compile(r"\.?([A-Za-z_]\w*)|\[([^\[\]]+)\]")


@functools.lru_cache(maxsize=8192)
def steps(path: str) -> tuple[Step, ...]:
    """
    Raises:
        PathError: not a path.
    """
    found, at = [], 0
    while at < len(path):
        match = _STEP.match(path, at)
        if match is None or (match[1] and at > 0 and path[at] != "."):
            raise PathError(f"{path!r} is not a path.", hint="Write it like checks[ram].demand.")
        found.append(Step(match[1] or match[2].strip(), is_row=match[1] is None))
        at = match.end()
    if not found or path[0] == ".":
        raise PathError(f"{path!r} is not a path.", hint="Write it like checks[ram].demand.")
    return tuple(found)


def resolve(path: str, result: BaseModel | Mapping[str, Any], named: Named | None = None) -> Value:
    """The figure at `path` of a result, or of its JSON.

    Args:
        named: kept from path to path of one result, so that a table of a thousand rows is gone through once.

    Raises:
        PathError: no such field or row, or a group of fields; those of a model file's own words
            (`…_untrusted`) and private ones are never reached.
    """
    return figure_at(path, trail(path, result, named))


def figure_at(path: str, nodes: Sequence[Any]) -> Value:
    """The figure at the end of a trail. Raises as `resolve`."""
    names, owner = [], None
    for node, step in zip(nodes, steps(path), strict=False):
        if not step.is_row:
            owner = node
            names.append(step.name)
    return _value(nodes[-1], owner, names, path)


def trail(path: str, result: BaseModel | Mapping[str, Any], named: Named | None = None) -> tuple[Any, ...]:
    """The result, then what each step leads to. Arguments and errors as `resolve`."""
    nodes: list[Any] = [result]
    for name, is_row in steps(path):
        here = nodes[-1]
        nodes.append(_row(here, name, path, named) if is_row else _field(here, name, path))
    return tuple(nodes)


def key_of(rows: Sequence[Any], position: int) -> str:
    """What to write in brackets for the row at `position`: its own name where no other row has it."""
    return _keys(tuple(map(_natural_key, rows)))[position]


def keys_of(rows: Sequence[Any]) -> tuple[str, ...]:
    """The same for every row."""
    return _keys(tuple(map(_natural_key, rows)))


def _keys(natural: tuple[str | None, ...]) -> tuple[str, ...]:
    repeated = {key for key, times in Counter(natural).items() if times > 1}
    return tuple(
        f"#{at}" if key is None or key in repeated or set("[]#") & set(key) else key
        for at, key in enumerate(natural)
    )


def _natural_key(row: Any) -> str | None:
    fields = _fields(row)
    if fields is None:
        return None
    index = fields.get("index")
    if isinstance(index, int):
        return str(index)
    if isinstance(fields.get("target"), str) and isinstance(fields.get("runtime"), str):
        return f"{fields['target']}/{fields['runtime']}"
    return next((_key_text(fields[name]) for name in _NAMES if name in fields), None)


def _key_text(value: Any) -> str | None:
    match value:
        case Enum():
            return str(value.value)
        case str():
            return value or None
        case int() | float():
            return f"{value:g}"
        case _:
            return None


def _fields(node: Any) -> Mapping[str, Any] | None:
    if isinstance(node, BaseModel):
        return node.__dict__
    return node if isinstance(node, Mapping) else None


def _field(node: Any, name: str, path: str) -> Any:
    fields = _fields(node)
    if fields is None:
        what = "rows: name one in brackets" if isinstance(node, list | tuple) else "no fields"
        raise PathError(f"No {name!r} in {path!r}: there are {what}.")
    reachable = not name.startswith("_") and not name.endswith("_untrusted")
    if reachable and name in fields:
        return fields[name]
    if reachable and isinstance(node, BaseModel):
        for field, info in type(node).model_fields.items():
            if info.serialization_alias == name:
                return fields[field]
    known = [key for key in fields if not key.startswith("_") and not key.endswith("_untrusted")]
    close = nearest(name, known) or known[:12]
    raise PathError(f"No {name!r} in {path!r}.", hint=f"There is {', '.join(close)}.")


def _row(rows: Any, key: str, path: str, named: Named | None) -> Any:
    if isinstance(rows, Mapping) and key in rows:
        return rows[key]
    if not isinstance(rows, list | tuple):
        raise PathError(f"No row {key!r} in {path!r}: there are no rows.")
    if key.startswith("#"):
        position = int(key[1:]) if key[1:].isdecimal() else -1
        if 0 <= position < len(rows):
            return rows[position]
    else:
        found = next(_rows_called(rows, key, named), None)
        if found is not None:
            return found
    known = keys_of(rows)
    if known and key.isdecimal():
        raise PathError(f"No row {key!r} in {path!r}.", hint=f"They go from {known[0]} to {known[-1]}.")
    close = nearest(key, known) or known[:12]
    raise PathError(f"No row {key!r} in {path!r}.", hint=f"There is {', '.join(close) or 'none'}.")


def _rows_called(rows: Sequence[Any], key: str, named: Named | None) -> Iterator[Any]:
    if key.isdecimal():
        yield from _rows_numbered(rows, int(key))
    if named is None:
        yield from (row for row in rows if _natural_key(row) == key)
    else:
        if id(rows) not in named:
            named[id(rows)] = {_natural_key(row): row for row in reversed(rows)}
        if key in named[id(rows)]:
            yield named[id(rows)][key]
    fields = [_fields(row) for row in rows]
    for name in _NAMES:
        yield from (
            row
            for row, of in zip(rows, fields, strict=True)
            if of is not None and name in of and _key_text(of[name]) == key
        )


def _rows_numbered(rows: Sequence[Any], number: int) -> Iterator[Any]:
    """By `index`, which most often is the position; by position where rows have none."""
    at_position = rows[number] if number < len(rows) else None
    if at_position is not None and (_fields(at_position) or {}).get("index", number) == number:
        yield at_position
    yield from (row for row in rows if (_fields(row) or {}).get("index") == number)


def _value(node: Any, owner: Any, names: Sequence[str], path: str) -> Value:
    fields = _fields(node)
    if fields is not None and "value" in fields and "unit" in fields:
        return Value(
            _plain(fields["value"]), _refined(str(fields["unit"]), names), fields.get("low"),
            fields.get("high"), str(_plain(fields.get("basis")) or ""),
        )  # fmt: skip
    if fields is not None:
        known = ", ".join(key for key in fields if not key.startswith("_"))
        raise PathError(f"{path!r} is several figures.", hint=f"Name one: {known}.")
    if isinstance(node, list | tuple):
        if node and _fields(node[0]) is not None:
            return Value(len(node))
        return Value(", ".join(str(_plain(each)) for each in node) or "none")
    beside = _fields(owner) or {}
    name = names[-1]
    unit = _unit_of(names)
    if not unit and name in _SHARE_UNIT and isinstance(beside.get("unit"), str):
        unit = _refined(beside["unit"], names[:-1])
    if isinstance(node, str | bool):
        return Value(_plain(node))
    basis = beside.get(f"{name.removesuffix('_bytes')}_basis", beside.get("basis", ""))
    ends = ("low", "high") if name == "change" else (f"{name}_low", f"{name}_high")
    low, high = (beside.get(end) for end in ends)
    return Value(_plain(node), unit, low, high, str(_plain(basis) or ""))


def _plain(node: Any) -> Any:
    return node.value if isinstance(node, Enum) else node


def _refined(unit: str, names: Sequence[str]) -> str:
    """A ratio that its name calls a share is one."""
    if unit in ("1", "x"):
        return _unit_of(names) or "1"
    return unit


def _unit_of(names: Sequence[str]) -> str:
    """Of the field, or of the mapping that it stands in; errors of predictions are relative, of whatever."""
    if "errors" in names[-2:-1]:
        return _UNITS["errors"]
    return next((unit for name in reversed(names[-2:]) if (unit := _unit_in(name))), "")


@functools.lru_cache(maxsize=1024)
def _unit_in(name: str) -> str:
    words = name.split("_")
    ends = ("_".join(words[-n:]) for n in range(min(len(words), _LONGEST_END), 0, -1))
    return next((_UNITS[end] for end in ends if end in _UNITS), "")
