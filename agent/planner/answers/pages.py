"""Concepts and the product, from the pages, each named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...pages import Subject
from ..bench import Answering, call_of
from ..query import LIMITS, Query, Role
from ..want import Want
from . import facts
from .clauses import CLAUSES
from .passages import APT, POSSIBLE, SURE, quoted, search
from .phrases import ask_model, lines, said, sentence, subject

if TYPE_CHECKING:
    from ...library import Passage

NEAREST = "I am not sure that I know; the nearest that I have:"
NOTHING = (
    "I do not know: my pages do not speak of it. `edgewright -h` lists the commands, and docs/README.md the "
    "pages."
)
__all__ = ["APT", "CAN", "check_command", "pages", "quoted", "search"]
_OF_LIMITS = ("ci.md", "cli.md")
"""Pages on limits that a build must keep."""
_USUAL = {
    Want.INTERVAL: "interval 90 % estimate",
    Want.EVIDENCE: "published measurements fitted estimate basis",
    Want.IMPORT: "import trace",
    Want.CALIBRATE: "calibrate own measurement",
    Want.BOUND: "memory-bound compute-bound",
    Want.INTENSITY: "arithmetic intensity ridge point",
    Want.PLACEMENT: "arena placement",
    Want.UTILISATION: "peak utilisation",
    Want.COMPATIBILITY: "unsupported operators",
}
"""What the pages are searched for where the question's own words lead to none."""
CAN = (
    "I tell whether a neural network fits a chip or board, how fast it runs, what energy and "
    "battery it takes, what "
    "holds it back, what a change brings, and which hardware to take."
)


def pages(query: Query, wants: Sequence[Want]) -> Answering:
    """What the best page says, with the figure of the model and target that the question names."""
    found = _best(query, wants)
    of_limits = not found or found[0].chance < SURE or found[0].page in _OF_LIMITS
    command = check_command(query) if Want.PRODUCT in wants and query.says(*LIMITS) and of_limits else ""
    if found and found[0].chance < SURE and not command and query.says(Role.MODEL):
        told = yield from facts.facts(query, (Want.MODEL_FACTS,))
        return lines(told, f"I am not sure that this answers you; a page near it: {found[0].place}.")
    text = lines(command, _told(found) if found else "")
    if not text and query.has(Role.TARGET):
        return ask_model((yield from facts.chip(query, wants)))
    if not text:
        return NOTHING
    figure = next((want for want in wants if want in CLAUSES), None)
    if (
        figure is None
        or not query.says(Role.MODEL)
        or not query.has(Role.TARGET)
        or not query.has(Role.MODEL)
    ):
        return text
    record = yield call_of("estimate_performance", query)
    if record.result is None:
        return text
    label, clause = CLAUSES[figure]
    words = yield from clause(query)
    return lines(text, sentence(f"here, {subject(query, record)}, {label}{words}"))


_FLAGS = {
    Role.LATENCY_MS: "--max-latency", Role.RATE_HZ: "--min-rate", Role.RAM_BYTES: "--max-ram",
    Role.FLASH_BYTES: "--max-flash", Role.ENERGY_UJ: "--max-energy", Role.POWER_MW: "--max-power",
    Role.PRICE_USD: "--max-price",
}  # fmt: skip


def check_command(query: Query) -> str:
    """The command that judges the limits of the question, and how it ends."""
    flags = [
        f"{flag} {said(query, role).replace(' ', '')}" for role, flag in _FLAGS.items() if query.says(role)
    ]
    model, target = query.text(Role.MODEL) or "MODEL", query.text(Role.TARGET) or "TARGET"
    return (
        f"`edgewright check {model} -t {target} {' '.join(flags)}` ends with exit code 10 where "
        f"a limit fails, 11 where one cannot be known."
    )


def _best(query: Query, wants: Sequence[Want]) -> Sequence[Passage]:
    """The sections that may answer; of a want that has one of its own, that where the words lead to none."""
    meant = [subject for subject in Subject if Want(subject.value) in wants] or list(Subject)
    found = search(query.question, 2, POSSIBLE, meant)
    if found:
        return found
    usual = next((_USUAL[want] for want in (*wants, *query.topic) if want in _USUAL), "")
    return search(usual, 1) if usual and Want.PRODUCT not in wants else ()


def _told(found: Sequence[Passage]) -> str:
    """The section, or, where it may not be what was asked for, that it is the nearest, and the next."""
    if found[0].chance >= SURE:
        return quoted(found[0])
    other = f"Or look at {found[1].place}." if len(found) > 1 else ""
    return lines(f"{NEAREST} {quoted(found[0])}", other)
