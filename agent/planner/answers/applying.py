"""Changes that are made to a file: which layers int8 hurts, which stay in float, several at once."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..bench import Answering, call_of, is_named
from ..query import Query, Role
from ..want import Want
from .changes import bare, brings
from .phrases import assumed, lines, subject

_NAME = (
    r"(?:prune|width|align|input|low-rank|weights|fuse|mixed|drop-block|relu6|int8-float-io|int8|int16x8|float16"
    r"|dynamic-range)(?:-[\w.@]+)*"
)
_APPLIED = re.compile(rf"\bapply (?:the )?((?:{_NAME}(?:\s*(?:,|\+|and|then)\s*)*)+)", re.IGNORECASE)
_OF_LAYERS = re.compile(
    r"(?=.*\blayers?\b)(?=.*(?:\bint8\b|quanti[sz]))(?=.*\b(?:errors?|noise|lose|loss|losing|sensitiv\w+|hurt\w*"
    r"|suffers?|breaks?|sqnr|snr|degrad\w+)\b)",
    re.IGNORECASE | re.DOTALL,
)
_KEPT = re.compile(
    r"\bmixed.precision\b|\b(?:keep|leave)\b.{0,40}\blayers?\b.{0,40}\bfloat\w*|\blayers?\b.{0,30}\bstay\b.{0,20}\bfloat",
    re.IGNORECASE,
)


def asks(query: Query) -> bool:
    """Whether a file is to be changed, or its layers told apart by what int8 does to them."""
    model = query.text(Role.MODEL)
    if not model or is_named(model):
        return False
    text = query.question
    return any(pattern.search(text) for pattern in (_APPLIED, _OF_LAYERS, _KEPT))


def applied(query: Query, wants: Sequence[Want]) -> Answering:
    """What the change is estimated to bring, and the command that makes it and measures the rest."""
    text, model = query.question, query.text(Role.MODEL)
    named = _APPLIED.search(text)
    names = re.findall(_NAME, named[1].casefold()) if named else ["int8"]
    said: list[str] = []
    simulated = [name for name in dict.fromkeys(names) if not name.startswith("mixed")] or ["int8"]
    if query.has(Role.TARGET):
        given = query.without([Role.TECHNIQUE, Role.DTYPE])
        record = yield call_of("simulate_optimizations", bare(given), technique=simulated, goal="latency")
        if record.result is not None and record["options"]:
            path = "combined" if len(simulated) > 1 and record["combined"] else "options[#0]"
            said += [
                f"{brings(record, path, wants)}: {subject(bare(given), record)}.",
                assumed(given, record),
            ]
        elif record.result is None:
            said.append(f"I cannot simulate that: {record.error}")
    commands = _commands(text, model, query.text(Role.TARGET), " + ".join(names), named)
    return lines(*said[:1], *commands, *said[1:]) if named else lines(*commands, *said)


def _commands(text: str, model: str, target: str, names: str, named: re.Match[str] | None) -> list[str]:
    """How it is made; figures of accuracy are measured there and not estimated."""
    stem, _, ending = model.rpartition(".")
    begin = f"edgewright optimize {model} -t {target or 'TARGET'} --apply"
    if named:
        made = f'`{begin} "{names}" -o {stem}-changed.{ending}`'
        return [f"{made} writes the file, runs both here and tells the drift."]
    made = f"`{begin} int8 -o {stem}-int8.{ending}`"
    errors = f"{made} lists the noise that each layer adds: it runs both files here."
    if not _KEPT.search(text):
        return [f"What each layer loses is measured, not estimated. {errors}"]
    return [
        f"`{begin} mixed -o {stem}-mixed.{ending}` leaves the layers that lose most in float32, as few as "
        "halve the error of int8; `mixed-30` as few as reach 30 dB.",
        errors,
    ]
