"""What is reckoned from a peak, in TOPS or MACs a second: what it would allow, and how much is reached."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from ..bench import Answering, Call, Record, call_of, needed
from ..query import Query, Role, Slot
from .phrases import joined, lines, model_shown, said
from .standing import without_terms

NEVER_WHOLE = "A peak counts every multiplier busy in every cycle; layers wait for memory and for their start"
_APART, _ROUNDED, _TYPE_OF_TOPS = 0.02, 0.15, "int8"
"""Shares by which a stated peak differs from another, and a count of operations from one that it rounds."""


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
    """What the peak alone would allow, what it counts, and how much of it is reached."""
    roof = yield call_of("analyze_roofline", query)
    model = yield call_of("parse_model", query)
    chip = yield call_of("get_target", query)
    if not roof.knows("peak_gops", "latency_ms", "compute_utilization") or not model.knows("macs"):
        return ""
    gmacs = (model.number("macs") or 0.0) / 1e9
    work = (gmacs, 2 * gmacs, gmacs * 1e9, 2 * gmacs * 1e9)
    stated = [slot for slot in query.slots if slot.role is Role.CLAIMED_GOPS and slot.text]
    peaks = [slot for slot in stated if not _is_near(slot.number, work)]
    counted = {*query.unread, *(slot.text for slot in stated)}
    yours = [one.text for one in query.figures if one.text in counted and _is_near(one.value, work)]
    said_so = f" (your *{yours[0]}*)" if yours else ""
    own = roof.number("peak_gops") or 0.0
    stated_peak = peaks[0].number if peaks else own
    words = peaks[0].text if peaks else f"its peak of {roof.ref('peak_gops')}"
    each = f"{roof.id}.deployment.batch*2*{model.id}.macs/{stated_peak * 1e9:.0f}*1s"
    takes = f"{roof.id}.compute_utilization*{roof.id}.latency_ms"
    dense = f"the dense peak in {roof.ref('dtype')} is {roof.ref('peak_gops')}"
    here = f" Here {dense}: {{{{{takes}}}}}." if abs(stated_peak - own) > _APART * own else ""
    memory = f" Its data alone take {_moved(roof)}." if roof.number("memory_utilization") else ""
    return " ".join(
        [
            *(text for slot in peaks if (text := _counts(chip, slot))),
            f"At {words} the {model.ref('macs', 'M')} MACs, two operations each{said_so}, would take "
            f"{{{{{each}}}}}: {{{{{each}/{roof.id}.latency_ms|%}}}} of that peak is reached in "
            f"{roof.ref('latency_ms', '~')}, as I estimate it.{here}{memory} {NEVER_WHOLE}.",
            *_rates(query, peaks, model, roof),
        ]
    )


def share_of_peak(query: Query, answer: str) -> Answering:
    """How much of a peak that is said of the target the network reaches, where no answer speaks of it."""
    stated = [slot for slot in query.slots if slot.role is Role.CLAIMED_GOPS and not slot.inherited]
    one_case = len(set(query.all(Role.TARGET))) == 1 == len(set(query.all(Role.MODEL)))
    if not one_case or len(stated) != 1 or not stated[0].text or stated[0].text in answer:
        return ""
    roof = yield call_of("analyze_roofline", query)
    if not roof.knows("peak_gops", "latency_ms") or not _is_peak(stated[0], roof.number("peak_gops")):
        return ""
    return f"Of *{stated[0].text}* it reaches {roof.ref('compute_utilization', '%')}. {NEVER_WHOLE}."


def _stated(query: Query) -> list[Slot]:
    """Peaks that are stated; a bare number beside one is in TOPS as well: 13 TOPS against 40."""
    slots = [slot for slot in query.slots if slot.role is Role.CLAIMED_GOPS and slot.text]
    bare = [one for one in query.figures if one.text in query.unread and not one.unit] if slots else []
    return [*slots, *(Slot(role=Role.CLAIMED_GOPS, value=one.value * 1e3, text=one.text) for one in bare)]


def _moved(roof: Record) -> str:
    """How long what is moved takes at the peak of the bandwidth."""
    return f"{{{{{roof.id}.memory_utilization*{roof.id}.latency_ms}}}} at {roof.ref('bandwidth_gb_s')}"


def _is_near(number: float, of: Sequence[float]) -> bool:
    return any(abs(number - one) <= _ROUNDED * one for one in of)


def _counts(chip: Record, slot: Slot) -> str:
    """That a stated peak counts zeros, with the dense ones; empty where that is not known."""
    rows: Sequence[Mapping[str, Any]] = chip["peaks"] or ()
    sparse = next((row for row in rows if _is_peak(slot, row["sparse_gops"])), None)
    noted = next((at for at, note in enumerate(chip["notes"] or ()) if slot.text in note), None)
    if sparse is None or any(_is_peak(slot, row["dense_gops"]) for row in rows):
        return "" if noted is None else f"{chip.ref(f'notes[#{noted}]')}"
    dense = [i for i, row in enumerate(rows) if row["dense_gops"] and row["processor"] == sparse["processor"]]
    dense.sort(key=lambda i: -rows[i]["dense_gops"])
    shown = joined(
        f"{chip.ref(f'peaks[#{i}].dense_gops')} in {chip.ref(f'peaks[#{i}].dtype')}" for i in dense
    )
    return (
        f"{slot.text} is the {sparse['dtype']} peak with two of every four weights zero (sparse), which "
        f"those of a usual network are not; dense it is {shown}."
    )


def _is_peak(slot: Slot, gops: float | None) -> bool:
    return gops is not None and abs(slot.number - gops) <= _APART * gops


def _rates(query: Query, peaks: Sequence[Slot], model: Record, roof: Record) -> list[str]:
    """Where a rate comes from: a peak over the MACs, or over the operations; what share of it theirs is."""
    found, gmacs = [], (model.number("macs") or 1.0) / 1e9
    most = max([roof.number("peak_gops") or 0.0, *(slot.number for slot in peaks)]) / (2 * gmacs)
    rates = [slot for slot in query.slots if slot.role is Role.CLAIMED_HZ and slot.text]
    rates = without_terms(query.question, rates)
    for slot in rates:
        for peak in peaks[:1]:
            if _is_near(slot.number, (peak.number / gmacs,)):
                each = f"{{{{{peak.number * 1e9:.0f}/(2*{model.id}.macs)|count}}}}"
                of_macs = f"*{slot.text}* counts a MAC as one operation"
                found.append(f"{of_macs}; TOPS count two, which makes {each} of it.")
    beyond = [slot.text for slot in rates if most * (1 - _ROUNDED) <= slot.number <= most * (1 + _ROUNDED)]
    found += [f"{joined(beyond)} is that peak itself, which no network reaches."] if beyond else []
    least = min(rates, key=lambda slot: slot.number, default=None)
    if least is not None and peaks and least.number < peaks[0].number / (4 * gmacs):
        share = f"{{{{{least.number:.9g}*2*{model.id}.macs/{peaks[0].number * 1e9:.0f}|%}}}}"
        found.append(f"{least.text} is {share} of {peaks[0].text}.")
    return found


def of_each(query: Query, records: Mapping[str, Record]) -> Generator[Call, Record, list[str]]:
    """Of several targets whose peaks are stated: what these count, and the time in their type."""
    stated = _stated(query)
    if len(records) < 2 or not stated:
        return []
    found: list[str] = []
    for target, record in records.items():
        chip = yield call_of("get_target", query, target=target)
        for slot in stated:
            at = [i for i, row in enumerate(chip["peaks"] or ()) if _is_peak(slot, row["dense_gops"])]
            text = _counts(chip, slot)
            if at or text:
                dense = (
                    f"{slot.text} is its dense peak in {chip.ref(f'peaks[#{at[-1]}].dtype')}." if at else ""
                )
                found.append(f"{target}: {text or dense}")
        if str(record["dtype"]) != _TYPE_OF_TOPS and not query.has(Role.DTYPE):
            other = yield call_of("estimate_performance", query, target=target, dtype=_TYPE_OF_TOPS)
            if other.knows("latency_ms"):
                found.append(
                    f"{target} in {_TYPE_OF_TOPS}, which TOPS are of: {other.ref('latency_ms', '~')}."
                )
    return [*found, f"TOPS do not tell: {NEVER_WHOLE[:1].lower()}{NEVER_WHOLE[1:]}."]


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
