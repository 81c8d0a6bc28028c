"""What is found of operators that are alike is what would be found of each of them alone."""

from __future__ import annotations

import pytest

from edgewright.hardware_db import load_runtime
from edgewright.tools import list_runtimes, parse_model
from edgewright.tools.placement import speed, support
from edgewright.tools.placement.alike import alike
from edgewright.tools.placement.kernel_findings import kernel_findings
from edgewright.tools.placement.op_context import KernelContext, KernelRule


def asked(rules: tuple[KernelRule, ...], context: KernelContext) -> object:
    return next(((rule, found) for rule in rules if (found := rule(context)) is not None), None)


@pytest.mark.parametrize("model", ["kws:int8", "mobilenet_v3_small:int8", "resnet50:float32"])
def test_every_operator_gets_the_finding_that_its_own_rules_give(model: str) -> None:
    graph = parse_model(model)
    for summary in list_runtimes().runtimes:
        here = kernel_findings(graph, 0, load_runtime(summary.id))
        for index, context in enumerate(here.contexts):
            assert here.of_kernels[index] == asked(support.OF_KERNELS, context)
            assert here.of_memory[index] == asked(support.OF_MEMORY, context)
            assert here.of_speed[index] == asked(speed.OF_KERNELS, context)
            assert here.ahead[index] == asked((speed.computed_ahead,), context)


def test_blocks_that_a_model_repeats_are_alike_and_others_are_not() -> None:
    graph = parse_model("resnet50:int8")
    numbers = alike(graph, 0)
    assert len(set(numbers)) < len(graph.ops) / 2
    kinds = {number: graph.ops[index].kind for index, number in enumerate(numbers)}
    assert [kinds[number] for number in numbers] == [op.kind for op in graph.ops]
