"""What is taken of a language model and its place where nobody says otherwise."""

from __future__ import annotations

from ..model_zoo.weight_format import Format, usual_formats

FEWEST_BITS = 4.0
"""Narrower formats come last or by name: "high quality loss" stands beside them in llama.cpp's list."""
USUAL = "Q4_K_M"
"""What most people take, and programs download, where nobody names a format."""
USUAL_DRAFT = "usual"
"""In place of a name: a small model of the same family and vocabulary, which writes ahead."""
MOST_CARDS = 1_000_000
YOURS = "say how much yours has"


def usual_of(runtime: str) -> tuple[Format, ...]:
    """An engine's usual formats, the widest first; those of llama.cpp where it has none."""
    return usual_formats(runtime) or usual_formats("llama.cpp")


def small_caches(runtime: str) -> tuple[str, ...]:
    """Formats of the cache below 16 bits that an engine takes, the wider first, which costs less quality."""
    return _SMALL_CACHES.get(runtime, ("q8_0", "q4_0"))


_SMALL_CACHES = {"vllm": ("fp8",), "tensorrt-llm": ("fp8",)}
