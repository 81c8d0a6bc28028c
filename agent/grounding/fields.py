"""What the fields of a result measure, and which of them hold text of ours."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from .families import Family, Reading

_MEASURES: tuple[tuple[str, Family, float], ...] = (
    ("bytes_per_s", Family.BANDWIDTH, 1.0),
    ("gb_s", Family.BANDWIDTH, 1e9),
    ("bytes_per_cycle", Family.BYTES_PER_CYCLE, 1.0),
    ("macs_per_cycle", Family.MACS_PER_CYCLE, 1.0),
    ("ua_per_mhz", Family.CURRENT_PER_CLOCK, 1e-12),
    ("inferences_per_second", Family.RATE, 1.0),
    ("rate_hz", Family.RATE, 1.0),
    ("_mhz", Family.FREQUENCY, 1e6),
    ("_hz", Family.FREQUENCY, 1.0),
    ("_ms", Family.TIME, 1e-3),
    ("_us", Family.TIME, 1e-6),
    ("_s", Family.TIME, 1.0),
    ("bytes", Family.BYTES, 1.0),
    ("_uj", Family.ENERGY, 1e-6),
    ("_mj", Family.ENERGY, 1e-3),
    ("_mw", Family.POWER, 1e-3),
    ("_w", Family.POWER, 1.0),
    ("_ua", Family.CURRENT, 1e-6),
    ("_mah", Family.CHARGE, 1e-3),
    ("_days", Family.TIME, 86400.0),
    ("_v", Family.VOLTAGE, 1.0),
    ("_usd", Family.MONEY, 1.0),
    ("_db", Family.DECIBEL, 1.0),
    ("gops", Family.THROUGHPUT, 1e9),
    ("arithmetic_intensity", Family.INTENSITY, 1.0),
    ("ridge_point", Family.INTENSITY, 1.0),
    ("utilization", Family.RATIO, 1.0),
    ("share", Family.RATIO, 1.0),
    ("_ape", Family.RATIO, 1.0),
    ("within_10", Family.RATIO, 1.0),
    ("within_25", Family.RATIO, 1.0),
    ("coverage", Family.RATIO, 1.0),
    ("slower_by", Family.RATIO, 1.0),
    ("percent", Family.RATIO, 0.01),
    ("bound_shares", Family.RATIO, 1.0),
    ("gain", Family.RATIO, 1.0),
    ("ratio", Family.RATIO, 1.0),
    ("parameter_count", Family.PARAMETERS, 1.0),
    ("macs", Family.MACS, 1.0),
    ("cycles", Family.CYCLES, 1.0),
    ("threads", Family.PIECES, 1.0),
    ("op_count", Family.OPERATORS, 1.0),
    ("element_ops", Family.BARE, 1.0),
    ("_ops", Family.OPERATORS, 1.0),
    ("accelerated", Family.OPERATORS, 1.0),
    ("_layers", Family.OPERATORS, 1.0),
    ("index", Family.INDEX, 1.0),
    ("first_op", Family.INDEX, 1.0),
    ("last_op", Family.INDEX, 1.0),
    ("tensor", Family.INDEX, 1.0),
)
"""Endings of field names; the first that fits counts."""

_COMPUTED_TEXTS = (
    "statement", "reason", "remedy", "assumptions", "warnings", "suggestion", "change", "why_not",
    "stands_on", "hint", "message", "error", "history", "accuracy_risk", "technique", "holds", "planner",
    "memory_level", "target", "runtime", "processor", "region", "reasons", "origin", "power_origin",
    "missing", "commands", "told", "question", "fails", "advice", "packed_by", "facts", "cause", "check",
)  # fmt: skip
_DATABASE_TEXTS = (
    "id", "aliases", "families", "vendor", "runtimes", "notes", "note", "chosen_because", "title", "locator",
    "where", "version", "peak_includes", "cores", "accelerators", "largest_region", "figures", "source",
    "sources",
    "chosen", "others", "one", "other", "network", "device", "repository",
)  # fmt: skip
_OF_US = frozenset((*_COMPUTED_TEXTS, *_DATABASE_TEXTS))
OPERATOR_LISTS = frozenset(("layers", "ops", "timeline", "operators"))
NAMES_OF_OURS = frozenset(("target", "runtime", "processor", "id", "technique", "change"))
NOT_RESULTS = frozenset(("inputs", "arguments", "schema_version"))
"""What was asked for: it is known only where a tool repeats it in its result."""

PAIRS = (("before", "after"), ("bound", "demand"), ("size_bytes", "used_bytes"))
"""Two fields of one object whose ratio and difference may be told: the reference first."""


@lru_cache(maxsize=2048)
def measure_of(field: str) -> Reading | None:
    """What a field measures, from its name; None where the name does not tell."""
    name = field.casefold()
    for ending, family, factor in _MEASURES:
        if name == ending.lstrip("_") or name.endswith(ending):
            return Reading(family, factor)
    return None


def is_ours(field: str, around: Mapping[str, Any]) -> bool:
    """Whether a text is ours, computed or from the hardware database. The name of a model is its file's."""
    return field in _OF_US or (field == "name" and "sha256" not in around)


def untrusted_in(value: Any) -> set[str]:
    """Texts out of model files: where they stand inside a sentence of ours, they are no numbers."""
    found: set[str] = set()
    if isinstance(value, Mapping):
        for key, part in value.items():
            if isinstance(part, str) and _is_foreign(str(key), part, value):
                found |= {part, part.removeprefix("CUSTOM:")}
            found |= untrusted_in(part)
    elif isinstance(value, list | tuple):
        for part in value:
            found |= untrusted_in(part)
    return found


def _is_foreign(key: str, text: str, around: Mapping[str, Any]) -> bool:
    return key.endswith("_untrusted") or text.startswith("CUSTOM:") or (key == "name" and "sha256" in around)
