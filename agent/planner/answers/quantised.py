"""What int8 brings: where it is asked beside something else, or of a chip whose types are weighed."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any

from ..bench import Answering, Call, Record, call_of, is_named
from ..query import Query, Role
from ..words import spoken
from .phrases import joined, language_models
from .templates import put

_INT8, _FLOATS = "int8", ("float32", "float16")
_ESTIMATE, _MOST = "estimate_performance", 2
_PAYS, _BRINGS = 1.5, 1.1
"""Times as fast from which on it pays, and from which on it brings anything."""
_EXAMPLE = "kws"


def asks(question: str) -> bool:
    """Whether it asks if quantising pays."""
    return bool(spoken("quantising", question))


def beside(query: Query, records: Sequence[Mapping[str, Any]]) -> Answering:
    """Both types with each of the kernels that an answer told, where it is asked if quantising pays.

    Empty where the answer has both types, or where a file holds one that stays as it is.
    """
    told = _estimates(records)
    if not asks(query.question) or language_models(query) or not is_named(query.text(Role.MODEL)):
        return ""
    if has_both(records):
        return ""
    pairs: list[tuple[Record, Record]] = []
    for target, runtime in list(dict.fromkeys(_kernels(told)))[:_MOST]:
        pairs += yield from _both(query, {"target": target, "runtime": runtime})
    gains = [
        (real.number("latency_ms") or 0.0) / (whole.number("latency_ms") or 1.0) for whole, real in pairs
    ]
    if not gains:
        return ""
    most = max(gains)
    word = "pays" if most >= _PAYS else "brings a little" if most >= _BRINGS else "hardly pays"
    return f"Quantising {word}: {joined(_told(*pair) for pair in pairs)}."


def has_both(records: Sequence[Mapping[str, Any]]) -> bool:
    """Whether int8 and a float were estimated."""
    types = {one["result"]["dtype"] for one in _estimates(records)}
    return _INT8 in types and not types.isdisjoint(_FLOATS)


def _estimates(records: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [one for one in records if one["name"] == _ESTIMATE and one["error"] is None]


def of_chip(query: Query, record: Record) -> Answering:
    """Of the types that a question weighs, what a chip computes in each, and a network in both of them."""
    asked = list(dict.fromkeys(query.all(Role.DTYPE)))
    peaks = [(row["dense_gops"] or 0.0, row["dtype"], at) for at, row in enumerate(record["peaks"] or ())]
    rows = sorted((row for row in peaks if row[1] in asked and row[0]), reverse=True)
    if len(asked) < 2 or len(rows) < 2:
        return ""
    (best, name, at), (least, other, below) = rows[0], rows[-1]
    path, lower = f"peaks[#{at}].dense_gops", f"peaks[#{below}].dense_gops"
    times = f", {{{path}/{lower}|x}} that" if best > least else ", no more"
    taken = f"{name}, not {other}" if best > least else "both alike"
    bytes_ = ", in a quarter of the bytes" if (name, other) == (_INT8, _FLOATS[0]) else ""
    said = f"{taken}: {{name}} computes {other} at {{{lower}}} and {name} at {{{path}}}{times}{bytes_}"
    first = put(said, record)
    model = query.text(Role.MODEL) if is_named(query.text(Role.MODEL)) else _EXAMPLE
    pairs = yield from _both(query, {"target": query.text(Role.TARGET), "model": model})
    return f"{first}; {model} {_told(*pairs[0])}" if pairs else first


def _kernels(told: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    for one in told:
        deployment = one["result"]["deployment"]
        yield deployment["target"], deployment["runtime"]


def _both(query: Query, of: Mapping[str, str]) -> Generator[Call, Record, list[tuple[Record, Record]]]:
    """The estimate in int8 and in a float that runs there, the shorter one on an accelerator."""
    plain = query.without([Role.DTYPE])
    whole = yield call_of(_ESTIMATE, plain, **of, dtype=_INT8)
    accelerated = bool(whole.number("accelerated_layers"))
    for dtype in reversed(_FLOATS) if accelerated else _FLOATS:
        real = yield call_of(_ESTIMATE, plain, **of, dtype=dtype)
        if whole.knows("latency_ms") and real.knows("latency_ms"):
            return [(whole, real)]
    return []


def _told(whole: Record, real: Record) -> str:
    faster = (whole.number("latency_ms") or 0.0) < (real.number("latency_ms") or 0.0)
    times = "{real.latency_ms/latency_ms|x} as fast" if faster else "{latency_ms/real.latency_ms|x} as slow"
    takes = "int8 takes {latency_ms|~} against {real.latency_ms|~} in {real.dtype}"
    return put(f"with {{deployment.runtime}} {takes}, {times}", whole, real=real)
