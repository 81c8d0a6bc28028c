"""Would more of something make it faster: judged by what binds, for language models and for networks."""

from __future__ import annotations

from collections.abc import Sequence

from ..bench import Answering, Record, call_of, needed
from ..language import WRITER
from ..query import LIMITS, Query, Role
from ..want import Want
from ..wants import explains
from ..words import spoken
from . import cases
from .bounds import bound_in
from .decoding_pair import of_targets
from .phrases import assumed, figure, language_models, lines, sentence, subject
from .settings import of_one
from .tokens import claimed, where

_NEARLY = 0.9
"""Share of the time that more cores have to get below to be of help."""
_OF_WRITING = {
    "capacity": "No: writing speed goes with memory bandwidth. More memory makes room for a larger model or "
    "a longer context; it makes it faster only where the model does not fit now.",
    "bandwidth": "Yes: each token reads all weights once, so tokens a second go with the memory's bandwidth, "
    "nearly in proportion while one person is served.",
    "": "No: writing reads all weights once for each token, so memory bandwidth sets its speed, and more "
    "arithmetic alone leaves it as it is. It shortens the wait for the first token, and helps where many are "
    "served at once.",
}
"""By the cause, of language models at large."""
_PAGE = "From docs/concepts/llm-decoding.md, What makes decoding faster."
_OF_ARITHMETIC = frozenset(("gpu", "gpu-soc", "npu"))
"""Targets whose cores are their arithmetic."""
_HELPED = {
    "compute": (("arithmetic", "cores", "clock"), "faster memory is idle meanwhile"),
    "memory": (("bandwidth",), "bytes are what it waits for"),
}
"""By what binds: what makes that faster, and why nothing else does."""
_SHARED = "fewer and larger operators or a larger batch help"


def cause_of(question: str) -> str:
    """What is said to make it faster: arithmetic, cores, clock, bandwidth, capacity; empty for nothing."""
    found = spoken("cause", question)
    return found[0] if found and spoken("effect", question) else ""


def asks(query: Query) -> bool:
    """Whether a cause is to be judged: of what is named, or of language models at large."""
    if not cause_of(query.question) or explains(query) or query.wants[:1] == (Want.SUMMARY,):
        return False
    if len(set(query.all(Role.MODEL))) > 1 or query.has(*LIMITS):
        return False
    if not language_models(query) and (Want.COMPARE in query.wants[:1] or Want.IMPROVE in query.wants):
        return False
    known = query.has(Role.MODEL) and query.has(Role.TARGET)
    return known or WRITER in query.asks


def judged(query: Query, _wants: Sequence[Want]) -> Answering:
    """Yes or no first, then the figure that decides it."""
    cause = cause_of(query.question)
    if not (query.has(Role.MODEL) and query.has(Role.TARGET)):
        return lines(_OF_WRITING.get(cause, _OF_WRITING[""]), _PAGE)
    return (yield from (_of_writing if language_models(query) else _of_network)(query, cause))


def _of_writing(query: Query, cause: str) -> Answering:
    targets = list(dict.fromkeys(query.all(Role.TARGET)))
    others = [*targets[1:], *(name for name in reversed(query.spoken_of) if name not in targets)]
    if query.says(Role.TARGET) and others:
        return (yield from of_targets(query, (targets[0], others[0])))
    here = query.put(Role.TARGET, targets[0])
    record = needed((yield call_of("estimate_generation", here, **cases.asked(here))))
    return _alone(record, query, cause)


def _alone(record: Record, query: Query, cause: str) -> str:
    takes, there = record.ref("total_bytes", "GiB"), record.ref("ram_bytes", "GiB")
    if record["verdict"] == "FAIL":
        verdict = "Yes, for it does not fit now" if cause == "capacity" else "Not yet"
        return f"{verdict}: {takes} do not fit {there}: {where(record)}."
    held = claimed(record, query) if query.has(Role.CLAIMED_HZ) or Want.PLAUSIBLE in query.wants else ""
    speed = f"{held}{figure(record, 'decode_tokens_per_s')}: {where(record)}."
    read = f"every token reads the {record.ref('weights_bytes', 'GiB')} of weights"
    rate, first = record.ref("bandwidth_bytes_per_s", "GB/s"), "the first token"
    if record.knows("time_to_first_token_ms"):
        first += f" ({record.ref('time_to_first_token_ms')} at {record.ref('prompt_tokens')} tokens)"
    if cause == "capacity":
        told = (
            f"No: it fits already, {takes} of {there}, and its speed goes with bandwidth ({rate}). More "
            "memory makes room for a larger model or a longer context."
        )
    elif cause == "bandwidth":
        told = f"Yes, nearly in proportion: {read}, at {rate}."
    elif "first_token" in query.asks:
        told = f"Yes, for {first}: reading the prompt is arithmetic. Writing is not: {read}."
    else:
        of = next((f" ({text})" for text in query.unread if "ops" in text.casefold()), "")
        told = (
            f"No, not the writing: {read}, so the bandwidth of {rate} sets its speed, not {cause}{of}. "
            f"More of it shortens the wait for {first}."
        )
    return lines(told, speed)


def _of_network(query: Query, cause: str) -> Answering:
    """By what takes its time on the target."""
    query = query.put(Role.TARGET, query.text(Role.TARGET))
    chip = query.targets.get(query.text(Role.TARGET))
    if cause == "cores" and chip is not None and chip.target_class not in _OF_ARITHMETIC:
        return (yield from _more_cores(query))
    roof = needed((yield call_of("analyze_roofline", query)))
    helps, instead = _HELPED.get(str(roof["bound"]), ((), _SHARED))
    share = roof.ref(f"bound_shares.{roof['bound']}", "%")
    binds = f"it is {bound_in(roof)}, {share} of {roof.ref('latency_ms', '~')} go there"
    if cause == "capacity":
        said = f"No: {binds}; more memory makes room, not speed"
    elif cause in helps:
        said = f"Yes: {binds}, so that part shrinks nearly in proportion"
    elif cause == "clock" and roof["bound_detail"] == "kernel efficiency":
        said = f"Yes: {binds}, and kernels run as fast as their clock"
    else:
        said = f"Hardly: {binds}; {instead}"
    return lines(sentence(f"{said}: {subject(query, roof)}"), assumed(query, roof))


def _more_cores(query: Query) -> Answering:
    one = needed((yield call_of("estimate_performance", query, threads=1)))
    many = needed((yield call_of("estimate_performance", query)))
    cores = many.number("deployment.threads") or 1.0
    if cores < 2:
        return lines(
            sentence(
                f"No: these kernels run on one core, {one.ref('latency_ms', '~')}: {subject(query, one)}"
            ),
            assumed(query, one),
        )
    both = query.put(Role.THREADS, 1.0, cores)
    helps = (many.number("latency_ms") or 0.0) < _NEARLY * (one.number("latency_ms") or 0.0)
    return f"{'Yes' if helps else 'No'}: {(yield from of_one(both, Role.THREADS, (Want.LATENCY,)))}"


__all__ = ["asks", "cause_of", "judged"]
