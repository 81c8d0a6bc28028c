"""What counters are called: one name for each, whoever printed it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("counters.toml")
_PMU = re.compile(r"^(?:cpu|cpu_core|cpu_atom|armv\d+_[a-z0-9_]+?)/([^/]+)/?$|^(.+?):[a-zA-Z]{1,6}$")
_MS = {"time_ms": ("time_ms", 1.0), "time_us": ("time_ms", 1e-3), "time_s": ("time_ms", 1e3),
       "energy_uj": ("energy_mj", 1e-3)}  # fmt: skip


@cache
def _spelled() -> Mapping[str, str]:
    tables = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {
        spelling: name
        for table in ("counters", "figures")
        for name, spellings in tables[table].items()
        for spelling in (name, *spellings)
    }


def known(title: str) -> str:
    """`L1-dcache-load-misses:u` is l1_misses; empty for what is no counter."""
    plain = title.strip()
    if (found := _PMU.match(plain)) is not None:
        plain = found[1] or found[2]
    folded = re.sub(r"[^a-z0-9]+", "_", plain.casefold()).strip("_")
    return _spelled().get(folded, "")


def in_base_units(counts: Mapping[str, float]) -> dict[str, float]:
    """Times in milliseconds and energies in millijoules, whatever they were given in."""
    found: dict[str, float] = {}
    for name, value in counts.items():
        base, factor = _MS.get(name, (name, 1.0))
        found[base] = value * factor
    return found
