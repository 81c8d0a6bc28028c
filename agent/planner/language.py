"""What a question says of language models beside their names: formats, runtimes, layers on the GPU."""

from __future__ import annotations

import functools
import re

from ...tools.generation.engine import load_engines
from ...tools.model_zoo.weight_format import load_formats

_LAYERS = re.compile(
    r"\b(\d{1,4})\s+(?:of\s+\d+\s+)?layers\b(?=.{0,40}\b(?:gpu|card|offload))", re.IGNORECASE
)
_WRITERS = re.compile(
    r"\b(?:language\s+models?|llms?|slms?|chat\s*bots?|chat\s+models?|ggufs?)\b", re.IGNORECASE
)


def weight_format_in(question: str) -> str | None:
    """A format that goes by a name of its own, such as Q4_K_M; int8 is a type of any network."""
    found = _formats().search(_cached().sub(" ", question))
    return found[1] if found else None


def kv_format_in(question: str) -> str | None:
    found = _cached().search(question)
    return (found[1] or found[2]).lower() if found else None


def engine_in(question: str) -> str | None:
    """A runtime of language models."""
    found = _engines().search(question)
    return found[1].lower() if found else None


def layers_in(question: str) -> int | None:
    """Layers that are to be on the GPU."""
    found = _LAYERS.search(question)
    return int(found[1]) if found else None


def speaks_of_language_models(question: str) -> bool:
    """Without naming one."""
    return _WRITERS.search(question) is not None


def is_said(name: str) -> bool:
    """Whether a name that nothing else knows is a format or runtime of language models."""
    return any(find(name) is not None for find in (weight_format_in, engine_in)) or bool(
        re.fullmatch(_kv(), name, re.IGNORECASE)
    )


def _kv() -> str:
    """What the entries of a cache may be stored as, the longest names first."""
    names = (name for entry in load_formats().kv for name in (entry.id, *entry.aliases))
    return "|".join(map(re.escape, sorted(names, key=len, reverse=True)))


@functools.cache
def _cached() -> re.Pattern[str]:
    return re.compile(
        rf"\b(?:kv|cache)\b[^.?!,;]{{0,20}}?\b({_kv()})\b|\b({_kv()})\s+(?:kv|key|cache)\b", re.IGNORECASE
    )


@functools.cache
def _formats() -> re.Pattern[str]:
    ids = [entry.id for entry in load_formats().weights]
    named = [i for i in ids if "_" in i or i.upper().startswith(("IQ", "MX", "NV", "FP8", "AWQ"))]
    return _any_of([*named, "AWQ", "GPTQ", "w8a8", "w4a16"])


@functools.cache
def _engines() -> re.Pattern[str]:
    return _any_of([name for engine in load_engines().engines for name in (engine.id, *engine.aliases)])


def _any_of(names: list[str]) -> re.Pattern[str]:
    longest = sorted({re.escape(name) for name in names if name != "gguf"}, key=len, reverse=True)
    return re.compile(rf"(?<![\w.-])({'|'.join(longest)})(?![\w-])", re.IGNORECASE)
