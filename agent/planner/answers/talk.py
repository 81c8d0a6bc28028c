"""What is said between people."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...patterns import compiled
from ..bench import Answering
from ..query import Query, Role
from ..want import Want
from . import facts, pages
from .passages import APT
from .phrases import joined, lines, model_shown

_TRY = (
    "*does vww fit on an esp32-s3 at 5 fps?*",
    "*how long does a CR2032 last with kws once a minute on an nrf52840?*",
    "*compare raspberry-pi-5 and jetson-orin-nano for yolov8n*",
)
NOT_UNDERSTOOD = "I did not understand that."
_GREETING = compiled(r"\W*(?:hi|hello|hey|good (?:morning|evening|day)|servus|morning)\b", re.I)


def thanks(query: Query, _wants: Sequence[Want]) -> Answering:
    yield from ()
    if _GREETING.match(query.question):
        return lines("Hello. " + pages.CAN, f"Try: {_TRY[0]}")
    return "You are welcome. Ask on whenever you like."


def helped(query: Query, _wants: Sequence[Want]) -> Answering:
    """What can be asked, with examples; the page that answers where one does."""
    if len(query.question.split()) > 3 and (found := pages.said_by_a_page(query.question)):
        return found
    if re.search(r"\b(?:models|networks|architectures)\b", query.question, re.IGNORECASE):
        return (yield from facts.list_models(query))
    return lines(pages.CAN, "Try:", *(f"- {example}" for example in _TRY))


def outside(query: Query, _wants: Sequence[Want]) -> Answering:
    """Declined in a sentence, unless it is not surely of something else and a page aptly speaks of it."""
    yield from ()
    surely = dict(query.likely).get(Want.OUTSIDE, 0.0) >= _SURELY
    page = "" if surely else pages.said_by_a_page(query.question, APT)
    return page or lines("That is not what I am for.", pages.CAN)


_SURELY = 0.9


def unclear(query: Query, _wants: Sequence[Want]) -> Answering:
    """Nothing was understood and nothing new named: a page, else what can be asked of what is spoken of."""
    if found := pages.said_by_a_page(query.question):
        return found
    return (yield from not_understood(query, ()))


def not_understood(query: Query, _wants: Sequence[Want]) -> Answering:
    """What can be asked of what is spoken of."""
    yield from ()
    about = joined((model_shown(query), query.text(Role.TARGET)), "on")
    can = f"Of {about} I can tell time, memory, energy, battery life, what binds and what a change brings."
    return lines(NOT_UNDERSTOOD, can if about else f"Try: {_TRY[0]}")
