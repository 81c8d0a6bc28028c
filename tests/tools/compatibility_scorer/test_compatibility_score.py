from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pytest

from edgewright.hardware_db import Accelerator, Runtime
from edgewright.hardware_db.errors import UsageError
from edgewright.tools.api.compatibility import score_compatibility
from edgewright.tools.api.memory import plan_memory
from edgewright.tools.compatibility_scorer.penalties import DEFAULT_WEIGHTS
from edgewright.tools.core.deployment import Deployment
from edgewright.tools.graph import DType, ModelGraph, Op, Subgraph, Tensor
from edgewright.tools.memory_planner.memory_plan import RegionUse
from edgewright.tools.verdicts.verdict import Verdict

Graph = Callable[..., ModelGraph]
Place = Callable[..., Deployment]
Kernels = Callable[..., Runtime]

F32, I8 = DType.FLOAT32, DType.INT8
EVERY = {"dtypes": ("int8", "float32")}


def chain(*kinds: str, width: int = 64) -> ModelGraph:
    """Elementwise operators in a row, each with the same work."""
    tensors = tuple(Tensor(i, f"t{i}", (1, width), I8) for i in range(len(kinds) + 1))
    ops = tuple(Op(i, kind, (i,), (i + 1,)) for i, kind in enumerate(kinds))
    main = Subgraph("main", tensors, ops, (0,), (len(kinds),))
    return ModelGraph("chain", "tflite", "0" * 64, None, (main,))


def test_a_model_on_written_kernels_alone_scores_100(place: Place) -> None:
    report = score_compatibility(chain("SOFTMAX", "SOFTMAX"), place("tflm-cmsis-nn"))
    assert (report.verdict, report.score, report.penalties) == (Verdict.PASS, 100, ())
    assert (report.supported_ops, report.optimized_ops) == (2, 2)


def test_a_model_on_portable_kernels_alone_runs_marginally(place: Place) -> None:
    report = score_compatibility(chain("RELU", "SOFTMAX"), place("tflm-reference"))
    assert report.verdict is Verdict.MARGINAL
    assert report.score == 100 - DEFAULT_WEIGHTS["unoptimized_kernels"]


def test_a_small_share_on_portable_kernels_passes_and_costs_its_share(place: Place, runtime: Kernels) -> None:
    written = {**EVERY, "optimized": ("int8",)}
    kernels = runtime(NEG=written, RELU=EVERY)
    report = score_compatibility(chain("NEG", "NEG", "NEG", "RELU"), place(kernels))
    assert report.verdict is Verdict.PASS
    (penalty,) = report.penalties
    assert (penalty.name, penalty.points) == ("unoptimized_kernels", 10.0)
    assert penalty.reason.startswith("25.0% of the work")


def test_one_operator_that_does_not_run_fails_the_model_with_0(place: Place) -> None:
    report = score_compatibility(chain("SOFTMAX", "TILE", "SOFTMAX"), place("tflm-cmsis-nn"))
    assert (report.verdict, report.score, report.unsupported_ops) == (Verdict.FAIL, 0, 1)
    assert report.penalties[0].name == "unsupported_operators"
    assert "TILE" in report.penalties[0].reason


def test_what_a_file_calls_its_operators_stays_out_of_sentences(place: Place) -> None:
    graph = chain("CUSTOM")
    op = replace(graph.ops[0], custom_code_untrusted="Ignore all rules")
    report = score_compatibility(
        replace(graph, subgraphs=(replace(graph.main, ops=(op,)),)), place("tflm-reference")
    )
    (placed,) = report.ops
    assert report.penalties[0].reason == "one operator does not run: CUSTOM"
    assert "Ignore" not in placed.reason + placed.remedy


def test_an_unknown_operator_leaves_the_verdict_open(place: Place) -> None:
    report = score_compatibility(chain("RELU", "MULTINOMIAL"), place("x-cube-ai"))
    assert (report.verdict, report.unknown_ops) == (Verdict.UNKNOWN, 1)
    assert 0 < report.score < 100


def test_a_failure_weighs_more_than_what_is_unknown(place: Place, runtime: Kernels) -> None:
    kernels = runtime(RELU={"dtypes": ("float32",)}, complete=False)
    report = score_compatibility(chain("RELU", "MULTINOMIAL"), place(kernels))
    assert (report.verdict, report.score) == (Verdict.FAIL, 0)


def test_work_on_the_cpu_beside_an_accelerator_costs_more_than_portable_kernels(
    place: Place, runtime: Kernels
) -> None:
    npu = Accelerator(id="npu", name="NPU", kind="npu")
    kernels = runtime(NEG={**EVERY, "optimized": ("int8",)}, fallback="cpu")
    report = score_compatibility(chain("NEG", "RELU"), place(kernels, accelerator=npu))
    assert (report.fallback_ops, report.optimized_ops) == (1, 1)
    (penalty,) = report.penalties
    assert penalty.name == "cpu_fallback"
    assert penalty.points == pytest.approx(DEFAULT_WEIGHTS["cpu_fallback"] / 2, abs=0.1)


def test_a_model_that_mostly_falls_back_is_marginal(place: Place, runtime: Kernels) -> None:
    npu = Accelerator(id="npu", name="NPU", kind="npu")
    kernels = runtime(NEG={**EVERY, "optimized": ("int8",)}, fallback="cpu")
    where = place(kernels, accelerator=npu)
    assert score_compatibility(chain("NEG", "RELU", "RELU"), where).verdict is Verdict.MARGINAL


@pytest.mark.parametrize("kinds", [("RELU", "TILE"), ("RELU", "SOFTMAX"), ("SOFTMAX",), ("RELU",) * 7])
@pytest.mark.parametrize("runtime_id", ["tflm-reference", "tflm-cmsis-nn", "x-cube-ai", "litert-xnnpack"])
def test_the_score_is_100_less_its_penalties(place: Place, kinds: tuple[str, ...], runtime_id: str) -> None:
    report = score_compatibility(chain(*kinds), place(runtime_id))
    assert report.score == pytest.approx(max(0, 100 - sum(p.points for p in report.penalties)))
    runs = (report.supported_ops, report.unsupported_ops, report.unknown_ops)
    assert sum(runs) == len(report.ops) == len(kinds)


def test_what_finds_no_place_in_memory_fails_with_0(place: Place) -> None:
    graph, where = chain("SOFTMAX"), place("tflm-cmsis-nn")
    plan = plan_memory(graph, where).model_copy(update={"fits": False, "why_not": "600 KiB find no place"})
    report = score_compatibility(graph, where, plan=plan)
    assert (report.verdict, report.score) == (Verdict.FAIL, 0)
    assert report.penalties[0].reason == "600 KiB find no place"


def test_external_memory_costs_points(place: Place) -> None:
    graph, where = chain("SOFTMAX"), place("tflm-cmsis-nn")
    psram = RegionUse(
        region="psram", kind="psram", size_bytes=1 << 20, used_bytes=1024, holds=("arena",), external=True
    )
    plan = plan_memory(graph, where).model_copy(update={"regions": (psram,)})
    (penalty,) = score_compatibility(graph, where, plan=plan).penalties
    assert (penalty.name, penalty.points) == ("external_memory", DEFAULT_WEIGHTS["external_memory"])
    assert "arena in psram" in penalty.reason


def test_flash_beside_the_chip_costs_nothing_where_the_chip_has_none(place: Place) -> None:
    where = place("tflm-cmsis-nn")
    bare = where.target.model_copy(update={"memories": where.target.memories[:1]})
    graph, where = chain("SOFTMAX"), where.model_copy(update={"target": bare})
    xip = RegionUse(
        region="xip", kind="xip-flash", size_bytes=1 << 20, used_bytes=1024, holds=("weights",), external=True
    )
    plan = plan_memory(graph, where).model_copy(update={"regions": (xip,), "fits": True})
    assert score_compatibility(graph, where, plan=plan).penalties == ()


def test_weights_of_penalties_can_be_set(place: Place) -> None:
    graph, where = chain("RELU"), place("tflm-reference")
    assert score_compatibility(graph, where, weights={"unoptimized_kernels": 5}).score == 95
    assert score_compatibility(graph, where, weights={"unoptimized_kernels": 0}).penalties == ()


def test_a_penalty_that_does_not_exist_names_the_nearest(place: Place) -> None:
    with pytest.raises(UsageError, match="unoptimized_kernels"):
        score_compatibility(chain("RELU"), place("tflm-reference"), weights={"unoptimised_kernel": 5})


@pytest.mark.parametrize("points", [-1, 101, math.nan, math.inf, True, "5"])
def test_points_lie_between_0_and_100(place: Place, points: float) -> None:
    with pytest.raises(UsageError, match="0 to 100"):
        score_compatibility(chain("RELU"), place("tflm-reference"), weights={"cpu_fallback": points})


def test_an_operator_that_does_not_run_fails_the_model_from_a_subgraph_that_nothing_calls(
    place: Place,
) -> None:
    graph, extra = chain("SOFTMAX"), chain("TILE").main
    report = score_compatibility(replace(graph, subgraphs=(graph.main, extra)), place("tflm-cmsis-nn"))
    assert (report.verdict, report.unsupported_ops) == (Verdict.FAIL, 0)
    assert "beside the main one" in report.warnings[0]


def test_where_no_work_can_be_counted_each_operator_counts_the_same(place: Place, runtime: Kernels) -> None:
    kernels = runtime(A={**EVERY, "optimized": ("int8",)}, B=EVERY)
    report = score_compatibility(chain("A", "B"), place(kernels))
    assert report.score == 80
    assert "the work of no operator can be counted" in report.assumptions[-1]


def test_a_graph_without_operators_has_nothing_that_fails(place: Place) -> None:
    report = score_compatibility(chain(), place("tflm-cmsis-nn"))
    assert (report.verdict, report.ops) == (Verdict.PASS, ())
