"""What the figures of the answer before count and what they leave out, as the page on such figures says."""

from __future__ import annotations

from collections.abc import Sequence

from ...pages import sections_of
from ..bench import Answering
from ..decisions import takes_back
from ..query import CELLS, Query, Role
from ..want import Want
from ..words import spoken
from .passages import quoted
from .phrases import joined, lines, said

_OF_TIME = ("concepts/estimates.md", "What is in the time and what is not")
_PLACES = {
    ("concepts/battery.md", "What the energy leaves out"): {Want.BATTERY_LIFE, Want.ENERGY, Want.POWER},
    ("concepts/tensor-arena.md", "What is in the figure and what is not"): {Want.RAM},
}
_BESIDE = (Role.SENSOR_UA, Role.SENSOR_MW)


def asks(query: Query) -> bool:
    """Whether it is asked if a camera, a spectrogram or a radio is in what was told."""
    words = set(spoken("scope", query.question))
    of_what = "leaves_out" in words or words >= {"counts", "part"}
    other = Want.RECOMMEND in query.wants or query.says(*_BESIDE)
    return of_what and bool(query.established) and not other and not takes_back(query.question)


def scope(query: Query, wants: Sequence[Want]) -> Answering:
    """By what was calculated last; what the user named to stand beside the chip is counted."""
    told = {*wants, *query.established[-1].wants, *([Want.BATTERY_LIFE] if query.has(*CELLS) else [])}
    page, heading = next((place for place, of in _PLACES.items() if of & told), _OF_TIME)
    section = next(one for one in sections_of(page) if one.heading == heading)
    beside = [said(query, role) for role in _BESIDE if query.has(role)] if page != _OF_TIME[0] else []
    first, _, rest = quoted(section).partition("\n")
    yield from ()
    return lines(first, f"Counted here beside the chip: {joined(beside)}." if beside else "", rest)
