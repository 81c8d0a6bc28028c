"""Files with measured traces that a question names, and what ran when they were logged."""

from __future__ import annotations

import re
from collections.abc import Sequence

_TRACE = re.compile(r"(?<![\w.@~+/\\-])[\w.@~+/\\-]*\w\.(?:csv|log|txt|json|prof|tsv)\b", re.IGNORECASE)
_REFERENCE = "tflm-reference"


def traces_named(question: str) -> list[str]:
    """In the order of the question, each once."""
    return list(dict.fromkeys(match[0] for match in _TRACE.finditer(question)))


def runtimes_of_trace(question: str, runtimes: Sequence[str]) -> tuple[str, ...]:
    """A profiler of TFLM is no word for TFLM's reference kernels."""
    if "reference" in question.casefold():
        return tuple(runtimes)
    return tuple(runtime for runtime in runtimes if runtime != _REFERENCE)
