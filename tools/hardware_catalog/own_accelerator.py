"""An accelerator of the user's own: what it computes in a cycle, and the operators that it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ...hardware_db import Target, load_runtime
from ...hardware_db.errors import UsageError, nearest
from ..core.records import dataclass

DTYPE = "int8"
KNOWN_OPERATORS = "tflm-reference"
"""Whose list of operators is the whole of TFLite Micro's."""


@dataclass(frozen=True)
class OwnAccelerator:
    operators: tuple[str, ...]
    """That it takes, as TFLite names them: CONV_2D, FULLY_CONNECTED."""
    macs_per_cycle: float
    """In int8."""
    clock_mhz: float | None = None
    """None: that of the first core."""


def accelerator_entry(
    own: OwnAccelerator, name: str, base: Target, leaf: Mapping[str, object]
) -> dict[str, object]:
    """For the target's file.

    Args:
        name: of the target.
        leaf: source and locator of a figure.
    """
    clock = base.cores[0].clock_max_mhz.value if own.clock_mhz is None else own.clock_mhz
    return {
        "id": runtime_name(name),
        "name": f"accelerator of {name}",
        "kind": "npu",
        "family": _family(name),
        "clock_max_mhz": {"value": clock, "unit": "MHz", **leaf},
        "macs_per_cycle": {DTYPE: {"value": own.macs_per_cycle, "unit": "MAC/cycle", **leaf}},
    }


def runtime_entry(
    own: OwnAccelerator,
    name: str,
    base: Target,
    leaf: Mapping[str, object],
    where: tuple[Path, ...],
) -> dict[str, object]:
    """The file of what drives it: the operators that it takes, the core's usual kernels for the others.

    Args:
        where: the user's own hardware directories.

    Raises:
        UsageError: an operator that there is not, or no kernels of the core that could take the others.
    """
    isas = {core.isa.value for core in base.cores}
    known = (load_runtime(each, where) for each in base.runtimes)
    usual = next((each for each in known if isas.intersection(each.runs_on_isas)), None)
    if usual is None:
        raise UsageError(
            f"No kernels for the cores of {base.id} are known.", hint="Write the runtime's file."
        )
    kinds = _kinds(own.operators)
    return {
        "id": runtime_name(name),
        "name": f"accelerator of {name}",
        "vendor": "own",
        "planner": usual.planner.value,
        "usual_dtype": {"value": DTYPE, "unit": "1", **leaf},
        "runs_on_accelerators": [_family(name)],
        "fallback": "cpu",
        "fallback_runtimes": [usual.id],
        "operators": {kind: {"dtypes": [DTYPE], "optimized": [DTYPE], **leaf} for kind in kinds},
    }


def runtime_name(name: str) -> str:
    return f"{name}-accelerator"


def _family(name: str) -> str:
    return runtime_name(name).replace(".", "-")


def _kinds(names: Sequence[str]) -> list[str]:
    known = load_runtime(KNOWN_OPERATORS).operators
    kinds = []
    for name in names:
        kind = name.strip().upper().replace("-", "_")
        if kind not in known:
            close = nearest(kind.casefold(), map(str.casefold, known))
            raise UsageError(
                f"{name!r} is no operator of TFLite Micro.", hint=f"Nearest: {', '.join(close).upper()}."
            )
        kinds.append(kind)
    return kinds
