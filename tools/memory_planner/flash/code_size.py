"""Flash that interpreter and kernels take: what a program needs, and what each need was fitted to.

The code of a program is that of its runtime, one kernel for each kind of operator, and what a compiler writes
for every operator and every quantised channel. An interpreter links a kernel in all its types, because
`Register_CONV_2D` names them all (tflite-micro tensorflow/lite/micro/kernels/conv.cc); a compiler links the
one that is called, so that there the type is part of the kind.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from ....hardware_db.coefficients.flash import CodeEvidence, FlashFit, load_flash_fit
from ...core.quantity import Basis, Quantity
from ...core.records import dataclass
from ...graph import ModelGraph
from ...graph.memoize import memoized
from .code_family import Build, Family

KIB = 1024.0
CHANNELS = 100.0
"""Quantised channels that a figure of theirs is for."""
_CONVOLUTIONS = {"CONV_2D": 0, "TRANSPOSE_CONV": 0, "DEPTHWISE_CONV_2D": -1}
"""Operator → dimension of its weights that counts output channels."""
_WRITTEN = ("operators", "channels")
"""Needs of what a compiler writes for each model; all others are linked once."""


class Tier(StrEnum):
    """Nearest programs of which the code size was measured."""

    TARGET = "target"
    ISA = "isa"
    RUNTIME = "runtime"
    FAMILY = "family"


@dataclass(frozen=True)
class Need:
    """Something that has to be linked in."""

    what: str
    path: tuple[str, ...]
    """Nodes of the fit that it may be read from, the most general first."""
    count: float = 1.0


@dataclass(frozen=True)
class CodeSize:
    size: Quantity
    parts: tuple[tuple[str, float], ...]
    """What → bytes. Kernels that only occur together share their size by the fit's choice."""
    tier: Tier
    unmeasured: tuple[str, ...]
    """Kinds of operators whose kernel was not measured in this runtime."""
    evidence: CodeEvidence
    """Of the nearest programs."""


def code_needs(graph: ModelGraph, build: Build) -> tuple[Need, ...]:
    family, runtime, isa, target = build.places
    bases = tuple(f"base:{place}" for place in (family, runtime, isa, target))
    kernels = [_kernel(kind, build, graph) for kind in kinds_of(graph)]
    if build.family is Family.INTERPRETER:
        return Need("runtime", bases), *kernels
    operators = sum(len(sub.ops) for sub in graph.subgraphs)
    written = (
        Need("operators", (f"op:{family}", f"op:{runtime}"), operators),
        Need("channels", (f"channel:{family}", f"channel:{runtime}"), quantised_channels(graph) / CHANNELS),
    )
    return Need("runtime", bases), *kernels, *written


def kinds_of(graph: ModelGraph) -> list[str]:
    return sorted({op.kind for sub in graph.subgraphs for op in sub.ops})


def _kernel(kind: str, build: Build, graph: ModelGraph) -> Need:
    family, runtime = build.places[:2]
    path = ["kernel:*", f"kernel:{kind}", f"kernel:{family}/{kind}", f"kernel:{runtime}/{kind}"]
    if build.family is Family.COMPILER:
        path.append(f"kernel:{runtime}/{kind}/{'float' if graph.dtype.is_float else 'integer'}")
    return Need(f"kernel {kind}", tuple(path))


def quantised_channels(graph: ModelGraph) -> int:
    """Output channels of convolutions with integer weights: a scale and more is kept of each."""
    return memoized(graph, "quantised channels", None, lambda: _quantised_channels(graph))


def _quantised_channels(graph: ModelGraph) -> int:
    found = 0
    for sub in graph.subgraphs:
        for op in sub.ops:
            if op.kind not in _CONVOLUTIONS or len(op.inputs) < 2 or op.inputs[1] < 0:
                continue
            weights = sub.tensors[op.inputs[1]]
            if weights.is_constant and weights.shape and not weights.dtype.is_float:
                found += max(0, weights.shape[_CONVOLUTIONS[op.kind]])
    return found


def fitted_kib(need: Need, nodes: Mapping[str, float]) -> float:
    """By the most special node that was fitted."""
    return need.count * next((nodes[name] for name in reversed(need.path) if name in nodes), 0.0)


def tier_of(build: Build, nodes: Iterable[str]) -> Tier | None:
    """None where nothing of the family was measured."""
    for tier, place in zip(reversed(_TIERS), reversed(build.places), strict=True):
        if f"base:{place}" in nodes:
            return tier
    return None


_TIERS = (Tier.FAMILY, Tier.RUNTIME, Tier.ISA, Tier.TARGET)


def unmeasured_kinds(kinds: Iterable[str], build: Build, nodes: Iterable[str]) -> dict[str, bool]:
    """Kinds whose kernel was not measured in the runtime → whether kin has it.

    Of a runtime without any measurement, those that kin has not got either."""
    family, runtime = build.places[:2]
    known = f"base:{runtime}" in nodes
    missing = {
        kind: f"kernel:{family}/{kind}" in nodes for kind in kinds if f"kernel:{runtime}/{kind}" not in nodes
    }
    return missing if known else {kind: False for kind, kin in missing.items() if not kin}


def code_size(graph: ModelGraph, build: Build, fit: FlashFit | None = None) -> CodeSize | None:
    """Interpreter or compiled program without the model; None where nothing like it was measured."""
    return shared_code_size((graph,), build, fit)


def shared_code_size(
    graphs: Sequence[ModelGraph], build: Build, fit: FlashFit | None = None
) -> CodeSize | None:
    """One program that runs several models: runtime and kernels are linked once."""
    fit = load_flash_fit() if fit is None else fit
    tier = tier_of(build, fit.nodes)
    if tier is None:
        return None
    parts: dict[tuple[str, tuple[str, ...]], float] = {}
    for need in (need for graph in graphs for need in code_needs(graph, build)):
        key, size = (need.what, need.path), fitted_kib(need, fit.nodes) * KIB
        parts[key] = parts.get(key, 0.0) + size if need.what in _WRITTEN else size
    kinds = sorted({kind for graph in graphs for kind in kinds_of(graph)})
    missing, whole = unmeasured_kinds(kinds, build, fit.nodes), sum(parts.values())
    low, high = interval(whole, build, tier, missing.values(), fit)
    return CodeSize(
        size=Quantity(value=whole, low=low, high=high, unit="B", basis=Basis.FITTED),
        parts=tuple((what, size) for (what, _), size in parts.items() if size),
        tier=tier,
        unmeasured=tuple(missing),
        evidence=fit.evidence[f"base:{build.places[_TIERS.index(tier)]}"],
    )


def interval(
    code: float, build: Build, tier: Tier, missing: Iterable[bool], fit: FlashFit
) -> tuple[float, float]:
    """Ends of the 90 % interval, in bytes: errors of the runtime and of kernels not measured, independent."""
    below, above = factors_of(build, tier, fit)
    spread = [fit.unmeasured_kib[f"{build.family}/{'kin' if kin else 'none'}"] * KIB for kin in missing]
    apart = math.hypot(*spread)
    low = code - math.hypot(code * (1 - below), apart)
    return max(0.0, low), code + math.hypot(code * (above - 1), apart)


def factors_of(build: Build, tier: Tier, fit: FlashFit) -> tuple[float, float]:
    own = f"{tier}/{build.family if tier is Tier.FAMILY else build.runtime}"
    return fit.factors.get(own) or fit.factors[tier.value]
