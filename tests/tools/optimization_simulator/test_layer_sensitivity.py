import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools import ModelGraph, deployment, simulate_optimizations
from edgewright.tools.graph import DType
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.graph.costs.table import layer_table
from edgewright.tools.graph.shapes.propagate import propagate_shapes
from edgewright.tools.model_zoo.named import build_architecture
from edgewright.tools.optimization_simulator.figures import figures
from edgewright.tools.optimization_simulator.search.sensitivity import layer_sensitivity
from edgewright.tools.optimization_simulator.techniques.layer_changes import (
    in_int8,
    with_half_the_channels,
    with_half_the_input,
)

WHERE = deployment("stm32h743zi", runtime="tflm-cmsis-nn")


@pytest.fixture(scope="module")
def model() -> ModelGraph:
    return build_architecture("mobilenet_v2:0.35:96", dtype="float32")


@pytest.fixture(scope="module")
def small() -> ModelGraph:
    return build_architecture("kws", dtype="float32")


def chain() -> ModelGraph:
    b = GraphBuilder("chain")
    x = b.conv2d(b.conv2d(b.input((1, 32, 32, 3)), 16, 3), 32, 3)
    return b.build([b.fully_connected(b.mean(x), 10)])


def test_half_a_layers_channels_halve_its_macs_and_its_readers() -> None:
    graph = chain()
    before, after = layer_table(graph).macs, layer_table(with_half_the_channels(graph, 0)).macs
    assert after[0] == before[0] / 2
    assert after[1] == before[1] / 2
    assert after[3] == before[3]


def test_half_a_layers_input_quarters_its_macs_and_leaves_those_before_it() -> None:
    graph = chain()
    changed = with_half_the_input(graph, 1)
    assert [op.kind for op in changed.ops[:3]] == ["CONV_2D", "AVERAGE_POOL_2D", "CONV_2D"]
    before, after = layer_table(graph).macs, layer_table(changed).macs
    assert after[0] == before[0]
    assert after[2] == before[1] / 4
    assert propagate_shapes(changed) == tuple(t.shape for t in changed.tensors)


@pytest.mark.parametrize("layer", [0, 3, 11])
def test_shapes_after_half_an_input_are_those_that_propagation_finds(model: ModelGraph, layer: int) -> None:
    changed = with_half_the_input(model, layer)
    assert propagate_shapes(changed) == tuple(t.shape for t in changed.tensors)
    assert [t.shape for t in changed.outputs] == [t.shape for t in model.outputs]


def test_half_the_input_of_one_branch_of_an_addition_is_refused(model: ModelGraph) -> None:
    with pytest.raises(UsageError, match="do not broadcast"):
        with_half_the_input(model, 8)


def test_one_layer_in_int8_stands_between_two_conversions() -> None:
    changed = in_int8(chain(), 1)
    assert [op.kind for op in changed.ops[:4]] == ["CONV_2D", "QUANTIZE", "CONV_2D", "DEQUANTIZE"]
    weights = changed.tensors[changed.ops[2].inputs[1]]
    assert weights.dtype is DType.INT8
    assert changed.tensors[changed.ops[0].inputs[1]].dtype is DType.FLOAT32
    assert {t.dtype for t in (*changed.inputs, *changed.outputs)} == {DType.FLOAT32}


def test_the_figures_are_those_of_the_changed_model(small: ModelGraph) -> None:
    found = {(each.index, each.change): each for each in layer_sensitivity(small, WHERE, "latency")}
    anew, _ = figures(with_half_the_channels(small, 0), WHERE)
    assert found[0, "channels-50"].after == anew
    anew, _ = figures(with_half_the_input(small, 3), WHERE)
    assert found[3, "input-50"].after == anew


def test_every_layer_with_macs_has_its_three_changes_or_reasons(small: ModelGraph) -> None:
    found = simulate_optimizations(small, WHERE, "flash", technique="int8", sensitivity=True).sensitivity
    macs = layer_table(small).macs
    assert {each.index for each in found} == {op.index for op in small.ops if macs[op.index] > 0}
    assert len(found) == 3 * len({each.index for each in found})
    assert all(each.applicable or each.reason for each in found)
    gains = [each.gain.get("flash", 0.0) for each in found if each.applicable]
    assert gains == sorted(gains)


def test_an_interruption_keeps_the_layers_that_were_changed(small: ModelGraph) -> None:
    def interrupt(done: int, of: int) -> None:
        assert of == 10
        if done == 4:
            raise KeyboardInterrupt

    assert len({each.index for each in layer_sensitivity(small, WHERE, "latency", interrupt)}) == 4
