"""What would make an operator run, or run well: named only where this runtime is known to allow it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator

from ...hardware_db import Runtime, load_runtime
from ...hardware_db.derived import accelerator_for
from ...hardware_db.errors import EdgewrightError
from ...hardware_db.index import obtainable
from ...hardware_db.schema import Limit
from ..core.deployment import Deployment
from ..core.settings import Settings
from ..graph.costs.classes import op_class
from ..graph.layer_table import OpClass
from . import kernel_limits as limits
from . import scales, settings, speed, support
from .kernel_findings import kernel_findings
from .op_context import PlacementContext, Rule
from .splits import Change, split_for
from .substitutes import SUBSTITUTES

_NO_ARITHMETIC = frozenset({OpClass.VIEW, OpClass.MOVE, OpClass.CONTROL})
_BETTER_TYPES = ("int8", "int16", "float32")
SUBSTITUTED: frozenset[str] = frozenset(
    rule.__name__
    for rule in (
        support.operator_refused,
        support.operator_registered,
        support.operator_known,
        support.type_supported,
        support.type_known,
        support.rank_supported,
        support.inputs_supported,
        support.constants_given,
        *limits.RULES,
        *settings.RULES,
    )
)
"""Rules that another operator may satisfy."""


class Advice:
    """What was found for the operators of one subgraph on one deployment: once for those that are alike."""

    def __init__(self) -> None:
        self._found: dict[Hashable, str] = {}
        self._alike: list[tuple[int, ...]] | None = None
        """By operator, for each runtime of the target: none of them tells apart those of equal numbers."""

    def of(self, context: PlacementContext, asked: tuple[Hashable, ...], find: Callable[[], str]) -> str:
        if self._alike is None:
            findings = (
                kernel_findings(context.graph, context.chain[-1], runtime)
                for runtime in (context.runtime, *_runtimes(context.deployment))
            )
            self._alike = list(zip(*[each.alike for each in findings], strict=True))
        key = (*asked, self._alike[context.op.index])
        found = self._found.get(key)
        return self._found.setdefault(key, find()) if found is None else found


def remedy(context: PlacementContext, rule: Rule) -> str:
    """What to change so that `rule` no longer refuses; empty where nothing is known to help."""
    advice = [change.advice for change in changes(context, rule.__name__)[:1]]
    advice += [give(context) for give in _ADVICE.get(rule, ())]
    return "; or ".join(text for text in (*advice, _other_runtime(context)) if text)


def changes(context: PlacementContext, rule: str) -> list[Change]:
    """Ways to write the operator that the runtime takes, to satisfy a rule by its name."""
    split = split_for(context, rule)
    found = [split] if split is not None else []
    if rule in SUBSTITUTED:
        found += [Change(s.advice, s.kinds, s.rewrite) for s in SUBSTITUTES.get(context.op.kind, ())]
    return [change for change in found if _takes(context, change.kinds)]


def faster(context: PlacementContext) -> str:
    """The type or the other runtime with a kernel written for the processor; empty where there is none."""
    written = context.support.optimized if context.support else ()
    better = next((t for t in _BETTER_TYPES if t in written and t != context.dtype), None)
    if better:
        return f"compute in {better}"
    if not context.at.inputs or op_class(context.at) in _NO_ARITHMETIC:
        return ""
    for moved in _elsewhere(context):
        if speed.runs_as_written(moved):
            return f"use {moved.runtime.id}, which has a kernel written for the processor"
    return ""


def _takes(context: PlacementContext, kinds: tuple[str, ...]) -> bool:
    operators = context.runtime.operators
    return all(kind in operators and context.dtype in operators[kind].dtypes for kind in kinds)


def _type(context: PlacementContext) -> str:
    taken = context.support.dtypes if context.support else ()
    better = next((t for t in _BETTER_TYPES if t in taken and t != context.dtype), None)
    return f"convert the model to {better}" if better else ""


def _weights(context: PlacementContext) -> str:
    allowed = context.support.weight_dtypes if context.support else {}
    stored = context.weights.dtype.value if context.weights else ""
    if context.dtype == "float32" and stored in allowed.get("int8", ()):
        return "quantise the activations to int8 too (full-integer quantisation)"
    taken = allowed.get(context.dtype, ())
    return f"keep the weights in {taken[0]}" if taken else ""


def _bias(context: PlacementContext) -> str:
    taken = context.support.bias_dtypes.get(context.dtype, ()) if context.support else ()
    return f"keep the bias in {taken[0]}" if taken else ""


def _custom(context: PlacementContext) -> str:
    if (context.op.custom_code_untrusted or "").startswith("Flex"):
        return "convert without TensorFlow's own operators (SELECT_TF_OPS)"
    return "write a kernel and register it under the operator's name"


def _kept_within(limit: Limit) -> Callable[[PlacementContext], str]:
    """What the operator would have to be, where it cannot be written in parts."""

    def advise(context: PlacementContext) -> str:
        within = context.support.limits.get(limit) if context.support else None
        step = context.support.multiples.get(limit) if context.support else None
        if changes(context, limits.LIMITS[limit].__name__):
            return ""
        name, asked = limit.value.replace("-", " "), []
        if within is not None:
            asked.append(f"of {within[0]} to {within[1]}" if within[0] != within[1] else f"of {within[0]}")
        if step is not None:
            asked.append(f"that is a multiple of {step}")
        return f"design it with a {name} {' '.join(asked)}, and retrain"

    return advise


def _other_runtime(context: PlacementContext) -> str:
    """The first other runtime to which no rule objects, and which does not compute it anyway."""
    falls_back_to = context.runtime.fallback_runtimes
    moved = next((there for there in _elsewhere(context) if there.runtime.id not in falls_back_to), None)
    return f"use {moved.runtime.id}, which has a kernel for it" if moved else ""


def _elsewhere(context: PlacementContext) -> Iterator[PlacementContext]:
    """The operator on each other runtime of the target that it runs on."""
    for runtime in _runtimes(context.deployment):
        there = kernel_findings(context.graph, context.chain[-1], runtime)
        if there.of_kernels[context.op.index] or there.of_memory[context.op.index]:
            continue
        driven = accelerator_for(context.deployment.target, runtime)
        moved = context.under(
            context.deployment.model_copy(update={"runtime": runtime, "accelerator": driven})
        )
        if support.accelerator_computes(moved) is None:
            yield moved


def _runtimes(deployment: Deployment) -> Iterator[Runtime]:
    """The other ones of the target that are to be had."""
    own = deployment.settings
    for name in obtainable(deployment.target.runtimes, own.hardware_directories):
        runtime = _described(name, own) if name != deployment.runtime.id else None
        if runtime is not None:
            yield runtime


def _described(name: str, settings: Settings) -> Runtime | None:
    try:
        return load_runtime(name, settings.hardware_directories)
    except EdgewrightError:
        return None


def _always(advice: str) -> Callable[[PlacementContext], str]:
    return lambda _: advice


_ADVICE: dict[Rule, tuple[Callable[[PlacementContext], str], ...]] = {
    support.custom_operator: (_custom,),
    support.version_registered: (_always("convert with an older converter, or take a newer runtime"),),
    support.type_supported: (_type,),
    support.weight_type_supported: (_weights,),
    support.weights_per_channel: (_always("quantise its weights with one scale for all (per tensor)"),),
    support.bias_type_supported: (_bias,),
    support.inputs_given: (_always("give it a bias, of zeros where there is none"),),
    **dict.fromkeys(
        (scales.product_taken, scales.largest_taken, scales.square_taken),
        (_always("quantise again, with samples in which its output varies"),),
    ),
    support.constants_given: (_always("fix the model's input shape, so that the converter can fold it"),),
    support.weights_dense: (_always("store the weights densely"),),
    support.accelerator_computes: (_type,),
    support.shapes_known: (_always("fix the shape of the model's input"),),
    **{rule: (_kept_within(limit),) for limit, rule in limits.LIMITS.items()},
}
