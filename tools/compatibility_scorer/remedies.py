"""What would make an operator run, or run well: named only where this runtime is known to allow it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...hardware_db import load_runtime
from ...hardware_db.derived import accelerator_for
from ...hardware_db.errors import EdgewrightError
from ..graph.costs.classes import op_class
from ..graph.layer_table import OpClass
from . import speed, support
from .site import OpSite, Rule

_SUBSTITUTES: dict[str, tuple[tuple[tuple[str, ...], str], ...]] = {
    "BIDIRECTIONAL_SEQUENCE_LSTM": (
        (("UNIDIRECTIONAL_SEQUENCE_LSTM",), "replace it by UNIDIRECTIONAL_SEQUENCE_LSTM and retrain"),
    ),
    "ELU": ((("RELU",), "replace it by RELU and retrain"),),
    "GELU": ((("RELU",), "replace it by RELU and retrain"),),
    "HARD_SWISH": (
        (("RELU6",), "replace it by RELU6 and retrain"),
        (("ADD", "RELU6", "MUL"), "write it as ADD, RELU6 and MUL, which compute the same"),
    ),
    "LOCAL_RESPONSE_NORMALIZATION": ((("L2_NORMALIZATION",), "replace it by L2_NORMALIZATION and retrain"),),
    "MIRROR_PAD": ((("PAD",), "replace it by PAD and retrain"),),
    "NEG": ((("MUL",), "replace it by MUL with -1, which computes the same"),),
    "PRELU": ((("LEAKY_RELU",), "replace it by LEAKY_RELU and retrain"),),
    "RELU_0_TO_1": ((("RELU6",), "replace it by RELU6 and retrain"),),
    "RELU_N1_TO_1": (
        (("MAXIMUM", "MINIMUM"), "write it as MAXIMUM and MINIMUM, which compute the same"),
        (("TANH",), "replace it by TANH and retrain"),
    ),
    "RESIZE_BILINEAR": ((("RESIZE_NEAREST_NEIGHBOR",), "replace it by RESIZE_NEAREST_NEIGHBOR and retrain"),),
    "SELECT": ((("SELECT_V2",), "replace it by SELECT_V2, which computes the same"),),
    "SQUARE": ((("MUL",), "replace it by MUL with itself, which computes the same"),),
    "SQUARED_DIFFERENCE": ((("SUB", "MUL"), "write it as SUB and MUL, which compute the same"),),
    "TILE": ((("CONCATENATION",), "replace it by CONCATENATION of copies, which computes the same"),),
    "UNIDIRECTIONAL_SEQUENCE_RNN": (
        (("UNIDIRECTIONAL_SEQUENCE_LSTM",), "replace it by UNIDIRECTIONAL_SEQUENCE_LSTM and retrain"),
    ),
}
"""What can stand in for an operator: given only where the runtime has every kernel for the same type."""
_NO_ARITHMETIC = frozenset({OpClass.VIEW, OpClass.MOVE, OpClass.CONTROL})
_BETTER_TYPES = ("int8", "int16", "float32")


def remedy(site: OpSite, rule: Rule) -> str:
    """What to change so that `rule` no longer refuses; empty where nothing is known to help."""
    advice = [give(site) for give in _ADVICE.get(rule, ())]
    return "; or ".join(text for text in (*advice, _other_runtime(site)) if text)


def faster(site: OpSite) -> str:
    """The type or the other runtime with a kernel written for the processor; empty where there is none."""
    written = site.support.optimized if site.support else ()
    better = next((t for t in _BETTER_TYPES if t in written and t != site.dtype), None)
    if better:
        return f"compute in {better}"
    if not site.at.inputs or op_class(site.at) in _NO_ARITHMETIC:
        return ""
    for moved in _elsewhere(site):
        if speed.runs_as_written(moved):
            return f"use {moved.runtime.id}, which has a kernel written for the processor"
    return ""


def _substitute(site: OpSite) -> str:
    operators = site.runtime.operators
    for names, advice in _SUBSTITUTES.get(site.op.kind, ()):
        if all(name in operators and site.dtype in operators[name].dtypes for name in names):
            return advice
    return ""


def _type(site: OpSite) -> str:
    taken = site.support.dtypes if site.support else ()
    better = next((t for t in _BETTER_TYPES if t in taken and t != site.dtype), None)
    return f"convert the model to {better}" if better else ""


def _weights(site: OpSite) -> str:
    allowed = site.support.weight_dtypes if site.support else {}
    stored = site.weights.dtype.value if site.weights else ""
    if site.dtype == "float32" and stored in allowed.get("int8", ()):
        return "quantise the activations to int8 too (full-integer quantisation)"
    taken = allowed.get(site.dtype, ())
    return f"keep the weights in {taken[0]}" if taken else ""


def _custom(site: OpSite) -> str:
    if (site.op.custom_code_untrusted or "").startswith("Flex"):
        return "convert without TensorFlow's own operators (SELECT_TF_OPS)"
    return "write a kernel and register it under the operator's name"


def _other_runtime(site: OpSite) -> str:
    """The first other runtime of the target to which no rule objects."""
    moved = next(iter(_elsewhere(site)), None)
    return f"use {moved.runtime.id}, which has a kernel for it" if moved else ""


def _elsewhere(site: OpSite) -> Iterator[OpSite]:
    """The operator on each other runtime of the target that it runs on."""
    for name in site.where.target.runtimes:
        moved = _moved(site, name) if name != site.runtime.id else None
        if moved is not None and not any(rule(moved) for rule in support.RULES):
            yield moved


def _moved(site: OpSite, name: str) -> OpSite | None:
    try:
        runtime = load_runtime(name)
    except EdgewrightError:
        return None
    driven = accelerator_for(site.where.target, runtime)
    return site.under(site.where.model_copy(update={"runtime": runtime, "accelerator": driven}))


def _always(advice: str) -> Callable[[OpSite], str]:
    return lambda _: advice


_ADVICE: dict[Rule, tuple[Callable[[OpSite], str], ...]] = {
    support.custom_operator: (_custom,),
    support.operator_registered: (_substitute,),
    support.operator_told: (_substitute,),
    support.version_registered: (_always("convert with an older converter, or take a newer runtime"),),
    support.type_supported: (_type, _substitute),
    support.weight_type_supported: (_weights,),
    support.constants_given: (_always("fix the model's input shape, so that the converter can fold it"),),
    support.weights_dense: (_always("store the weights densely"),),
    support.accelerator_computes: (_type,),
    support.shapes_known: (_always("fix the shape of the model's input"),),
}
