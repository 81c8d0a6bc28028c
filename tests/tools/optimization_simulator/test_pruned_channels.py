import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools.graph import ModelGraph
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.graph.costs.table import layer_table
from edgewright.tools.graph.shapes.propagate import propagate_shapes
from edgewright.tools.model_zoo.named import build_architecture
from edgewright.tools.optimization_simulator.techniques.channels import pruned
from stubs.work import calls_in


def test_half_the_channels_of_a_hidden_convolution_quarter_its_successors_macs() -> None:
    b = GraphBuilder("chain")
    x = b.input((1, 8, 8, 16))
    hidden = b.conv2d(b.conv2d(x, 32, (3, 3)), 32, (3, 3))
    graph = b.build(outputs=[b.conv2d(hidden, 8, (1, 1))])
    before, after = layer_table(graph).macs, layer_table(pruned(graph, 0.5)).macs
    assert after[0] == before[0] / 2
    assert after[1] == before[1] / 4
    assert after[2] == before[2] / 2


def test_the_models_inputs_and_outputs_keep_their_shapes() -> None:
    graph = build_architecture("ic", dtype="int8")
    small = pruned(graph, 0.5)
    assert [t.shape for t in small.inputs] == [t.shape for t in graph.inputs]
    assert [t.shape for t in small.outputs] == [t.shape for t in graph.outputs]


@pytest.mark.parametrize("name", ["kws", "vww", "ic", "ad", "mobilenet_v2:0.35:96"])
def test_pruned_shapes_are_those_that_propagation_finds(name: str) -> None:
    small = pruned(build_architecture(name), 0.5)
    assert propagate_shapes(small) == tuple(t.shape for t in small.tensors)


def test_channels_that_an_addition_ties_go_together() -> None:
    b = GraphBuilder("residual")
    x = b.input((1, 8, 8, 3))
    trunk = b.conv2d(x, 16, (3, 3))
    branch = b.conv2d(trunk, 16, (3, 3))
    graph = b.build(outputs=[b.conv2d(b.add(trunk, branch), 4, (1, 1))])
    small = pruned(graph, 0.5)
    widths = [small.tensors[op.outputs[0]].shape[-1] for op in small.ops]
    assert widths == [8, 8, 8, 4]


def test_channels_tied_to_the_output_stay() -> None:
    b = GraphBuilder("last")
    x = b.input((1, 8, 8, 4))
    graph = b.build(outputs=[b.conv2d(x, 16, (3, 3))])
    with pytest.raises(UsageError, match="No layer"):
        pruned(graph, 0.5)


@pytest.mark.parametrize("ratio", [0.0, 1.0, -0.5, 2.0])
def test_a_ratio_outside_zero_to_one_is_refused(ratio: float) -> None:
    with pytest.raises(UsageError, match="outside"):
        pruned(build_architecture("kws"), ratio)


def test_weights_shrink_with_their_shapes() -> None:
    graph = build_architecture("ad", dtype="int8")
    small = pruned(graph, 0.5)
    for before, after in zip(graph.parameters, small.parameters, strict=True):
        assert after.stored_bytes <= before.stored_bytes
        assert after.bytes == after.stored_bytes


def flattened(width: int) -> ModelGraph:
    b = GraphBuilder("wide")
    image = b.conv2d(b.input((1, 8, width, 3)), 8, (3, 3))
    flat = b.reshape(b.unary("RELU", b.add(image, image)), (1, 8 * width * 8))
    return b.build(outputs=[b.fully_connected(b.unary("RELU", flat), 4)])


def test_an_image_of_any_size_that_is_flattened_is_pruned_with_as_many_calls() -> None:
    graph, little = flattened(40_000), flattened(40)
    small = pruned(graph, 0.5)
    assert calls_in(lambda: pruned(graph, 0.25)) < 2 * calls_in(lambda: pruned(little, 0.25)) + 1_000
    assert small.ops[-1].inputs[1] >= 0
    assert propagate_shapes(small) == tuple(t.shape for t in small.tensors)
