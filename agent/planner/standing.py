"""What the answer before told, in the words that a question puts it in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .query import Query, Role

TIME = "latency_ms"
RATES = {
    "inferences_per_second": "images/s", "at_once_per_second": "images/s",
    "decode_tokens_per_s": "tokens per second",
}  # fmt: skip
"""Fields of an answer, and what they count."""
_LIMITS = {
    Role.LATENCY_MS: "within {:.6g} ms", Role.ENERGY_UJ: "with at most {:.6g} uJ",
    Role.POWER_MW: "with at most {:.6g} mW",
}  # fmt: skip


def standing(earlier: Query) -> Mapping[str, str]:
    """Board and network that it began with, what was demanded, and its speed; nothing without one of each.

    Args:
        earlier: the question before, with what its answer told.
    """
    of = dict(_subject(earlier))
    if not (of.get("target") and of.get("model")):
        return {}
    limits = "".join(_demands(earlier))
    return {**of, **dict(_beside(earlier, of["target"])), **dict(_speed(earlier, limits)), "limits": limits}


def pace(hertz: float) -> str:
    return f"{hertz:.6g} per second" if hertz >= 1 else f"once every {1 / hertz:.6g} seconds"


def _subject(earlier: Query) -> Iterator[tuple[str, str]]:
    told = dict(earlier.cast.of)
    for role in (Role.TARGET, Role.MODEL):
        said = set(earlier.all(role))
        if role is Role.MODEL and len(said) > 1:
            continue
        if value := told.get(role.value) or (said.pop() if len(said) == 1 else ""):
            yield role.value, str(value)


def _beside(earlier: Query, target: str) -> Iterator[tuple[str, str]]:
    """The kernels of the board, and what a table showed beside it."""
    shown = {row.text(Role.TARGET): row.text(Role.RUNTIME) for row in earlier.shown}
    kernels = earlier.kernels.get(target) or shown.get(target)
    yield "deployed", f"{target} with {kernels}" if kernels else target
    others = [name for name in shown if name and name != target]
    if others:
        yield "second", f"{others[0]} with {shown[others[0]]}" if shown[others[0]] else others[0]
    if others and not any(shown.values()):
        yield "next", others[0]


def _speed(earlier: Query, limits: str) -> Iterator[tuple[str, str]]:
    """As it was told and as it was demanded, of one stream and of all."""
    told = dict(reversed(earlier.cast.told))
    rate = next((f"{_short(told[field])} {unit}" for field, unit in RATES.items() if field in told), "")
    time = f" within {_short(told[TIME])} ms" if TIME in told else ""
    as_fast = limits or (f" at {rate}" if rate else time)
    yield "as_fast", as_fast
    if rate:
        yield "rate", rate
    if not earlier.shown:
        yield "as_fast_alone", as_fast
    hertz, many = earlier.number(Role.RATE_HZ), earlier.number(Role.DEVICES) or 1.0
    yield "each", f" at {pace(hertz * many)}" if hertz else ""
    if hertz:
        yield "pace", pace(hertz)
    if hertz and many > 1:
        yield "streams", f"{many:g}"


def _demands(earlier: Query) -> Iterator[str]:
    """What was demanded, but the price."""
    hertz, many = earlier.number(Role.RATE_HZ), earlier.number(Role.DEVICES) or 1.0
    if hertz:
        yield f" at {pace(hertz * many)}"
    for role, words in _LIMITS.items():
        if (number := earlier.number(role)) is not None:
            yield f" {words.format(number)}"


def _short(value: float) -> str:
    """Of three digits, as it was told."""
    return f"{float(f'{value:.3g}'):g}"
