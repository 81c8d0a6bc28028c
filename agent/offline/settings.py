"""What a question varies: batch, threads, type, width, input size, and the change it asks about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..grounding.spoken_figures import in_digits

_BATCH = re.compile(
    r"\bby the (\d{1,4})\b|"
    r"\b(?:packs?|bundles?|groups?|stacks?|bunch(?:es)?|lots) of (\d{1,6})\b|"
    r"\b(?:collect|gather|pool|queue|bundle|group|stack)\w* (\d{1,6})\b(?! ?(?:ms|s|kb|mb|k)\b)|"
    r"\b(\d{1,6}) (?:of them |images |pictures |frames |requests |samples )?(?:at a time|at once|"
    r"together|per call|in one go)\b|"
    r"\bbatch(?:[- ]?sizes?|es)?(?: of| =|=|:| is)? ?((?:\d{1,6}(?:, ?| and | or | to )?)+)|"
    r"\bbs ?=? ?(\d{1,6})\b",
    re.IGNORECASE,
)
_THREADS = re.compile(
    r"\b(\d{1,3})[- ]threads?\b|\b(?:on|with|using|all) (\d{1,3}) (?:of (?:the|its) )?cores\b|"
    r"\bcores?\b.{0,60}\ball (\d{1,3})(?= of (?:them|its)|\W*$|[.,;?!])",
    re.IGNORECASE,
)
_SINGLE = re.compile(r"\b(?:single|one|1)[- ](?:thread(?:ed)?|core)\b", re.IGNORECASE)
_WIDTH = re.compile(
    r"\b(?:width(?: multiplier)?|alpha|depth multiplier)(?: of| =|=|:| is)? ?(\d?\.\d+|"
    r"\d(?:\.\d+)?)\b|\b(\d?\.\d+)[- ]?(?:width|alpha|x width)\b",
    re.IGNORECASE,
)
_AFTER_NAME = re.compile(r"\bmobile?net[-_ ]?v2[-_ ](\d\.\d+)\b", re.IGNORECASE)
_SIDE = re.compile(
    r"\b(\d{2,4}) ?(?:[x×]|by) ?\1\b|"
    r"\b(?:input(?: size| side)?|resolution|side)(?: of| =|=|:| is)? ?(\d{2,4})\b|"
    r"\b(\d{2,4}) ?(?:px|pixels?)\b",
    re.IGNORECASE,
)
_DTYPES = (
    ("int8", r"\bu?int8\b|\b8[- ]bit\b|\bi8\b"),
    ("float16", r"\bfp16\b|\bfloat16\b|\bhalf[- ]precision\b|\bf16\b"),
    ("float32", r"\bfp32\b|\bfloat32\b|\bsingle[- ]precision\b|\bf32\b"),
)
_TECHNIQUES = (
    ("int8", r"\bquanti[sz]\w+|\bint8\b|\b8[- ]bit\b"),
    ("float16", r"\bfp16\b|\bfloat16\b|\bhalf[- ]precision\b"),
    (
        "prune",
        r"\bprun\w+|\bsparsi\w+|\bzero(?:ed|ing|es)?\b.{0,40}\bweights\b|"
        r"\bweights\b.{0,15}\bto zero\b|\b(?:saw|cut|throw|drop|"
        r"remov|kick|chop|strip|delet|leav|tak)\w*\b.{0,30}"
        r"\b(?:channels?|filters?|neurons?)\b|\b(?:half|quarter|third|fewer|"
        r"less)\b.{0,15}\b(?:channels|filters)\b",
    ),
    (
        "input",
        r"\b(?:smaller|half|halve|halving|shrink|lower|percent|reduce\w*|scale|scaling|"
        r"downscale)\b.{0,30}\b(?:input|resolution|images?|pictures?|photos?|crops?)\b|% (?:input|"
        r"resolution)\b",
    ),
    ("clock-max", r"\b(?:max(?:imum)?|full|highest) clock\b|\boverclock\w*"),
)
_GOALS = (
    ("energy", r"\benerg\w+|\bjoules?|\b[uµm]j\b|\bbattery\b|\bpower\b"),
    ("ram", r"\bs?ram\b|\bmemory\b|\barena\b"),
    ("flash", r"\bflash\b|\brom\b|\bstorage\b|\b(?:model|file|binary) size\b|\bsmaller\b"),
)
_FRACTIONS = (
    (50, r"\bhal(?:f|ve|ving)\b|\bevery (?:second|other|2nd)\b(?= (?:channel|filter|neuron))"),
    (25, r"\b(?:a |one )quarter\b"),
    (75, r"\bthree quarters\b"),
)
_STEPS = {"prune": (25, 50), "input": (75, 50)}
"""The steps, in percent, in which these changes are simulated."""


@dataclass(frozen=True)
class Settings:
    batches: tuple[int, ...] = ()
    threads: tuple[int, ...] = ()
    dtype: str | None = None
    width: float | None = None
    input_sizes: tuple[int, ...] = ()


def settings_of(question: str) -> Settings:
    question = in_digits(question)
    width = _WIDTH.search(question) or _AFTER_NAME.search(question)
    return Settings(
        batches=_batches(question),
        threads=_threads(question),
        dtype=next((name for name, words in _DTYPES if re.search(words, question, re.IGNORECASE)), None),
        width=float(_group(width)) if width else None,
        input_sizes=tuple(dict.fromkeys(int(_group(side)) for side in _SIDE.finditer(question))),
    )


def _batches(question: str) -> tuple[int, ...]:
    found: list[int] = []
    for match in _BATCH.finditer(question):
        found += [int(digits) for digits in re.findall(r"\d+", _group(match))]
    return tuple(dict.fromkeys(n for n in found if n > 0))


def _threads(question: str) -> tuple[int, ...]:
    found = [(match.start(), 1) for match in _SINGLE.finditer(question)]
    found += [(match.start(), int(_group(match))) for match in _THREADS.finditer(question)]
    return tuple(dict.fromkeys(count for _, count in sorted(found) if count > 0))


def _group(match: re.Match[str]) -> str:
    return next(group for group in match.groups() if group)


def technique_of(question: str, percents: Sequence[float] = ()) -> str:
    """The change that is asked about, by the simulator's name or the beginning of it; empty where none is."""
    name = next((n for n, words in _TECHNIQUES if re.search(words, question, re.IGNORECASE)), "")
    steps = _STEPS.get(name, ())
    told = {
        *percents,
        *(percent for percent, words in _FRACTIONS if re.search(words, question, re.IGNORECASE)),
    }
    return next((f"{name}-{step}" for step in steps if step in told), name)


def goal_of(question: str) -> str:
    """What a change should lower."""
    return next((goal for goal, words in _GOALS if re.search(words, question, re.IGNORECASE)), "latency")
