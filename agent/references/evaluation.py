"""Expressions worked out over the results of a conversation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...hardware_db.errors import InputError, nearest
from ...tools.core.paths import PathError, Value, figure_at, keys_of, trail
from ..patterns import compiled
from .amounts import Amount, AmountError, extreme, of_field, of_number, over, plus, times, total, whole
from .syntax import Function, Node, Number, Operation, Path

_ROWS = compiled(r"\[([^\[\]]*,[^\[\]]*|\*)\]")
_MOST_ROWS = 5_000
_LONGEST_TEXT = 400
"""Characters of a field of words that an answer may quote."""


class UnknownRecordError(InputError):
    """An id that no call has, or one of a call that failed."""


Results = Mapping[str, Mapping[str, Any] | None]
"""Id of a call → its result as JSON data, None where it failed."""


def evaluate(node: Node, results: Results) -> Amount:
    """
    Raises:
        EdgewrightError: no such call, field or row, dimensions that do not fit, a unit that does not exist.
    """
    match node:
        case Number(value, unit):
            return of_number(value, unit)
        case Path():
            return _field(node, results)
        case Function(name, arguments):
            return _function(name, arguments, results)
        case Operation(sign, left, right):
            return _operation(sign, left, right, results)


def _operation(sign: str, left: Node, right: Node, results: Results) -> Amount:
    other = evaluate(right, results)
    if sign == "-" and left == Number(0.0, ""):
        return times(of_number(-1, ""), other)
    one = evaluate(left, results)
    match sign:
        case "+":
            return plus(one, other)
        case "-":
            return plus(one, other, -1)
        case "*":
            return times(one, other)
        case _:
            return over(one, other)


def _function(name: str, arguments: tuple[Node, ...], results: Results) -> Amount:
    if name in ("ceil", "floor") and len(arguments) == 1:
        return whole(evaluate(arguments[0], results), up=name == "ceil")
    paths = [path for node in arguments for path in _rows(node, results)]
    if name == "count" and len(arguments) == 1 and isinstance(arguments[0], Path):
        return _count(arguments[0], paths, results)
    amounts = [evaluate(path, results) for path in paths]
    match name:
        case "sum":
            found = total(amounts)
        case "count":
            return Amount(float(len(amounts)), paths=tuple(p for each in amounts for p in each.paths))
        case _:
            found = extreme(amounts, largest=name == "max")
    return replace(found, field=found.field if name != "sum" or len(amounts) == 1 else None)


def _count(path: Path, paths: list[Node], results: Results) -> Amount:
    """How many rows stand at a path, or are named in it."""
    if len(paths) == 1 and paths[0] == path:
        nodes = trail(path.path, _result(path, results))
        if not isinstance(nodes[-1], list | tuple):
            raise AmountError(f"{path.path} is no list.", hint="Count a list, such as r1.layers.")
        number = len(nodes[-1])
    else:
        number = len(paths)
    return Amount(float(number), paths=(_written(path),), field=Value(number))


def _field(path: Path, results: Results) -> Amount:
    result = _result(path, results)
    if _ROWS.search(path.path):
        raise PathError(f"{_written(path)} is several figures.", hint="Take their sum, min, max or count.")
    value = figure_at(path.path, trail(path.path, result))
    is_file = path.path.startswith("files[")
    if isinstance(value.value, str) and len(value.value) > _LONGEST_TEXT and not is_file:
        raise PathError(f"{_written(path)} is a long text.", hint="Say what it says, or point at it.")
    return of_field(value, _written(path))


def _result(path: Path, results: Results) -> Mapping[str, Any]:
    if path.record not in results:
        close = nearest(path.record, results) or list(results)[:12]
        raise UnknownRecordError(
            f"There is no result {path.record}.", hint=f"There is {', '.join(close) or 'none yet'}."
        )
    result = results[path.record]
    if result is None:
        raise UnknownRecordError(f"The call {path.record} failed: it gave no figures.", hint="Make it again.")
    return result


def _rows(node: Node, results: Results) -> list[Node]:
    """A path with several rows in brackets as that many paths."""
    if not isinstance(node, Path) or (several := _ROWS.search(node.path)) is None:
        return [node]
    before, after = node.path[: several.start()], node.path[several.end() :]
    if several[1] == "*":
        rows = trail(before, _result(node, results))[-1]
        keys = list(keys_of(rows)) if isinstance(rows, list | tuple) else []
    else:
        keys = [key.strip() for key in several[1].split(",")]
    if not keys or len(keys) > _MOST_ROWS:
        raise PathError(f"{before!r} has no rows to take." if not keys else "That is too many rows.")
    made = [Path(node.record, f"{before}[{key}]{after}") for key in keys]
    return [row for each in made for row in _rows(each, results)]


def _written(path: Path) -> str:
    return f"{path.record}.{path.path}"
