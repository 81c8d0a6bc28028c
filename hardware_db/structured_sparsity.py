"""Whether a GPU skips the zeros of a 2:4 pattern in its weights.

NVIDIA's do from the Ampere architecture on, the A100 first:
https://developer.nvidia.com/blog/structured-sparsity-in-the-nvidia-ampere-architecture-and-applications-in-search-engines
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .resolver import resolve_target
from .user_files import Directories

_NVIDIA = "nvidia-gpu"
_SKIP = re.compile(r"\b(?:Ampere|Ada|Hopper|Blackwell|(?:GA|AD|GH|GB)\d{3})\b")
"""Architectures and dies, as the names of GPUs have them: Ampere and those after it."""
_DO_NOT = re.compile(r"\b(?:Maxwell|Pascal|Volta|Turing|(?:GM|GP|GV|TU)\d{3})\b")


def skips_zeros(target: str, own: Directories | None = None) -> bool | None:
    """Whether one of its accelerators has a peak with 2:4 sparsity; None where nobody says."""
    units = resolve_target(target, own).accelerators
    if any(rate.sparse is not None for unit in units for rate in unit.peak.values()):
        return True
    names = [unit.name for unit in units if unit.family == _NVIDIA]
    return True if _any(_SKIP, names) else False if _any(_DO_NOT, names) else None


def _any(words: re.Pattern[str], names: Iterable[str]) -> bool:
    return any(words.search(name) for name in names)
