import re
from collections.abc import Callable

import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools.graph import ModelGraph
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.graph.costs.table import layer_table
from edgewright.tools.model_zoo.named import build_architecture
from edgewright.tools.optimization_simulator.techniques.channels import Channels, pruned
from edgewright.tools.optimization_simulator.techniques.structure.balanced import pruned_by_cost
from edgewright.tools.optimization_simulator.techniques.structure.depth import (
    ended_early,
    without_blocks,
    without_layers,
)
from edgewright.tools.optimization_simulator.techniques.structure.factors import (
    factorised,
    grouped,
    separated,
)
from edgewright.tools.optimization_simulator.techniques.structure.inputs import scaled_image, with_image
from edgewright.tools.optimization_simulator.techniques.structure.students import smaller, student
from edgewright.tools.optimization_simulator.techniques.structure.widths import (
    aligned,
    pruned_layers,
    widened,
)


def macs(graph: ModelGraph) -> list[int]:
    return layer_table(graph).macs.tolist()


@pytest.fixture
def chain() -> ModelGraph:
    b = GraphBuilder("chain")
    x = b.conv2d(b.input((1, 16, 16, 8)), 32, 3, stride=2, activation="RELU6")
    x = b.conv2d(b.depthwise_conv2d(x, 3), 64, 1)
    return b.build([b.fully_connected(b.mean(x), 10)])


def test_a_separated_convolution_costs_a_depthwise_and_a_pointwise_one(chain: ModelGraph) -> None:
    made = separated(chain, (0,))
    assert [op.kind for op in made.ops][:2] == ["DEPTHWISE_CONV_2D", "CONV_2D"]
    assert macs(made)[:2] == [8 * 8 * 8 * 9, 8 * 8 * 8 * 32]
    assert made.ops[1].option_str("fused_activation_function", "") == "RELU6"


def test_a_layer_factorised_at_a_quarter_costs_two_of_that_rank(chain: ModelGraph) -> None:
    made = factorised(chain, 0.25, (2,))
    assert macs(made)[2:4] == [8 * 8 * 32 * 8, 8 * 8 * 8 * 64]


def test_filters_in_four_groups_hold_a_quarter_of_the_weights(chain: ModelGraph) -> None:
    made = grouped(chain, 4, (0,))
    assert macs(made)[0] * 4 == macs(chain)[0]
    assert made.tensors[made.ops[0].inputs[1]].shape == (32, 3, 3, 2)


@pytest.mark.parametrize(
    ("change", "layer", "why"),
    [
        (separated, 1, "Layer 1 is depthwise: it cannot be separated. It could be done to layer 0"),
        (separated, 2, "Layer 2 is pointwise"),
        (separated, 9, "There is no layer 9: they are 0 to 4"),
        (lambda g, at: factorised(g, 0.25, at), 1, "Layer 1 is depthwise: it cannot be factorised"),
        (lambda g, at: factorised(g, 0.25, at), 0, "Layer 0 has a window of 3x3"),
        (lambda g, at: factorised(g, 0.9, at), 4, "no dense or pointwise layer gets smaller"),
        (lambda g, at: grouped(g, 3, at), 0, "no convolution has channels that 3 groups divide"),
        (lambda g, at: grouped(g, 16, at), 0, "Layer 0 has 8 channels in and 32 out.*groups of 2, 4, 8 do"),
        (lambda g, at: pruned_layers(g, dict.fromkeys(at, 0.5)), 1, "Layer 1 is depthwise"),
        (lambda g, at: pruned_layers(g, dict.fromkeys(at, 0.5)), 4, "Layer 4 has channels that have to stay"),
        (without_blocks, 0, "no residual block"),
        (without_layers, 0, "Layer 0 makes 1x8x8x32 of 1x16x16x8"),
    ],
)
def test_a_layer_that_a_change_does_not_suit_is_refused_with_the_reason(
    chain: ModelGraph, change: Callable[[ModelGraph, tuple[int, ...]], ModelGraph], layer: int, why: str
) -> None:
    with pytest.raises(UsageError) as refused:
        change(chain, (layer,))
    assert re.search(why, str(refused.value)), str(refused.value)


@pytest.mark.parametrize("ratio", [0, 1, -0.5, 1.5])
def test_ratios_outside_zero_to_one_are_refused(chain: ModelGraph, ratio: float) -> None:
    with pytest.raises(UsageError, match="outside 0 to 1"):
        factorised(chain, ratio)
    with pytest.raises(UsageError, match="outside 0 to 1"):
        pruned_layers(chain, {0: ratio})


def test_only_the_named_layer_loses_channels_and_its_reader_the_inputs(chain: ModelGraph) -> None:
    made = pruned_layers(chain, {2: 0.5})
    assert macs(made)[:2] == macs(chain)[:2]
    assert macs(made)[2] * 2 == macs(chain)[2]
    assert made.tensors[made.ops[4].inputs[1]].shape == (10, 32)


@pytest.mark.parametrize("name", ["resnet50", "efficientnet_b0", "densenet121"])
def test_ratios_by_cost_save_as_much_with_more_of_the_channels_left(name: str) -> None:
    graph = build_architecture(name)
    costs = [float(each) for each in macs(graph)]
    even, chosen = pruned(graph, 0.3), pruned_by_cost(graph, 0.3, costs)
    assert sum(macs(chosen)) <= 1.01 * sum(macs(even))
    left = [sum(Channels(g.main).free().values()) for g in (even, chosen)]
    assert left[1] > left[0]


def test_ratios_by_cost_take_no_layer_below_twice_the_ratio() -> None:
    graph = build_architecture("resnet50")
    chosen = pruned_by_cost(graph, 0.3, [float(each) for each in macs(graph)])
    for before, after in zip(graph.tensors, chosen.tensors, strict=True):
        if before.shape:
            assert after.shape[-1] >= 0.4 * before.shape[-1]


# The slim networks round widths so themselves: channels of a named width are those of a width multiplier.
@pytest.mark.parametrize("width", [0.75, 0.5, 0.25])
def test_a_width_multiplier_of_mobilenet_v1_gives_the_named_network_of_that_width(width: float) -> None:
    made = widened(build_architecture("mobilenet_v1"), width)
    named = build_architecture(f"mobilenet_v1:{width}")
    assert [t.shape for t in made.tensors] == [t.shape for t in named.tensors]


def test_aligned_channels_are_multiples_except_for_inputs_and_outputs() -> None:
    made = aligned(build_architecture("mobilenet_v3_small"), 16)
    widths = [made.tensors[op.outputs[0]].shape[-1] for op in made.ops if op.kind == "CONV_2D"][:-1]
    assert all(width % 16 == 0 for width in widths)
    with pytest.raises(UsageError, match="multiples of 16 already"):
        aligned(made, 16)


def test_a_residual_block_without_change_of_shape_can_go_and_its_operators_with_it() -> None:
    b = GraphBuilder("residual")
    x = b.conv2d(b.input((1, 8, 8, 3)), 16, 3)
    y = b.add(x, b.conv2d(b.conv2d(x, 32, 3), 16, 3))
    graph = b.build([b.fully_connected(b.mean(y), 10)])
    made = without_blocks(graph)
    assert [op.kind for op in made.ops] == ["CONV_2D", "MEAN", "FULLY_CONNECTED"]


def test_an_early_exit_ends_in_the_same_classes() -> None:
    graph = build_architecture("ic")
    made = ended_early(graph, 3)
    assert [op.kind for op in made.ops][-4:] == ["AVERAGE_POOL_2D", "RESHAPE", "FULLY_CONNECTED", "SOFTMAX"]
    assert made.outputs[0].shape == graph.outputs[0].shape
    assert made.outputs[0].quantization == graph.outputs[0].quantization
    with pytest.raises(UsageError, match="There is no layer 99"):
        ended_early(graph, 99)


def test_an_exit_right_before_the_softmax_is_no_exit() -> None:
    graph = build_architecture("ic")
    with pytest.raises(UsageError, match="scores of the model's own head"):
        ended_early(graph, len(graph.ops) - 2)


def test_layers_that_share_weights_keep_the_same_channels_and_those_that_share_a_bias_may_part() -> None:
    b = GraphBuilder("shared")
    x = b.input((1, 8, 8, 8))
    options = {"padding": "SAME", "stride_h": 1, "stride_w": 1, "fused_activation_function": "NONE"}
    w, own, bias = b.constant("w", (16, 1, 1, 8)), b.constant("own", (16, 1, 1, 8)), b.constant("bias", (16,))
    made = [b.op("CONV_2D", (x, each, bias), (1, 8, 8, 16), options) for each in (w, w, own)]
    graph = b.build([b.conv2d(each, 4, 1) for each in made])
    small = pruned_layers(graph, {0: 0.5})
    assert [small.tensors[op.outputs[0]].shape[-1] for op in small.ops[:3]] == [8, 8, 16]
    assert [small.tensors[op.inputs[2]].shape for op in small.ops[:3]] == [(8,), (8,), (16,)]


def test_a_network_with_a_pyramid_of_features_gets_the_nearest_input_it_takes() -> None:
    graph = build_architecture("yolov5n:320")
    assert scaled_image(graph, 0.7).inputs[0].shape[1:3] == (224, 224)
    with pytest.raises(UsageError, match=r"200x200 does not fit.*Nearest that fit: 192x192"):
        with_image(graph, 200, 200)
    with pytest.raises(UsageError, match="already"):
        with_image(graph, 320, 320)


def test_a_student_is_the_next_of_the_family_with_the_models_input_and_type() -> None:
    teacher = build_architecture("mobilenet_v2:0.5:96:int8")
    assert smaller(teacher) == "mobilenet_v2:0.35"
    made = student(teacher)
    assert made.inputs[0].shape == teacher.inputs[0].shape
    assert made.dtype is teacher.dtype
    assert made.parameter_bytes < teacher.parameter_bytes
    assert smaller(build_architecture("resnet50")) == "resnet34"
    assert smaller(build_architecture("mobilenet_v2:0.6")) == "mobilenet_v2:0.5"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("resnet50", "no smaller"),
        ("kws", "kws has no input of 224 pixels"),
        ("mobilenet_v2:0.35:128", "reads 1x128x128x3"),
    ],
)
def test_a_student_that_is_larger_or_reads_something_else_is_refused(name: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        student(build_architecture("mobilenet_v2"), name)


def test_the_smallest_of_a_family_has_no_student() -> None:
    with pytest.raises(UsageError, match="smallest of its family"):
        student(build_architecture("resnet18"))
