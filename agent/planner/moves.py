"""A later turn that is a move on the answer before, put as a question that stands by itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Formatter

from ...hardware_db.kept import toml_in
from ...hardware_db.user_files import Directories
from ...tools.core.records import dataclass
from ...tools.model_zoo.language_model import is_language_model
from ..names import Kind, find_names
from ..patterns import compiled
from ..quantities import find_figures
from .factors import factor_in
from .query import Query, Role
from .standing import RATES, TIME, pace, standing

_KINDS = {"target": {Kind.TARGET}, "model": {Kind.MODEL, Kind.FILE, Kind.TASK}}


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
    told = standing(earlier)
    if not told:
        return turn, False
    writes = is_language_model(told["model"])
    names = find_names(turn, own)
    named = {name.kind: name.text for name in names}
    states = bool(find_figures(turn, [(name.start, name.end) for name in names]))
    for move in _moves():
        found, form = move.says.search(turn), move.writes if writes else move.asks
        if found is None or not form or move.figure not in (None, states):
            continue
        known = {**told, **_said(move, found, named)}
        if factor := _factor(known.get("factor", "")):
            known |= _multiplied(factor, earlier, told, slower="slow" in known.get("what", ""))
        fields = {field for _, field, *_ in Formatter().parse(form) if field}
        brings = {kind for kind, kinds in _KINDS.items() if kinds & named.keys()}
        if fields <= known.keys() and not (fields & brings - {move.names}) and move.names in {"", *brings}:
            return f"{turn[: found.start()]}{form.format_map(known)}{turn[found.end() :]}", move.alone
    return turn, False


@cache
def _moves() -> tuple[_Move, ...]:
    data = toml_in(Path(__file__).with_name("moves.toml"))
    parts: Mapping[str, str] = data.pop("parts")
    moves = []
    for each in data.values():
        words = each["says"]
        for name, part in parts.items():
            words = words.replace(f"<{name}>", part)
        moves.append(_Move(**{**each, "says": compiled(words, re.IGNORECASE)}))
    return tuple(moves)


def _said(move: _Move, found: re.Match[str], named: Mapping[Kind, str]) -> dict[str, str]:
    """What the words of the turn themselves fill in."""
    groups = {name: text for name, text in found.groupdict().items() if text}
    if move.names == "model":
        groups["what"] = next((text for kind, text in named.items() if kind in _KINDS["model"]), "")
    return groups


def _multiplied(factor: float, earlier: Query, told: Mapping[str, str], *, slower: bool) -> dict[str, str]:
    """So many times what was demanded before, and of the speed that was told first."""
    hertz, many = earlier.number(Role.RATE_HZ), earlier.number(Role.DEVICES)
    found = {"times_rate": pace(hertz * factor)} if hertz else {}
    found |= {"times_streams": f"{many * factor:g}"} if many else {}
    return found | _claim(1 / factor if slower else factor, earlier, told)


def _claim(faster: float, earlier: Query, of: Mapping[str, str]) -> dict[str, str]:
    """What is claimed of the speed that was told first, where one was."""
    for field, value in earlier.cast.told:
        if field == TIME:
            return {"claim": f"{of['model']} takes {value / faster:.4g} ms on {of['deployed']}"}
        if field in RATES:
            return {"claim": f"{of['model']} does {value * faster:.4g} {RATES[field]} on {of['deployed']}"}
    return {}


def _factor(words: str) -> float | None:
    """Half is one by two."""
    factor = factor_in(words) if words else None
    return 1 / factor if factor and words.casefold().startswith("half") else factor
