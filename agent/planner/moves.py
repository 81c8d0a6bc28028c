"""A later turn that is a move on the answer before, put as a question that stands by itself."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter

from ...hardware_db.user_files import Directories
from ...tools.model_zoo.language_model import is_language_model
from ..names import Kind, find_names
from ..patterns import compiled
from ..quantities import find_figures
from .factors import factor_in
from .query import Query, Role

_KINDS = {"target": {Kind.TARGET}, "model": {Kind.MODEL, Kind.FILE, Kind.TASK}}
_TIMES = ("latency_ms",)
_RATES = {"inferences_per_second": "images/s", "decode_tokens_per_s": "tokens per second"}


@dataclass(frozen=True)
class _Move:
    says: re.Pattern[str]
    asks: str
    writes: str
    """The same of a language model; empty where there is no such question."""
    names: str = ""
    figure: bool | None = None
    """Whether the turn has to state one, or may not; None where it may."""
    alone: bool = False


def as_question(turn: str, earlier: Query, own: Directories | None = None) -> tuple[str, bool]:
    """The turn with its move written out, and whether it takes nothing over; as it is where it makes none.

    Args:
        earlier: the question before, with what its answer told.
    """
    standing = _standing(earlier)
    if not standing:
        return turn, False
    writes = is_language_model(standing["model"])
    names = find_names(turn, own)
    named = {name.kind: name.text for name in names}
    states = bool(find_figures(turn, [(name.start, name.end) for name in names]))
    for move in _moves():
        found, form = move.says.search(turn), move.writes if writes else move.asks
        if found is None or not form or move.figure not in (None, states):
            continue
        known = {**standing, **_said(move, found, named, earlier)}
        fields = {field for _, field, *_ in Formatter().parse(form) if field}
        brings = {kind for kind, kinds in _KINDS.items() if kinds & named.keys()}
        if fields <= known.keys() and not (fields & brings - {move.names}) and move.names in {"", *brings}:
            return f"{turn[: found.start()]}{form.format_map(known)}{turn[found.end() :]}", move.alone
    return turn, False


@cache
def _moves() -> tuple[_Move, ...]:
    data = tomllib.loads(Path(__file__).with_name("moves.toml").read_text(encoding="utf-8"))
    parts: Mapping[str, str] = data.pop("parts")
    moves = []
    for each in data.values():
        words = each["says"]
        for name, part in parts.items():
            words = words.replace(f"<{name}>", part)
        moves.append(_Move(**{**each, "says": compiled(words, re.IGNORECASE)}))
    return tuple(moves)


def _standing(earlier: Query) -> dict[str, str]:
    """What the answer before began with, and its figures as a question writes them."""
    of = {role: str(value) for role, value in earlier.cast.of}
    for role in (Role.TARGET, Role.MODEL):
        alone = set(earlier.all(role))
        if role is Role.MODEL and len(alone) > 1:
            return {}
        if not of.get(role.value) and len(alone) == 1:
            of[role.value] = alone.pop()
    if not (of.get("target") and of.get("model")):
        return {}
    told = dict(reversed(earlier.cast.told))
    target = of["target"]
    known = {"target": target, "model": of["model"], "limits": _limits(earlier)}
    shown = {row.text(Role.TARGET): row.text(Role.RUNTIME) for row in earlier.shown}
    kernels = earlier.kernels.get(target) or shown.get(target)
    known["deployed"] = f"{target} with {kernels}" if kernels else target
    others = [name for name in shown if name != target]
    known |= {"others": " and ".join(others)} if all(others) and others and not any(shown.values()) else {}
    if rate := next((f"{_short(told[field])} {unit}" for field, unit in _RATES.items() if field in told), ""):
        known["rate"] = rate
    fast = (
        f" at {rate}" if rate else f" within {_short(told['latency_ms'])} ms" if "latency_ms" in told else ""
    )
    known["as_fast"] = known["limits"] or fast
    hertz, many = earlier.number(Role.RATE_HZ), earlier.number(Role.DEVICES) or 1.0
    known["each"] = f" at {_pace(hertz * many)}" if hertz else ""
    return known | ({"pace": _pace(hertz)} if hertz else {})


def _limits(earlier: Query) -> str:
    """What was demanded before, but the price."""
    hertz, many = earlier.number(Role.RATE_HZ), earlier.number(Role.DEVICES) or 1.0
    said = [f" at {_pace(hertz * many)}"] if hertz else []
    said += [
        f" {words.format(number)}"
        for role, words in _LIMITS.items()
        if (number := earlier.number(role)) is not None
    ]
    return "".join(said)


_LIMITS = {
    Role.LATENCY_MS: "within {:.6g} ms", Role.ENERGY_UJ: "with at most {:.6g} uJ",
    Role.POWER_MW: "with at most {:.6g} mW",
}  # fmt: skip


def _short(value: float) -> str:
    """Of three digits, as it was told."""
    return f"{float(f'{value:.3g}'):g}"


def _said(move: _Move, found: re.Match[str], named: Mapping[Kind, str], earlier: Query) -> dict[str, str]:
    """What the words of the turn themselves fill in, alone and with what was told."""
    groups = {name: text for name, text in found.groupdict().items() if text}
    if move.names == "model":
        groups["what"] = next((text for kind, text in named.items() if kind in _KINDS["model"]), "")
    factor = _factor(groups.get("factor", ""))
    if factor is None:
        return groups
    hertz, many = earlier.number(Role.RATE_HZ), earlier.number(Role.DEVICES)
    groups |= {"times_rate": _pace(hertz * factor)} if hertz else {}
    groups |= {"times_streams": f"{many * factor:g}"} if many else {}
    return groups | _claim(factor if "slow" not in groups.get("what", "") else 1 / factor, earlier)


def _claim(faster: float, earlier: Query) -> dict[str, str]:
    """What is claimed of the speed that was told first, where one was."""
    of = _standing(earlier)
    for field, value in earlier.cast.told:
        if field in _TIMES:
            return {"claim": f"{of['model']} takes {value / faster:.4g} ms on {of['deployed']}"}
        if field in _RATES:
            return {"claim": f"{of['model']} does {value * faster:.4g} {_RATES[field]} on {of['deployed']}"}
    return {}


def _factor(words: str) -> float | None:
    """Half is one by two."""
    factor = factor_in(words) if words else None
    return 1 / factor if factor and words.casefold().startswith("half") else factor


def _pace(hertz: float) -> str:
    return f"{hertz:.6g} per second" if hertz >= 1 else f"once every {1 / hertz:.6g} seconds"
