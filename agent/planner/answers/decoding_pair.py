"""One case of language models against another: how much faster it writes, whether a claim holds, and why."""

from __future__ import annotations

from ..bench import Record
from ..factors import factor_in
from ..query import Query
from ..words import patterns
from .ceilings import read_bytes
from .phrases import compared, figure, joined, lines
from .tokens import filled, on_cards

_NEARLY = 0.9
"""Share of a claimed factor from which on it is about that."""
_ALIKE = 1.02
_POLAR = patterns("of_decoding_pair")["polar"]
"""In what is answered by yes or no, and not by how much."""
SWAPS = patterns("of_writers")["swaps"]
_CLEARLY = 1.1
"""Times from which on a swap is worth its trouble."""
_RATE, _FIRST = "decode_tokens_per_s", "time_to_first_token_ms"
_VARIED = ("model", "target", "weights")


def told_apart(one: Record, other: Record, query: Query) -> str:
    """The verdict on what is claimed, both rates, and what makes the difference."""
    open_question = {"why", "which"} & query.asks or not _POLAR.search(query.question)
    claim, (first, second, alike) = factor_in(query.question), _names(one, other)
    reasons = [_why(one, other), _of_the_prompt(one, other)]
    if "FAIL" in (one["verdict"], other["verdict"]):
        asked = SWAPS.search(query.question) or not (open_question or claim)
        word = "" if not asked else "No: " if one["verdict"] == "FAIL" else "Yes: "
        return f"{word}{told_to_hold(one, first)}; {told_to_hold(other, second)}: {alike}."
    if not (one.number(_RATE) and other.number(_RATE)):
        unknown = joined(name for row, name in ((one, first), (other, second)) if not row.number(_RATE))
        return lines(f"It cannot be told: the speed of {unknown} is not known: {alike}.", *reasons)
    times = (one.number(_RATE) or 0.0) / (other.number(_RATE) or 1.0)
    verdict = "" if open_question or claim else "Yes: " if times > 1 else "No: "
    swaps = SWAPS.search(query.question) is not None
    if swaps:
        word = "Yes" if times > _CLEARLY else "No" if times < 1 / _CLEARLY else "Hardly"
        verdict = f"{word}, by its speed: "
    writes = compared(one, other, _RATE, "as fast as", "slower than")
    return lines(
        f"{verdict}{first} writes {writes} {second}, with "
        f"{one.ref(_RATE, '~')} instead of {other.ref(_RATE, '~')}{_roomier(one, other) if swaps else ''}: "
        f"{alike}.",
        "Which answers better is not calculated." if swaps and one["model"] != other["model"] else "",
        *reasons,
    )


def told_to_hold(row: Record, name: str) -> str:
    """Whether it holds the model, and how fast it writes then."""
    if row["verdict"] == "FAIL":
        return f"{name} does not hold it, {filled(row)} of memory"
    each = f", {row.ref('session_tokens_per_s')} each" if (row["batch"] or 1) > 1 else ""
    writes = f" and writes {figure(row, _RATE)}{each}" if row.knows(_RATE) else ""
    return f"{name} holds it, {filled(row)} of memory{',' if writes else ''}{writes}"


def _roomier(one: Record, other: Record) -> str:
    """Which has room for more context."""
    room = [row.number("max_context") or 0.0 for row in (one, other)]
    if room[0] == room[1]:
        return ""
    told = f"with room for {one.ref('max_context')} tokens instead of {other.ref('max_context')}"
    return f"; it is {'roomier' if room[0] > room[1] else 'tighter'}, {told}"


def _names(one: Record, other: Record) -> tuple[str, str, str]:
    """What each of them differs in, and what both have in common."""
    differ = [path for path in _VARIED if one[path] != other[path]] or ["target"]
    first, second = (", ".join(_shown(row, path) for path in differ) for row in (one, other))
    model, target, weights = ("" if path in differ else _shown(one, path) for path in _VARIED)
    where = f"{model} on {target}" if model and target else model or target
    return first, second, ", ".join(filter(None, [where, weights]))


def _shown(row: Record, path: str) -> str:
    return on_cards(row) if path == "target" else row.ref(path)


def _why(one: Record, other: Record) -> str:
    """Bytes that a token reads, and how fast they come."""
    parts = []
    read, as_much = (_read(row) for row in (one, other))
    if read and as_much and not 1 / _ALIKE < as_much / read < _ALIKE:
        less, more = (one, other) if read < as_much else (other, one)
        many = f"{{{{{read_bytes(more)}/({read_bytes(less)})|x}}}}"
        parts.append(f"a token reads {many} {'fewer' if less is one else 'more'} bytes of weights")
    wider = compared(one, other, "bandwidth_bytes_per_s", "the bandwidth", "less bandwidth")
    if wider and one["target"] != other["target"]:
        parts.append(f"its memory has {wider}")
    if not parts:
        return ""
    return (
        f"Why: {joined(parts)}; writing waits for that, not for arithmetic or cores. The key-value cache and "
        "the start of kernels stay as they are."
    )


def _of_the_prompt(one: Record, other: Record) -> str:
    if not (one.knows(_FIRST) and other.knows(_FIRST)):
        return ""
    return (
        f"Reading the prompt is arithmetic: the first token comes after {one.ref(_FIRST)}, instead of "
        f"{other.ref(_FIRST)}."
    )


def _read(row: Record) -> float:
    stored, active, all_of_them = (
        row.number(path) or 0.0 for path in ("weights_bytes", "active_parameters", "parameters")
    )
    return stored * active / all_of_them if all_of_them else 0.0
