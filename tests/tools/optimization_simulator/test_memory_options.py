"""Other plans of the same model, and conversions that it can do without."""

import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools import deployment
from edgewright.tools.api.optimizations import simulate_optimizations
from edgewright.tools.graph import DType, ModelGraph
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.graph.requantize import to_int8
from edgewright.tools.memory_planner.replanning import concatenating_in_place, overwriting, replanned
from edgewright.tools.memory_planner.reporting import plan
from edgewright.tools.model_zoo.named import build_architecture
from edgewright.tools.optimization_simulator.memory import memory_options
from edgewright.tools.optimization_simulator.optimization_report import Option
from edgewright.tools.optimization_simulator.techniques.casts import integer_io, without_needless_casts

WHERE = deployment("stm32h743zi", runtime="tflm-reference")


def options(graph: ModelGraph, runtime: str = "tflm-reference") -> dict[str, Option]:
    return {o.technique: o for o in memory_options(graph, deployment("stm32h743zi", runtime=runtime))}


def residual() -> ModelGraph:
    b = GraphBuilder("residual")
    x = b.conv2d(b.input((1, 32, 32, 1)), 16, 3)
    y = b.conv2d(x, 16, 3)
    z = b.unary("RELU", b.add(x, y))
    return b.build([b.mean(z)])


def test_elementwise_operators_in_place_need_two_tensors_where_three_were_alive() -> None:
    graph, tensor = residual(), 4 * 32 * 32 * 16
    assert plan(graph, WHERE).arena_nonpersistent_bytes == pytest.approx(3 * tensor, rel=0.01)
    assert replanned(graph, WHERE, overwriting).nonpersistent == pytest.approx(2 * tensor, rel=0.03)


def test_an_input_that_is_read_again_is_not_written_over() -> None:
    b = GraphBuilder("kept")
    x = b.conv2d(b.input((1, 8, 8, 1)), 4, 3)
    y = b.unary("RELU", x)
    graph = b.build([b.concat([x, y])])
    with pytest.raises(UsageError, match="not read again"):
        replanned(graph, WHERE, overwriting)


@pytest.mark.parametrize(("axis", "saves"), [(1, True), (3, False)])
def test_a_concatenation_is_written_in_place_along_the_outermost_axis_only(axis: int, saves: bool) -> None:
    b = GraphBuilder("joined")
    x = b.input((1, 16, 16, 4))
    graph = b.build([b.mean(b.concat([b.conv2d(x, 4, 3), b.conv2d(x, 4, 5)], axis=axis))])
    if not saves:
        with pytest.raises(UsageError, match="outermost axis"):
            replanned(graph, WHERE, concatenating_in_place)
        return
    part = 4 * 16 * 16 * 4
    assert plan(graph, WHERE).arena_nonpersistent_bytes == 4 * part
    assert replanned(graph, WHERE, concatenating_in_place).nonpersistent == 3 * part


def test_a_planner_that_works_in_place_has_nothing_to_gain_from_it() -> None:
    found = options(to_int8(residual()), "x-cube-ai")["in-place"]
    assert not found.applicable
    assert "does so already" in found.reason


def test_bands_lower_the_arena_for_more_macs_and_time() -> None:
    found = options(build_architecture("mobilenet_v2:0.35:96", dtype="int8"), "tflm-cmsis-nn")
    two, eight = found["bands-2"], found["bands-8"]
    assert two.after is not None
    assert eight.after is not None
    assert (eight.after.arena_bytes or 0) < (two.after.arena_bytes or 0) < (two.before.arena_bytes or 0)
    assert eight.after.macs > two.after.macs > two.before.macs
    assert (eight.after.latency_ms.value or 0) > (two.before.latency_ms.value or 0)
    assert eight.effort == "redesign"


def test_bands_do_nothing_for_a_peak_behind_the_first_block() -> None:
    b = GraphBuilder("late")
    x = b.conv2d(b.input((1, 16, 16, 1)), 2, 3)
    x = b.reshape(x, (1, 512))
    graph = b.build([b.fully_connected(b.fully_connected(x, 9000), 9000)])
    assert not any(o.applicable for name, o in options(graph).items() if name.startswith("bands"))


def test_int8_inputs_and_outputs_save_the_float_ones() -> None:
    graph = to_int8(build_architecture("kws", dtype="float32"), float_io=True)
    changed = integer_io(graph)
    assert {t.dtype for t in (*changed.inputs, *changed.outputs)} == {DType.INT8}
    assert len(changed.ops) == len(graph.ops) - 2
    assert [t.index for t in changed.tensors] == list(range(len(changed.tensors)))
    assert len(changed.tensors) == len(graph.tensors) - 2
    found = simulate_optimizations(graph, WHERE, "ram", technique="integer-io").options[0]
    assert found.after is not None
    assert (found.after.arena_bytes or 0) < (found.before.arena_bytes or 0)
    with pytest.raises(UsageError, match="no float input"):
        integer_io(changed)


def test_integers_made_float_and_integers_again_stay_integers() -> None:
    b = GraphBuilder("casts")
    x = b.input((1, 64), DType.INT8)
    f = b.op("DEQUANTIZE", [x], (1, 64), dtype=DType.FLOAT32)
    q = b.op("QUANTIZE", [f], (1, 64), dtype=DType.INT8)
    graph = b.build([b.unary("RELU", q)])
    changed = without_needless_casts(graph)
    assert [op.kind for op in changed.ops] == ["RELU"]
    assert changed.ops[0].inputs == changed.main.inputs
    with pytest.raises(UsageError, match="no integer is made float"):
        without_needless_casts(changed)
