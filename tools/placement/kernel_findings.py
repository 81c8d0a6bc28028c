"""What the rules that read a runtime's kernels alone find: asked once for a graph and a runtime."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from ...hardware_db import OpSupport, Runtime
from ..core.records import dataclass
from ..graph import ModelGraph
from ..graph.memoize import memoized
from . import kernel_limits as limits
from . import settings, speed, support
from .alike import alike
from .op_context import Finding, KernelContext, KernelRule, Rule, called_subgraphs, kernel_contexts

Found = tuple[Rule, Finding]


@dataclass(frozen=True, eq=False)
class KernelFindings:
    """Of each operator of a subgraph, the first rule of a group that applies; None where none does."""

    runtime: Runtime
    contexts: tuple[KernelContext, ...]
    alike: tuple[int, ...]
    """Of each operator a number, from 0 on, that it shares with those that no rule tells apart from it."""
    first: tuple[int, ...]
    """By that number, the first of them."""
    calls: tuple[bool, ...]
    """Whether an operator runs other subgraphs."""
    ahead: tuple[Found | None, ...]
    of_kernels: tuple[Found | None, ...]
    of_memory: tuple[Found | None, ...]
    of_speed: tuple[Found | None, ...]


def kernel_findings(graph: ModelGraph, subgraph: int, runtime: Runtime) -> KernelFindings:
    """Kept with the graph by the runtime's identity, which the findings keep alive."""

    def found() -> KernelFindings:
        contexts = kernel_contexts(graph, subgraph, runtime)
        groups = ((speed.computed_ahead,), support.OF_KERNELS, support.OF_MEMORY, speed.OF_KERNELS)
        numbers, first = _numbered(
            zip(alike(graph, subgraph), [each.folded for each in contexts], strict=True)
        )
        calls = tuple([bool(called_subgraphs(context.op)) for context in contexts])
        chosen = [contexts[index] for index in first]
        of_first = (_first(rules, chosen) for rules in groups)
        of_each = (tuple([by_number[number] for number in numbers]) for by_number in of_first)
        return KernelFindings(runtime, contexts, numbers, first, calls, *of_each)

    return memoized(graph, "kernel findings", (subgraph, id(runtime)), found)


def _numbered(keys: Iterable[Hashable]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Of each key a number, and by number where it first stands."""
    found: dict[Hashable, int] = {}
    first: list[int] = []
    numbers: list[int] = []
    for index, key in enumerate(keys):
        number = found.setdefault(key, len(found))
        if number == len(first):
            first.append(index)
        numbers.append(number)
    return tuple(numbers), tuple(first)


def _first(rules: Sequence[KernelRule], contexts: Sequence[KernelContext]) -> tuple[Found | None, ...]:
    chosen: dict[int, Sequence[KernelRule]] = {}
    found = []
    for context in contexts:
        number = id(context.support)
        if number not in chosen:
            chosen[number] = _speaking(rules, context.support)
        found.append(_applies(chosen[number], context))
    return tuple(found)


def _speaking(rules: Sequence[KernelRule], kernels: OpSupport | None) -> Sequence[KernelRule]:
    """Without the rules that find nothing because the source tells nothing that they speak of."""
    if kernels is None:
        return rules
    return [rule for rule in rules if rule not in SPEAKS_OF or SPEAKS_OF[rule](kernels)]


SPEAKS_OF: Mapping[KernelRule, Callable[[OpSupport], object]] = {
    support.version_registered: lambda kernels: kernels.max_version is not None,
    support.weight_type_supported: lambda kernels: kernels.weight_dtypes,
    support.weights_per_channel: lambda kernels: kernels.per_channel is False,
    support.bias_type_supported: lambda kernels: kernels.bias_dtypes,
    support.output_type_supported: lambda kernels: kernels.output_dtypes,
    support.rank_supported: lambda kernels: kernels.max_rank is not None,
    support.inputs_supported: lambda kernels: kernels.max_inputs is not None,
    support.constants_given: lambda kernels: kernels.constant_inputs,
    settings.activation_fused: lambda kernels: kernels.options,
    settings.options_taken: lambda kernels: kernels.options,
    settings.input_values_taken: lambda kernels: kernels.input_values,
    settings.batch_kept: lambda kernels: kernels.keeps_batch,
    **{rule: lambda kernels: kernels.limits or kernels.multiples for rule in limits.LIMITS.values()},
    **dict.fromkeys((limits.dilation_square, limits.kernel_square, limits.stride_square), lambda k: k.square),
}
"""What of a runtime's file each rule needs to say anything; a rule that is not named is always asked."""


def _applies(rules: Sequence[KernelRule], context: KernelContext) -> Found | None:
    for rule in rules:
        found = rule(context)
        if found is not None:
            return rule, found
    return None
