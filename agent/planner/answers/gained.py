"""A gain that the user measured of a setting, 1.5x by twice the clock, and the gain that is estimated."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...patterns import compiled
from ..bench import Answering, call_of, needed
from ..factors import Factor, factors_in
from ..query import Query, Role, Slot
from ..want import Want
from ..words import patterns
from . import measured
from .phrases import BY_THEIRS
from .ratios import OF_SIZE
from .timed_pairs import CLAIMED, COUNTED, Pair, Timed, axes_of, place_in_order, values_of

_SAYS = patterns("measured_gain")
_LITTLE = 0.03
_FOLLOW = {
    Role.THREADS: ("is shared among the threads by Amdahl's law", "is not"),
    Role.CLOCK_MHZ: ("follows the clock", "does not"),
}


def asks(query: Query, wants: Sequence[Want]) -> bool:
    """Whether a gain is stated that a setting brought, and no times."""
    return measured.may_ask(query, wants) and not query.says(*CLAIMED) and _pair(query) is not None


def gained(query: Query, _wants: Sequence[Want]) -> Answering:
    """What part of the time follows the setting, and the gain that is estimated."""
    found = _pair(query)
    assert found is not None
    pair, factor = found
    query = query.put(Role.TARGET, *query.all(Role.TARGET)[:1])
    gain, most = pair.gain(pair.before.time_ms, pair.after.time_ms), pair.proportion
    if pair.role not in COUNTED:
        told = f"{BY_THEIRS} {pair.names[1]} is {factor.text} as fast as {pair.names[0]}."
        return (yield from measured.beside_estimates(query, pair, told, gain=factor.text))
    own = needed((yield call_of("compare_figures", query, measured=gain, against=most, unit="x")))
    new, all_ = f"{own.id}.measured", f"{own.id}.against"
    told = f"{factor.text} is less than the {own.ref('against')} in proportion"
    told = f"{factor.text} is what is in proportion" if abs(gain / most - 1) <= _LITTLE else told
    how = "as much as" if abs(gain / most - 1) <= _LITTLE else "more than" if gain > most else "less than"
    does = "bring" if pair.role is Role.THREADS else "brings"
    hoped = next(
        (one.text for one in factors_in(query.question) if one.value == most), own.ref("against", "x")
    )
    told = f"{BY_THEIRS} {pair.names[1]} {does} {factor.text}, {how} the {hoped} in proportion"
    if pair.role is Role.BATCH:
        told = f"{BY_THEIRS} {pair.names[1]} does {own.ref('measured', 'x')} the images of {pair.names[0]}"
    elif 1 < gain < most * (1 - _LITTLE):
        stays = f"({all_}/{new}-1)/({all_}-1)"
        follows, stays_out = _FOLLOW[pair.role]
        rest = f"{{{{{stays}|%}}}} {stays_out}"
        told += f": {{{{1-{stays}|%}}}} of the time at {pair.names[0]} {follows}, {rest}"
    return (yield from measured.beside_estimates(query, pair, f"{told}.", gain=factor.text))


def _pair(query: Query) -> tuple[Pair, Factor] | None:
    """The setting that changed, and the gain that it brought; times of it are relative."""
    text = query.question
    factors = [one for one in factors_in(text) if one.value > 0 and not OF_SIZE.match(text, one.end)]
    mine = [one for one in factors if _is_measured(text, one)]
    if len(mine) != 1 or len(set(query.all(Role.MODEL))) > 1:
        return None
    axis = next((one for one in axes_of(query) if one not in (Role.TARGET, Role.MODEL)), None)
    values = sorted(values_of(query, axis), key=lambda each: place_in_order(each[0])) if axis else []
    if axis is None or len(values) != 2:
        return None
    slower = _SAYS["longer"].match(text, mine[0].end) is not None
    times = 1 / mine[0].value if slower else mine[0].value
    times *= float(values[0][0]) / float(values[1][0]) if axis is Role.BATCH and not slower else 1.0
    slot = Slot(role=Role.CLAIMED_MS, value=1.0, text=mine[0].text)
    one, two = (Timed(value, slot, time) for (value, _), time in zip(values, (1.0, 1 / times), strict=True))
    return Pair(axis, one, two), mine[0]


_ASKED = compiled(r"\b(?:does|do|did|will|can|is|are)\b(?! only)[^.?!;,]{0,40}$", re.I)
"""Before a gain that is asked for."""


def _is_measured(text: str, factor: Factor) -> bool:
    """Whether it is what came of it, and not what was expected."""
    before = text[: factor.start]
    if _ASKED.search(before) and re.match(r"[\w ]*\?", text[factor.end :]):
        return False
    return _SAYS["came"].search(before) is not None and _SAYS["hoped"].search(before) is None
