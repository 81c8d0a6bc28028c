"""Why an operator does not run, or cannot be said to.

A rule's docstring is the sentence that the user reads.
"""

from __future__ import annotations

from ...hardware_db import Planner
from ..graph import DType, ModelGraph
from ..graph.costs.classes import op_class
from ..graph.dtypes import UNSIZED_BY_MICRO
from ..graph.layer_table import OpClass
from ..graph.memoize import memoized
from ..graph.model import BEFORE, MISFIT
from . import kernel_limits as limits
from . import scales, settings
from .op_context import Finding, KernelContext, KernelRule, Outcome, PlacementContext, Rule, listed

_MULTIPLYING = frozenset({
    OpClass.CONV, OpClass.POINTWISE, OpClass.DEPTHWISE, OpClass.DENSE, OpClass.TRANSPOSE_CONV,
    OpClass.MATMUL, OpClass.RECURRENT,
})  # fmt: skip
_SIZELESS = frozenset({DType.STRING, DType.VARIANT})
_TYPES = {dtype.value: dtype for dtype in DType}


def file_opened(context: KernelContext) -> Finding | None:
    """The runtime does not open files of this version."""
    loads, stated = context.runtime.loads, context.graph.onnx_versions
    if loads is None or stated is None:
        return None
    highest = loads.ir_version, loads.opset
    for name, version, limit in zip(("IR version", "opset"), stated, highest, strict=True):
        if version > limit:
            text = f"the file is of {name} {version}, {context.runtime.id} opens up to {limit}"
            return Finding(Outcome.REFUSED, text)
    return None


def scales_placed(context: KernelContext) -> Finding | None:
    """The interpreter refuses scales along a dimension that the tensor does not have."""
    if context.runtime.planner is not Planner.LITERT_ARENA:
        return None
    for tensor in context.tensors:
        found, rank = tensor.quantization, len(tensor.shape)
        if found is not None and rank and not 0 <= found.axis < rank:
            text = f"a tensor of {rank} dimensions has its scales along dimension {found.axis}"
            return Finding(Outcome.REFUSED, text)
    return None


def node_registered(context: KernelContext) -> Finding | None:
    """The runtime has no kernel for the operator."""
    if context.runtime.loads is None or not context.op.origin:
        return None
    if context.op.origin == MISFIT:
        return Finding(Outcome.REFUSED, "the definition in ONNX takes other inputs")
    kind, _, version = context.op.origin.rpartition("-")
    if context.op.origin.endswith(BEFORE):
        text = "ONNX defines no such operator in the opset that the file states"
        registered = context.support is not None and (
            context.op.kind == "CUSTOM" or 1 in context.support.opsets
        )
        return None if registered else Finding(Outcome.REFUSED, text)
    if context.support is None:
        return Finding(Outcome.REFUSED, f"{kind} is not among what {context.runtime.id} registers")
    opsets = context.support.opsets
    if not opsets or int(version) in opsets:
        return None
    text = f"{kind} is as opset {version} defines it, kernels are registered for {listed(map(str, opsets))}"
    return Finding(Outcome.REFUSED, text)


def custom_operator(context: KernelContext) -> Finding | None:
    """A custom operator runs only where the runtime registers a kernel under its name."""
    if context.op.kind != "CUSTOM" or context.support is not None:
        return None
    known = sum(name.startswith("CUSTOM:") for name in context.runtime.operators)
    all_known = context.runtime.complete or context.runtime.loads is not None
    text = f"{context.runtime.id} registers {known} custom operators, not this one"
    return Finding(Outcome.REFUSED if all_known else Outcome.UNKNOWN, text)


def operator_refused(context: KernelContext) -> Finding | None:
    """A source says that the runtime does not take the operator."""
    found = context.runtime.refuses.get(context.op.label)
    return None if found is None or context.support is not None else Finding(Outcome.REFUSED, found.because)


def operator_registered(context: KernelContext) -> Finding | None:
    """The runtime has no kernel for the operator."""
    if context.support is not None or not context.runtime.complete:
        return None
    return Finding(Outcome.REFUSED, f"{context.op.kind} is not among what {context.runtime.id} registers")


def operator_known(context: KernelContext) -> Finding | None:
    """What was read of the runtime does not name the operator: it may run or not."""
    if context.support is not None:
        return None
    read = len(context.runtime.operators)
    return Finding(
        Outcome.UNKNOWN, f"{context.op.kind} is not among the {read} operators read of {context.runtime.id}"
    )


def version_registered(context: KernelContext) -> Finding | None:
    """The operator is of a newer version than the runtime registers."""
    highest = context.support.max_version if context.support else None
    if highest is None or context.op.version <= highest:
        return None
    return Finding(
        Outcome.REFUSED, f"it is of version {context.op.version}, the highest registered is {highest}"
    )


def sizes_fixed(context: KernelContext) -> Finding | None:
    """Strings and variants have no fixed size, so memory for them cannot be planned."""
    if not context.plans_ahead:
        return None
    sizeless = {t.dtype.value for t in context.tensors if t.dtype in _SIZELESS}
    if sizeless:
        return Finding(Outcome.REFUSED, f"it has a tensor of type {listed(sorted(sizeless))}")
    if context.runtime.planner is not Planner.TFLM_GREEDY:
        return None
    graph = context.graph
    elsewhere = memoized(graph, "types without size", None, lambda: _unsized(graph))
    if not elsewhere:
        return None
    text = f"the interpreter refuses a model with a tensor of type {listed(elsewhere)}"
    return Finding(Outcome.REFUSED, text)


def _unsized(graph: ModelGraph) -> list[str]:
    return sorted({t.dtype.value for s in graph.subgraphs for t in s.tensors if t.dtype in UNSIZED_BY_MICRO})


def type_known(context: KernelContext) -> Finding | None:
    """What was read of the runtime names the operator, but not the types that its kernels take."""
    if context.support is None or context.support.dtypes or not context.at.inputs:
        return None
    return Finding(Outcome.UNKNOWN, f"input is {context.dtype}")


def type_supported(context: KernelContext) -> Finding | None:
    """The runtime has a kernel for the operator, but none for this type."""
    if context.support is None or not context.at.inputs or context.computed_as in context.support.dtypes:
        return None
    return Finding(
        Outcome.REFUSED, f"input is {context.dtype}, kernels exist for {listed(context.support.dtypes)}"
    )


def weight_type_supported(context: KernelContext) -> Finding | None:
    """The runtime has no kernel that takes weights of this type with such an input."""
    weights = context.weights
    allowed = context.support.weight_dtypes.get(context.dtype) if context.support else None
    if allowed is None or weights is None or weights.dtype.value in allowed:
        return None
    return Finding(
        Outcome.REFUSED,
        f"weights are {weights.dtype.value}, with an input of {context.dtype} kernels take {listed(allowed)}",
    )


def weight_type_known(context: KernelContext) -> Finding | None:
    """What was read of the runtime does not tell whether weights may be of another type than the input."""
    weights = context.weights
    listed_by_node = context.runtime.loads is not None and context.op.origin
    if context.runtime.complete or listed_by_node or weights is None or not weights.is_constant:
        return None
    if (
        weights.dtype.value == context.dtype
        or context.computed_as != context.dtype
        or not _multiplies(context)
    ):
        return None
    if context.support is None or context.dtype in context.support.weight_dtypes:
        return None
    return Finding(Outcome.UNKNOWN, f"weights are {weights.dtype.value}, input is {context.dtype}")


def weights_per_channel(context: KernelContext) -> Finding | None:
    """The kernel takes one scale for all weights, and these have one for each channel."""
    weights = context.weights
    if context.support is None or context.support.per_channel is not False or weights is None:
        return None
    if weights.quantization is None or not weights.quantization.per_channel:
        return None
    return Finding(Outcome.REFUSED, f"the weights have {len(weights.quantization.scales)} scales")


def bias_type_supported(context: KernelContext) -> Finding | None:
    """The runtime has no kernel that takes a bias of this type with such an input."""
    bias, allowed = context.bias, context.support.bias_dtypes.get(context.dtype) if context.support else None
    if allowed is None or bias is None or bias.dtype.value in allowed:
        return None
    text = f"the bias is {bias.dtype.value}, with an input of {context.dtype} kernels take {listed(allowed)}"
    return Finding(Outcome.REFUSED, text)


def output_type_supported(context: KernelContext) -> Finding | None:
    """The runtime has no kernel that turns this type of input into this type of output."""
    allowed = context.support.output_dtypes.get(context.dtype) if context.support else None
    made = context.at.outputs[0].dtype.value if context.at.outputs else None
    if allowed is None or made is None or made in allowed:
        return None
    return Finding(Outcome.REFUSED, f"output is {made}, from {context.dtype} kernels make {listed(allowed)}")


def rank_supported(context: KernelContext) -> Finding | None:
    """The input has more dimensions than the kernel takes."""
    highest = context.support.max_rank if context.support else None
    rank = max((len(t.shape) for t in context.at.inputs if t is not None), default=0)
    if highest is None or rank <= highest:
        return None
    return Finding(Outcome.REFUSED, f"an input has {rank} dimensions, the kernel takes {highest}")


def inputs_supported(context: KernelContext) -> Finding | None:
    """The operator has more inputs than the kernel takes."""
    most = context.support.max_inputs if context.support else None
    if most is None or len(context.at.inputs) <= most:
        return None
    return Finding(Outcome.REFUSED, f"it has {len(context.at.inputs)} inputs, the kernel takes {most}")


def inputs_given(context: KernelContext) -> Finding | None:
    """The kernel needs an input that the operator leaves out."""
    least = context.support.least_inputs if context.support else None
    present = [tensor is not None for tensor in context.at.inputs[:least]]
    if least is None or context.graph.format != "tflite" or (len(present) == least and all(present)):
        return None
    absent = present.index(False) if False in present else len(present)
    return Finding(Outcome.REFUSED, f"input {absent} is absent")


def constants_given(context: KernelContext) -> Finding | None:
    """The kernel needs to know an input before it runs, and the model computes that input."""
    for position in context.support.constant_inputs if context.support else ():
        tensor = context.at.inputs[position] if position < len(context.at.inputs) else None
        if tensor is not None and not tensor.is_constant and tensor.elements != 0:
            return Finding(Outcome.REFUSED, f"input {position} is not constant")
    return None


def weights_dense(context: KernelContext) -> Finding | None:
    """Weights are stored sparsely, which the runtime's kernels would read as if they were dense."""
    sparse = any(t is not None and t.sparsity is not None for t in context.at.inputs)
    return Finding(Outcome.REFUSED, "") if sparse and context.plans_ahead else None


def accelerator_computes(context: PlacementContext) -> Finding | None:
    """What was read of the accelerator does not tell that it computes numbers of this type."""
    accelerator, element = context.deployment.accelerator, context.element
    if accelerator is None or element is None:
        return None
    has = {_TYPES[t] for t in (*accelerator.macs_per_cycle, *accelerator.peak) if t in _TYPES}
    if not has or any(t.is_float == element.is_float for t in has) or not _multiplies(context):
        return None
    text = f"input is {context.dtype}, {accelerator.id} is known to compute {listed(sorted(has))}"
    return Finding(Outcome.UNKNOWN, text)


def shapes_known(context: KernelContext) -> Finding | None:
    """Memory is planned before the first inference, and a shape is known only during it."""
    if not context.plans_ahead:
        return None
    batched = any(-1 in t.shape[:1] for t in context.graph.inputs)
    for tensor in context.tensors:
        if -1 in (tensor.shape[1:] if batched else tensor.shape):
            shape = "x".join("?" if d < 0 else str(d) for d in tensor.shape)
            return Finding(Outcome.UNKNOWN, f"a tensor is {shape}")
    return None


OF_KERNELS: tuple[KernelRule, ...] = (
    file_opened,
    scales_placed,
    operator_refused,
    node_registered,
    custom_operator,
    operator_registered,
    operator_known,
    version_registered,
    sizes_fixed,
    type_known,
    type_supported,
    weight_type_supported,
    weight_type_known,
    weights_per_channel,
    bias_type_supported,
    output_type_supported,
    rank_supported,
    inputs_supported,
    inputs_given,
    constants_given,
    *limits.RULES,
    *settings.RULES,
    *scales.RULES,
    weights_dense,
)
OF_MEMORY: tuple[KernelRule, ...] = (shapes_known,)
RULES: tuple[Rule, ...] = (*OF_KERNELS, accelerator_computes, *OF_MEMORY)
"""In the order in which they are asked: the first that applies decides."""


def _multiplies(context: KernelContext) -> bool:
    return op_class(context.at) in _MULTIPLYING
