"""What is reckoned from a peak, in TOPS or MACs a second: what it would allow, and how much is reached."""

from __future__ import annotations

from ..bench import Answering, call_of, needed
from ..query import Query, Role
from .phrases import lines, model_shown, said

NEVER_WHOLE = "A peak counts every multiplier busy in every cycle; layers wait for memory and for their start"
_APART = 0.02


def metered(query: Query) -> str:
    """What a load that some tool shows says; empty where none is said."""
    shown = said(query, Role.CLAIMED_PERCENT) or next((text for text in query.unread if "%" in text), "")
    if not shown:
        return ""
    return (
        f"The load that a monitor shows, here {shown}, is the share of the time in which anything runs, "
        "not how much of the arithmetic is in use."
    )


def asks(query: Query) -> bool:
    """Whether a peak, or a count of operations, stands behind a figure."""
    return query.has(Role.CLAIMED_GOPS) or "macs" in query.asks


def behind(query: Query) -> Answering:
    """The time that the peak alone would allow, and how much of it is reached."""
    roof = yield call_of("analyze_roofline", query)
    model = yield call_of("parse_model", query)
    if not roof.knows("peak_gops", "latency_ms") or not model.knows("macs"):
        return ""
    own, stated = roof.number("peak_gops") or 0.0, query.number(Role.CLAIMED_GOPS)
    words = said(query, Role.CLAIMED_GOPS) if stated else f"its peak of {roof.ref('peak_gops')}"
    alone = f"2*{model.id}.macs/{(stated or own) * 1e9:.0f}*1s"
    here = f" Here it is {roof.ref('peak_gops')}." if stated and abs(stated - own) > _APART * own else ""
    return (
        f"At {words} the {model.ref('macs', 'M')} MACs, two operations each, would take {{{{{alone}}}}}: "
        f"{{{{{alone}/{roof.id}.latency_ms|%}}}} of that peak is reached.{here} {NEVER_WHOLE}."
    )


def of_a_peak(query: Query) -> Answering:
    """What a peak that is claimed allows at most, of hardware that is not named."""
    record = needed((yield call_of("parse_model", query)))
    peak, words = query.number(Role.CLAIMED_GOPS) or 0.0, said(query, Role.CLAIMED_GOPS)
    most = f"{{{{{peak * 1e9:.0f}/(2*{record.id}.macs)|count}}}}"
    rate, asked = query.number(Role.RATE_HZ) or query.number(Role.CLAIMED_HZ), ""
    if rate:
        share = f"{{{{{rate:g}*2*{record.id}.macs/{peak * 1e9:.0f}|%}}}}"
        shown = said(query, Role.RATE_HZ, Role.CLAIMED_HZ)
        asked = f"For {shown} it would have to reach {share} of that peak, all the time. "
    return lines(
        f"{words} alone do not tell: with {record.ref('macs', 'M')} MACs a run, {model_shown(query)} could "
        f"run {most} times a second at most, were the whole peak reached.",
        f"{asked}{NEVER_WHOLE}. Which chip is it? Then I estimate it.",
    )
