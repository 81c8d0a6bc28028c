from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from edgewright.hardware_db import Accelerator, Runtime
from edgewright.tools import deployment, score_compatibility
from edgewright.tools.compatibility_scorer.compatibility_report import CompatibilityReport
from edgewright.tools.core.deployment import Deployment
from edgewright.tools.graph import DType, ModelGraph, Op, Subgraph, Tensor
from edgewright.tools.graph.costs.table import layer_table
from edgewright.tools.placement.operators import place_operators
from edgewright.tools.placement.remedies import changes
from edgewright.tools.placement.rewrite import cut_out, rewritten
from edgewright.tools.placement.substitutes import SUBSTITUTES
from edgewright.tools.verdicts.verdict import Verdict

Graph = Callable[..., ModelGraph]
Place = Callable[..., Deployment]
Kernels = Callable[..., Runtime]

I8, I32 = DType.INT8, DType.INT32
NPU = Accelerator(id="npu", name="NPU", kind="npu", family="made-up")
TAKEN = {"dtypes": ("int8",), "optimized": ("int8",)}


def report(graph: ModelGraph, place: Place, kernels: Runtime) -> CompatibilityReport:
    return score_compatibility(graph, place(kernels, accelerator=NPU))


def depthwise(one_op: Graph, channels: int) -> ModelGraph:
    image, window = (1, 8, 8, channels), (1, 3, 3, channels)
    return one_op(
        "DEPTHWISE_CONV_2D", ((I8, image), (I8, window, True), (I32, (channels,), True)), ((I8, image),),
        stride_h=1, stride_w=1, dilation_h_factor=1, dilation_w_factor=1, depth_multiplier=1, padding="SAME",
    )  # fmt: skip


def npu_runtime(runtime: Kernels, **operators: Any) -> Runtime:
    return runtime(
        fallback="cpu", fallback_runtimes=("tflm-cmsis-nn",), runs_on_accelerators=("made-up",), **operators
    )


def test_a_wide_depthwise_convolution_is_split_into_equal_parts_within_the_limit(
    one_op: Graph, place: Place, runtime: Kernels
) -> None:
    limited = {**TAKEN, "limits": {"channels-in": (1, 256)}}
    kernels = npu_runtime(runtime, DEPTHWISE_CONV_2D=limited, SPLIT=TAKEN, CONCATENATION=TAKEN)
    graph = depthwise(one_op, 300)
    found = report(graph, place, kernels)
    assert "split its 300 channels into 2 depthwise convolutions of 150" in found.ops[0].remedy
    (remedy,) = found.remedies
    assert (remedy.ops, remedy.accelerated, remedy.verdict) == ((0,), 1, Verdict.PASS)


def test_splitting_leaves_the_arithmetic_as_it_was(one_op: Graph, place: Place, runtime: Kernels) -> None:
    limited = {**TAKEN, "limits": {"channels-in": (1, 100)}}
    kernels = npu_runtime(runtime, DEPTHWISE_CONV_2D=limited, SPLIT=TAKEN, CONCATENATION=TAKEN)
    graph = depthwise(one_op, 300)
    (placed,) = place_operators(graph, place(kernels, accelerator=NPU))
    (change,) = changes(placed.context, "channels_in_in_limits")
    assert change.rewrite is not None
    made = rewritten(graph, {0}, change.rewrite, "split")
    assert made is not None
    assert layer_table(made.graph).total_macs == layer_table(graph).total_macs
    assert made.graph.parameter_bytes == graph.parameter_bytes + 4
    assert set(made.origin) == {0}


def test_300_channels_are_not_split_where_joining_is_not_taken(
    one_op: Graph, place: Place, runtime: Kernels
) -> None:
    limited = {**TAKEN, "limits": {"channels-in": (1, 256)}}
    kernels = npu_runtime(runtime, DEPTHWISE_CONV_2D=limited, SPLIT=TAKEN)
    found = report(depthwise(one_op, 300), place, kernels)
    assert found.remedies == ()
    assert "design it with a channels in of 1 to 256" in found.ops[0].remedy


def test_a_fused_activation_is_taken_out_where_it_runs_alone(
    one_op: Graph, place: Place, runtime: Kernels
) -> None:
    alone = {**TAKEN, "options": {"fused_activation_function": ("NONE",)}}
    kernels = npu_runtime(runtime, ADD=alone, RELU6=TAKEN)
    graph = one_op("ADD", ((I8, (1, 64)),) * 2, ((I8, (1, 64)),), fused_activation_function="RELU6")
    (remedy,) = report(graph, place, kernels).remedies
    assert "take RELU6 out of it" in remedy.change
    assert remedy.accelerated == 1


def test_a_window_beyond_the_limit_is_pooled_in_two_steps(
    one_op: Graph, place: Place, runtime: Kernels
) -> None:
    kernels = npu_runtime(runtime, MAX_POOL_2D={**TAKEN, "limits": {"kernel": (1, 3)}})
    sizes = {"filter_height": 6, "filter_width": 6, "stride_h": 6, "stride_w": 6, "padding": "VALID"}
    graph = one_op("MAX_POOL_2D", ((I8, (1, 12, 12, 4)),), ((I8, (1, 2, 2, 4)),), **sizes)
    (remedy,) = report(graph, place, kernels).remedies
    assert "pool by 3x3 and then by 2x2" in remedy.change


def test_a_float_model_gains_from_int8_and_says_how_much() -> None:
    found = score_compatibility("kws:float32", deployment("stm32n657x0", "neural-art"))
    best = found.remedies[0]
    assert best.change == "convert the model to int8"
    assert best.accelerated > 0
    assert found.latency_ms is not None
    assert best.latency_ms.value is not None
    assert found.latency_ms.value is not None
    assert best.latency_ms.value < found.latency_ms.value


def test_another_runtime_is_simulated_where_an_operator_does_not_run() -> None:
    graph_name = "kws:float16"
    found = score_compatibility(graph_name, deployment("stm32h743zi", "tflm-cmsis-nn"))
    assert found.verdict is Verdict.FAIL
    assert all(remedy.verdict is not Verdict.FAIL or remedy.runs > 0 for remedy in found.remedies)


def test_nothing_is_simulated_where_all_is_accelerated(one_op: Graph, place: Place, runtime: Kernels) -> None:
    assert report(one_op("NEG"), place, npu_runtime(runtime, NEG=TAKEN)).remedies == ()


@pytest.mark.parametrize("kind", sorted(SUBSTITUTES))
def test_an_operator_without_what_it_needs_is_left_alone(kind: str, one_op: Graph) -> None:
    graph = one_op(kind, ((I8, (1, 4)),), ((I8, (1, 4)),))
    for substitute in SUBSTITUTES[kind]:
        if substitute.rewrite is None:
            continue
        made = rewritten(graph, {0}, substitute.rewrite, "try")
        if made is not None:
            assert made.graph.outputs == graph.outputs
            assert {op.kind for op in made.graph.ops} <= set(substitute.kinds)


def test_copies_without_end_are_not_written_out(one_op: Graph) -> None:
    graph = one_op("TILE", ((I8, (1, 4)), (I32, (2,), True)), ((I8, (1, 4)),))
    main = graph.main
    many = replace(main.tensors[1], values=(1, 1 << 30))
    graph = replace(graph, subgraphs=(replace(main, tensors=(main.tensors[0], many, main.tensors[2])),))
    (tile,) = SUBSTITUTES["TILE"]
    assert tile.rewrite is not None
    assert rewritten(graph, {0}, tile.rewrite, "try") is None


def test_without_a_fallback_the_largest_piece_that_runs_is_cut_out(place: Place, runtime: Kernels) -> None:
    kernels = runtime(LOGISTIC=TAKEN, runs_on_accelerators=("made-up",))
    found = report(chain("LOGISTIC", "TANH", "LOGISTIC", "LOGISTIC"), place, kernels)
    assert found.verdict is Verdict.FAIL
    cut = next(remedy for remedy in found.remedies if remedy.change.startswith("cut out"))
    assert cut.change == "cut out operators 2 to 3, and compute the other 2 in your application"
    assert (cut.ops, cut.verdict) == ((0, 1), Verdict.PASS)


def test_what_is_cut_out_reads_and_makes_what_the_rest_needs() -> None:
    graph = chain("A", "B", "C")
    middle = cut_out(graph, (1,))
    assert [t.index for t in middle.inputs] == [1]
    assert [t.index for t in middle.outputs] == [2]
    assert [op.kind for op in middle.ops] == ["B"]


def chain(*kinds: str) -> ModelGraph:
    tensors = tuple(Tensor(i, f"t{i}", (1, 64), I8) for i in range(len(kinds) + 1))
    ops = tuple(Op(i, kind, (i,), (i + 1,)) for i, kind in enumerate(kinds))
    return ModelGraph(
        "chain", "tflite", "0" * 64, None, (Subgraph("main", tensors, ops, (0,), (len(kinds),)),)
    )
