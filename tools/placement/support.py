"""Why an operator does not run, or cannot be said to.

A rule's docstring is the sentence that the user reads.
"""

from __future__ import annotations

from ..graph import DType
from ..graph.costs.classes import op_class
from ..graph.layer_table import OpClass
from . import kernel_limits as limits
from . import settings
from .op_context import Finding, KernelContext, KernelRule, Outcome, PlacementContext, Rule, listed

_MULTIPLYING = frozenset({
    OpClass.CONV, OpClass.POINTWISE, OpClass.DEPTHWISE, OpClass.DENSE, OpClass.TRANSPOSE_CONV,
    OpClass.MATMUL, OpClass.RECURRENT,
})  # fmt: skip
_SIZELESS = frozenset({DType.STRING, DType.VARIANT})
_TYPES = {dtype.value: dtype for dtype in DType}


def custom_operator(site: KernelContext) -> Finding | None:
    """A custom operator runs only where the runtime registers a kernel under its name."""
    if site.op.kind != "CUSTOM" or site.support is not None:
        return None
    known = sum(name.startswith("CUSTOM:") for name in site.runtime.operators)
    outcome = Outcome.REFUSED if site.runtime.complete else Outcome.UNKNOWN
    return Finding(outcome, f"{site.runtime.id} registers {known} custom operators, not this one")


def operator_refused(site: KernelContext) -> Finding | None:
    """A source says that the runtime does not take the operator."""
    found = site.runtime.refuses.get(site.op.label)
    return None if found is None or site.support is not None else Finding(Outcome.REFUSED, found.because)


def operator_registered(site: KernelContext) -> Finding | None:
    """The runtime has no kernel for the operator."""
    if site.support is not None or not site.runtime.complete:
        return None
    return Finding(Outcome.REFUSED, f"{site.op.kind} is not among what {site.runtime.id} registers")


def operator_known(site: KernelContext) -> Finding | None:
    """What was read of the runtime does not name the operator: it may run or not."""
    if site.support is not None:
        return None
    read = len(site.runtime.operators)
    return Finding(
        Outcome.UNKNOWN, f"{site.op.kind} is not among the {read} operators read of {site.runtime.id}"
    )


def version_registered(site: KernelContext) -> Finding | None:
    """The operator is of a newer version than the runtime registers."""
    highest = site.support.max_version if site.support else None
    if highest is None or site.op.version <= highest:
        return None
    return Finding(
        Outcome.REFUSED, f"it is of version {site.op.version}, the highest registered is {highest}"
    )


def sizes_fixed(site: KernelContext) -> Finding | None:
    """Strings and variants have no fixed size, so memory for them cannot be planned."""
    sizeless = {t.dtype.value for t in site.tensors if t.dtype in _SIZELESS}
    if not sizeless or not site.plans_ahead:
        return None
    return Finding(Outcome.REFUSED, f"it has a tensor of type {listed(sorted(sizeless))}")


def type_known(site: KernelContext) -> Finding | None:
    """What was read of the runtime names the operator, but not the types that its kernels take."""
    if site.support is None or site.support.dtypes or not site.at.inputs:
        return None
    return Finding(Outcome.UNKNOWN, f"input is {site.dtype}")


def type_supported(site: KernelContext) -> Finding | None:
    """The runtime has a kernel for the operator, but none for this type."""
    if site.support is None or not site.at.inputs or site.computed_as in site.support.dtypes:
        return None
    return Finding(Outcome.REFUSED, f"input is {site.dtype}, kernels exist for {listed(site.support.dtypes)}")


def weight_type_supported(site: KernelContext) -> Finding | None:
    """The runtime has no kernel that takes weights of this type with such an input."""
    weights = site.weights
    allowed = site.support.weight_dtypes.get(site.dtype) if site.support else None
    if allowed is None or weights is None or weights.dtype.value in allowed:
        return None
    return Finding(
        Outcome.REFUSED,
        f"weights are {weights.dtype.value}, with an input of {site.dtype} kernels take {listed(allowed)}",
    )


def weight_type_known(site: KernelContext) -> Finding | None:
    """What was read of the runtime does not tell whether weights may be of another type than the input."""
    weights = site.weights
    if site.runtime.complete or weights is None or not weights.is_constant:
        return None
    if weights.dtype.value == site.dtype or site.computed_as != site.dtype or not _multiplies(site):
        return None
    if site.support is None or site.dtype in site.support.weight_dtypes:
        return None
    return Finding(Outcome.UNKNOWN, f"weights are {weights.dtype.value}, input is {site.dtype}")


def weights_per_channel(site: KernelContext) -> Finding | None:
    """The kernel takes one scale for all weights, and these have one for each channel."""
    weights = site.weights
    if site.support is None or site.support.per_channel is not False or weights is None:
        return None
    if weights.quantization is None or not weights.quantization.per_channel:
        return None
    return Finding(Outcome.REFUSED, f"the weights have {len(weights.quantization.scales)} scales")


def bias_type_supported(site: KernelContext) -> Finding | None:
    """The runtime has no kernel that takes a bias of this type with such an input."""
    bias, allowed = site.bias, site.support.bias_dtypes.get(site.dtype) if site.support else None
    if allowed is None or bias is None or bias.dtype.value in allowed:
        return None
    text = f"the bias is {bias.dtype.value}, with an input of {site.dtype} kernels take {listed(allowed)}"
    return Finding(Outcome.REFUSED, text)


def output_type_supported(site: KernelContext) -> Finding | None:
    """The runtime has no kernel that turns this type of input into this type of output."""
    allowed = site.support.output_dtypes.get(site.dtype) if site.support else None
    made = site.at.outputs[0].dtype.value if site.at.outputs else None
    if allowed is None or made is None or made in allowed:
        return None
    return Finding(Outcome.REFUSED, f"output is {made}, from {site.dtype} kernels make {listed(allowed)}")


def rank_supported(site: KernelContext) -> Finding | None:
    """The input has more dimensions than the kernel takes."""
    highest = site.support.max_rank if site.support else None
    rank = max((len(t.shape) for t in site.at.inputs if t is not None), default=0)
    if highest is None or rank <= highest:
        return None
    return Finding(Outcome.REFUSED, f"an input has {rank} dimensions, the kernel takes {highest}")


def inputs_supported(site: KernelContext) -> Finding | None:
    """The operator has more inputs than the kernel takes."""
    most = site.support.max_inputs if site.support else None
    if most is None or len(site.at.inputs) <= most:
        return None
    return Finding(Outcome.REFUSED, f"it has {len(site.at.inputs)} inputs, the kernel takes {most}")


def constants_given(site: KernelContext) -> Finding | None:
    """The kernel needs to know an input before it runs, and the model computes that input."""
    for position in site.support.constant_inputs if site.support else ():
        tensor = site.at.inputs[position] if position < len(site.at.inputs) else None
        if tensor is not None and not tensor.is_constant and tensor.elements != 0:
            return Finding(Outcome.REFUSED, f"input {position} is not constant")
    return None


def weights_dense(site: KernelContext) -> Finding | None:
    """Weights are stored sparsely, which the runtime's kernels would read as if they were dense."""
    sparse = any(t is not None and t.sparsity is not None for t in site.at.inputs)
    return Finding(Outcome.REFUSED, "") if sparse and site.plans_ahead else None


def accelerator_computes(site: PlacementContext) -> Finding | None:
    """What was read of the accelerator does not tell that it computes numbers of this type."""
    accelerator, element = site.deployment.accelerator, site.element
    if accelerator is None or element is None:
        return None
    has = {_TYPES[t] for t in (*accelerator.macs_per_cycle, *accelerator.peak) if t in _TYPES}
    if not has or any(t.is_float == element.is_float for t in has) or not _multiplies(site):
        return None
    text = f"input is {site.dtype}, {accelerator.id} is known to compute {listed(sorted(has))}"
    return Finding(Outcome.UNKNOWN, text)


def shapes_known(site: KernelContext) -> Finding | None:
    """Memory is planned before the first inference, and a shape is known only during it."""
    if not site.plans_ahead:
        return None
    batched = any(-1 in t.shape[:1] for t in site.graph.inputs)
    for tensor in site.tensors:
        if -1 in (tensor.shape[1:] if batched else tensor.shape):
            shape = "x".join("?" if d < 0 else str(d) for d in tensor.shape)
            return Finding(Outcome.UNKNOWN, f"a tensor is {shape}")
    return None


OF_KERNELS: tuple[KernelRule, ...] = (
    operator_refused,
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
    constants_given,
    *limits.RULES,
    *settings.RULES,
    weights_dense,
)
OF_MEMORY: tuple[KernelRule, ...] = (shapes_known,)
RULES: tuple[Rule, ...] = (*OF_KERNELS, accelerator_computes, *OF_MEMORY)
"""In the order in which they are asked: the first that applies decides."""


def _multiplies(site: KernelContext) -> bool:
    return op_class(site.at) in _MULTIPLYING
