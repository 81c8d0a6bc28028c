"""An operator where it is to run: its tensors, its type, and what the runtime says of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Self

from ...hardware_db import OpSupport, Planner, Runtime
from ..core.deployment import Deployment
from ..core.records import dataclass, replace
from ..graph import DType, ModelGraph, Op, OptionValue, Subgraph, Tensor
from ..graph.costs.classes import arithmetic_dtype
from ..graph.costs.work import OpContext
from ..graph.memoize import memoized
from ..graph.model import MISFIT, UNDEFINED

_CALLS = "subgraph"
_BIAS_AT = {"CONV_2D": 2, "DEPTHWISE_CONV_2D": 2, "FULLY_CONNECTED": 2, "TRANSPOSE_CONV": 3}
_READS_SHAPES = frozenset({"SHAPE", "RANK"})


class Outcome(StrEnum):
    """What a rule says of an operator; the first that says anything decides."""

    REFUSED = "refused"
    UNKNOWN = "unknown"
    SLOW = "slow"
    FAST = "fast"


@dataclass(frozen=True)
class Finding:
    outcome: Outcome
    evidence: str = ""
    """What of this operator and this runtime makes the rule apply."""


@dataclass(frozen=True)
class KernelContext:
    """An operator and what a runtime has for it, on whatever machine."""

    at: OpContext
    dtype: str
    """Type of the first data input; of the output where the operator has no input."""
    support: OpSupport | None
    runtime: Runtime
    graph: ModelGraph
    folded: bool
    """Whether the runtime computes it ahead, so that it never runs on the device."""

    @property
    def op(self) -> Op:
        return self.at.op

    @property
    def computed_as(self) -> str:
        """The type that it is computed in: its own, or a wider one where the runtime mixes types."""
        kernels = self.support.dtypes if self.support else ()
        wider = self.runtime.wider.instead.get(self.dtype, ()) if self.runtime.wider else ()
        return next((name for name in (self.dtype, *wider) if name in kernels), self.dtype)

    @property
    def element(self) -> DType | None:
        """The type by name; None for an operator without tensors."""
        return DType(self.dtype) if self.dtype else None

    @property
    def weights(self) -> Tensor | None:
        """The second operand that is there: weights, where the operator has any."""
        return next((tensor for tensor in self.at.inputs[1:] if tensor is not None), None)

    @property
    def bias(self) -> Tensor | None:
        """What is added to each output channel, where the operator has it."""
        position = _BIAS_AT.get(self.op.kind, -1)
        return self.at.inputs[position] if 0 <= position < len(self.at.inputs) else None

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return (*[t for t in self.at.inputs if t is not None], *self.at.outputs)

    @property
    def plans_ahead(self) -> bool:
        """Whether all memory is planned before the first inference."""
        return self.runtime.planner in {Planner.TFLM_GREEDY, Planner.IN_PLACE}


@dataclass(frozen=True)
class PlacementContext(KernelContext):
    """The same on a deployment."""

    deployment: Deployment
    chain: tuple[int, ...] = (0,)
    """Subgraphs from the main one to that which holds the operator."""

    @classmethod
    def on(cls, context: KernelContext, deployment: Deployment, chain: tuple[int, ...]) -> Self:
        return cls(
            context.at,
            context.dtype,
            context.support,
            context.runtime,
            context.graph,
            context.folded,
            deployment,
            chain,
        )

    def under(self, deployment: Deployment) -> Self:
        """The same operator on another deployment."""
        support = kernels_of(self.op, deployment.runtime)
        return replace(self, deployment=deployment, runtime=deployment.runtime, support=support)


Rule = Callable[[PlacementContext], Finding | None]
"""Says something of an operator, or nothing; its docstring is the sentence that the user reads."""
KernelRule = Callable[[KernelContext], Finding | None]
"""A rule that reads the runtime's kernels alone: it is asked once for all machines that they run on."""


def kernel_contexts(graph: ModelGraph, subgraph: int, runtime: Runtime) -> tuple[KernelContext, ...]:
    """The operators of a subgraph under a runtime."""
    holder = graph.subgraphs[subgraph]
    ahead = foldable(holder) if runtime.folds_constants else frozenset[int]()
    ops = memoized(graph, "operator contexts", subgraph, lambda: _typed(holder))
    return tuple(
        [
            KernelContext(at, dtype, kernels_of(at.op, runtime), runtime, graph, at.op.index in ahead)
            for at, dtype in ops
        ]
    )


def kernels_of(op: Op, runtime: Runtime) -> OpSupport | None:
    """What a runtime has for an operator; one that runs ONNX files has it for the node that the file holds.

    The node tells what runs, TFLite's name how fast.
    """
    named = runtime.operators.get(op.label)
    if runtime.loads is None or not op.origin or op.origin in {UNDEFINED, MISFIT}:
        return named
    node = runtime.operators.get(f"CUSTOM:{op.origin.partition('-')[0]}")
    if node is None or named is None or node.optimized == named.optimized:
        return node
    return node.model_copy(update={"optimized": tuple([t for t in named.optimized if t in node.dtypes])})


def _typed(subgraph: Subgraph) -> list[tuple[OpContext, str]]:
    contexts = [OpContext.of(op, subgraph) for op in subgraph.ops]
    return [(at, arithmetic_dtype(at)) for at in contexts]


def foldable(subgraph: Subgraph) -> frozenset[int]:
    """Operators whose result follows from constants and from shapes that are fixed."""
    tensors = subgraph.tensors
    known = {t.index for t in tensors if t.is_constant}
    folded = []
    for op in subgraph.ops:
        inputs = [i for i in op.inputs if i >= 0]
        shape_alone = op.kind in _READS_SHAPES and all(-1 not in tensors[i].shape[1:] for i in inputs)
        if inputs and (shape_alone or known.issuperset(inputs)):
            folded.append(op.index)
            known.update(op.outputs)
    return frozenset(folded)


def called_subgraphs(op: Op) -> tuple[int, ...]:
    """Subgraphs that a control operator runs."""
    return tuple(v for name, value in op.options.items() if _CALLS in name for v in _integers(value))


def listed(names: Iterable[str]) -> str:
    """`a, b and c`."""
    *most, last = [*names] or ["none"]
    return f"{', '.join(most)} and {last}" if most else last


def _integers(value: OptionValue) -> tuple[int, ...]:
    return (value,) if isinstance(value, int) and not isinstance(value, bool) else ()
