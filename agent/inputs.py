"""`tool` and `inputs` of a JSON document: the function's arguments, and the names that scripts know.

In 0.1.0 each command wrote inputs of its own, mostly as they were typed. They stay beside the arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..tools import Limits
from .runs import limits_of
from .workspace import Workspace

TOOL_NAMES = {"parse_model": "inspect"}
"""Function → what `tool` says, where scripts know it by another name."""

_CEILINGS = ("max_latency", "max_ram", "max_flash", "max_energy", "max_power", "max_price", "reserve")
_AS_TYPED = {
    "best_memory_order": ("output",),
    "check_constraints": _CEILINGS,
    "firmware_code": ("output",),
    "import_profile": ("trace",),
    "list_targets": ("class",),
    "profile_on_host": ("model",),
    "sweep_frequency": ("max_latency", "max_power", "clocks"),
    "trace_timeline": ("output",),
    "validate": ("class",),
    "write_report": _CEILINGS,
}
"""Function → options that stand in `inputs` by their own names, as they were typed."""
_WITH_LIMITS = ("simulate_optimizations", "find_limit", "recommend_hardware", "recommend_model")
_WITH_WEIGHTS = ("score_compatibility", "recommend_hardware")


def document_inputs(function: str, given: Mapping[str, Any], typed: Mapping[str, Any]) -> dict[str, Any]:
    """What a script reads of a call; `given` are its arguments, `typed` the options by their own names."""
    names = {name: typed.get(name) for name in _AS_TYPED.get(function, ())}
    if function in ("check_constraints", "write_report"):
        names["max_rate"] = typed.get("min_rate")
    if function == "write_report":  # of one deployment once
        names |= {"target": given["targets"][0], "batch": (given.get("batches") or [1])[0]}
    if function == "compare_deployments":
        names |= {name: typed.get(f"max_{name}") for name in ("latency", "ram", "energy", "power")}
    if function in _WITH_LIMITS:
        limits: Limits = limits_of(given, Workspace())
        names["limits"] = limits.model_dump(mode="json", exclude_defaults=True)
    if function in _WITH_WEIGHTS:
        names["weights"] = given.get("weights", {})
    return {
        name: str(value) if isinstance(value, Path) else value for name, value in {**names, **given}.items()
    }
