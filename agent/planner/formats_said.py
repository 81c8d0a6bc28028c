"""Formats of weights and of the cache of language models, and their runtimes, as a question says them."""

from __future__ import annotations

import contextlib
import functools
import re
from typing import TYPE_CHECKING

from ...hardware_db.errors import UnknownNameError
from ...hardware_db.later import Later
from ...tools.generation.usual import small_caches
from ...tools.model_zoo.weight_format import kv_format, load_formats, weight_format
from ..patterns import compiled
from .words import spoken

if TYPE_CHECKING:
    from ...tools.generation import engine
else:
    engine = Later("...tools.generation.engine", __package__)

_OF_CACHE = compiled(r"\b(?:kv|key.value|cache)\b", re.IGNORECASE)
BITS = compiled(
    r"\b([2-8])(?:[ -]?bits?\b|"
    r"(?=(?:[ ,/-]|or|and|vs\.?|versus|against|to|than|instead of|down|from)+[2-8][ -]?bits?\b))",
    re.IGNORECASE,
)
"""Bits of weights, each of those that are listed: 3 or 4 bit."""
_OF_BITS = {"4": "q4_0", "8": "q8_0", "16": "f16"}
_LISTED = compiled(
    r"(?:[\s,/]|or|and|vs\.?|versus|against|to|than|instead of|rather than|down|from|an?|the|kv|cache|"
    r"key.value|once|then|with|in|at|one)*",
    re.I,
)
_DENIED = compiled(
    r"(?<!why )(?<!or )\b(?:never|not?|without|don.?t (?:want|use))\s+(?:in |use |with |run |any )?$", re.I
)
_FOUR_BITS = "Q4_K_M"
_OF_FOUR_BITS = frozenset(("AWQ", "GPTQ", "MXFP4", "NVFP4"))
"""What 4 bits beside them mean too."""


def kv_formats_in(question: str) -> tuple[str, ...]:
    """Formats of the cache, the usual one first; those that there are, where it is to shrink somehow."""
    found = dict.fromkeys(_cached_as(match[0]) for match in _cache_widths(question))
    if not found and spoken("cache_shrinks", question):
        return ("f16", *small_caches(next(iter(engine_in(question)), "")))
    return tuple(sorted(found, key=lambda name: name != "f16"))


def _cached_as(text: str) -> str:
    """The id of a format of the cache; bits alone stand for one."""
    return _OF_BITS.get(re.sub(r"[- ]?bits?$|^int", "", text, flags=re.I)) or kv_format(text.casefold()).id


def _cache_widths(question: str) -> list[re.Match[str]]:
    """Widths that are said of the cache, and those that are listed with them; all where none is beside it."""
    every = list(_widths().finditer(question)) if _OF_CACHE.search(question) else []
    beside = _beside_cache().search(question)
    runs: list[list[re.Match[str]]] = []
    for match in every:
        listed = runs and _LISTED.fullmatch(question[runs[-1][-1].end() : match.start()])
        runs = [*runs[:-1], [*runs[-1], match]] if listed else [*runs, [match]]
    if beside is None:
        return every if len(every) > 1 else []
    own = (run for run in runs for match in run if beside.start() <= match.start() < beside.end())
    return next(own, [])


def weight_formats_in(question: str) -> tuple[str, ...]:
    """Formats of weights, each as its id: Q4_K_M, q4, 4-bit, fp8; none that is denied."""
    for match in reversed(_cache_widths(question)):
        question = f"{question[: match.start()]} {question[match.end() :]}"
    question = BITS.sub(r"\1-bit", question)
    wanted = (m for m in _formats().finditer(question) if not _DENIED.search(question[: m.start()]))
    found = (_format(match[1]) for match in wanted)
    named = tuple(dict.fromkeys(name for name in found if name))
    special = [name for name in named if name in _OF_FOUR_BITS]
    return tuple(name for name in named if name != _FOUR_BITS) if special else named


def _format(text: str) -> str:
    """Q4_K is any of Q4's."""
    low = text.casefold()
    for name in (
        text,
        low.removesuffix("s"),
        low.removesuffix("_k"),
        f"{low}_k",
        f"q{low[:1]}",
        f"q{low[:1]}_k",
    ):
        with contextlib.suppress(UnknownNameError):
            return weight_format(name).id
    return ""


def engine_in(question: str) -> tuple[str, ...]:
    """Runtimes of language models."""
    return tuple(dict.fromkeys(found[1].lower() for found in _engines().finditer(question)))


def is_said(name: str) -> bool:
    """Whether a name that nothing else knows is a format or runtime of language models."""
    return bool(weight_formats_in(name) or engine_in(name) or _widths().fullmatch(name))


@functools.cache
def _widths() -> re.Pattern[str]:
    """What the entries of a cache may be stored as."""
    names = [name for entry in load_formats().kv for name in (entry.id, *entry.aliases)]
    return _any_of(names, r"(?:4|8|16)[- ]?bits?", r"int(?:4|8)")


@functools.cache
def _beside_cache() -> re.Pattern[str]:
    words, of = _widths().pattern, r"(?:(?:quanti\w+|precision|of|for|the|my) ){0,4}?"
    return compiled(
        rf"\b(?:kv|cache)\b[^.?!,;]{{0,24}}?{words}|{words}\s+{of}(?:kv|key|cache)\b",
        re.IGNORECASE,
    )


@functools.cache
def _formats() -> re.Pattern[str]:
    names = [name for entry in load_formats().weights for name in (entry.id, *entry.aliases)]
    return _any_of(names, *(rf"q{bits}(?:_k)?|{bits}[- ]?bits?" for bits in range(2, 9)))


@functools.cache
def _engines() -> re.Pattern[str]:
    names = (name for each in engine.load_engines().engines for name in (each.id, *each.aliases))
    return _any_of([name for name in names if name != "gguf"])


def _any_of(names: list[str], *others: str) -> re.Pattern[str]:
    """One of the names, the longest first, or of other patterns, as a word."""
    longest = sorted({re.escape(name) for name in names}, key=len, reverse=True)
    return compiled(rf"(?<![\w.-])({'|'.join([*longest, *others])})(?![\w-])", re.IGNORECASE)
