"""Whether a question can be answered by tools, has to be asked back, or is declined."""

from __future__ import annotations

from dataclasses import dataclass

from . import replies
from .calls import Call, calls_for
from .intent import Intent
from .needs import NEEDS_NO_MODEL, NEEDS_NO_TARGET
from .reading import Reading
from .traces import traces_named

MOST_CALLS = 8


@dataclass(frozen=True)
class Plan:
    """Calls to make, or the text that answers without any."""

    calls: tuple[Call, ...] = ()
    reply: str = ""


def plan_for(reading: Reading) -> Plan:
    if not reading.intents:
        return Plan(reply=replies.decline(reading))
    if asked := _reply(reading):
        return Plan(reply=asked)
    calls = calls_for(reading)[:MOST_CALLS]
    return Plan(calls=tuple(calls)) if calls else Plan(reply=replies.decline(reading))


def _reply(reading: Reading) -> str:
    """Help, or what has to be asked back."""
    wants = set(reading.intents)
    if wants <= {Intent.HELP}:
        return replies.help_text()
    if wants <= {Intent.ACCURACY}:
        return replies.no_accuracy()
    missing = [replies.ask_model()] if not wants <= NEEDS_NO_MODEL and not reading.models else []
    if Intent.IMPORT in wants and not traces_named(reading.question):
        missing.append(replies.ask_trace())
    if not wants <= NEEDS_NO_TARGET and not reading.targets:
        missing.append(reading.hardware_question or replies.ask_target())
    goes_on = wants == {Intent.FIT} and not reading.names_target
    if (missing or goes_on) and Intent.FIT in wants and replies.lacks_limit(reading):
        missing.append(replies.ask_limit())
    return replies.asked(reading, missing) if missing else ""
