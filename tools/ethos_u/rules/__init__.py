"""Which operators Ethos-U computes, without Vela: one function for each of its limits.

Left out, because a graph holds no weights: sums of weights over 2^16 × 127 in one filter, and biases of 64
bits that need more than 40 (Ethos-U85: 48) of them.
"""

from __future__ import annotations

from collections.abc import Collection

from ...core.records import dataclass
from ...graph import Op, Subgraph
from ...graph.costs.work import OpContext
from . import operators, tensors, transposition, windows
from .npu_operator import NpuOperator, Rule

RULES: tuple[Rule, ...] = (*tensors.RULES, *windows.RULES, *operators.RULES, *transposition.RULES)


@dataclass(frozen=True)
class Refusal:
    """Why the NPU does not compute an operator: the rule, its sentence, and what makes it apply."""

    rule: str
    sentence: str
    evidence: str


def refusal(op: Op, subgraph: Subgraph, series: str, known: Collection[str]) -> Refusal | None:
    """The first rule against an operator; None where the NPU computes it.

    Args:
        series: ethos-u55, ethos-u65 or ethos-u85.
        known: operators that the series has at all.
    """
    if op.kind not in known:
        return Refusal("known", "Ethos-U has no such operator", op.kind)
    context = OpContext.of(op, subgraph)
    if not context.outputs or not any(t is not None for t in context.inputs):
        return Refusal("connected", "An operator has an input and an output", "one is missing")
    case = NpuOperator(context, series == "ethos-u85")
    if not case.feature_maps_in:
        return Refusal("connected", "An operator has an input and an output", "the input is missing")
    for rule in RULES:
        if (evidence := rule(case)) is not None:
            return Refusal(rule.__name__, (rule.__doc__ or "").removesuffix("."), evidence)
    return None
