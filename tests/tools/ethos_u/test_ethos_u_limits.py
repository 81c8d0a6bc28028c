from __future__ import annotations

from collections import Counter

import pytest
from corpora.ethos_u_operators import F32, I8, I32, cases, single

from edgewright.tools import deployment
from edgewright.tools.ethos_u.decisions import decided_by_rules
from edgewright.tools.ethos_u.rules import RULES, refusal
from edgewright.tools.ethos_u.unneeded import unneeded
from edgewright.tools.graph import DType, ModelGraph, Op, Subgraph, Tensor

U55, U85 = deployment("ethos-u55-128"), deployment("ethos-u85-256")
ALL = dict(cases())


def against(graph: ModelGraph, where: object = U55) -> str:
    place = U85 if where is U85 else U55
    series = "ethos-u85" if where is U85 else "ethos-u55"
    found = refusal(graph.ops[0], graph.main, series, place.runtime.operators)
    return found.rule if found else ""


@pytest.mark.parametrize(
    ("name", "u55", "u85"),
    [
        ("CONV_2D 4 SAME", "", ""),
        ("CONV_2D 5 SAME", "unrolled_stride", ""),
        ("CONV_2D 4 VALID", "", ""),
        ("DEPTHWISE_CONV_2D 4 VALID", "stride", ""),
        ("AVERAGE_POOL_2D 9 SAME", "average_window", "average_window"),
        ("AVERAGE_POOL_2D 9 VALID", "", ""),
        ("TRANSPOSE_CONV 3", "transposed_stride", ""),
        ("RESIZE_BILINEAR 3 False", "enlarged", "enlarged_on_u85"),
        ("RESIZE_BILINEAR 4 True", "enlarged", ""),
        ("MEAN 3 (1, 8, 8, 4)", "mean_over_depth", "mean_over_depth"),
        ("MEAN 1,2 (2, 8, 8, 4)", "one_mean_a_time", "one_mean_a_time"),
        ("MEAN 2 (1, 1, 4200, 4)", "mean_axis", "mean_axis"),
        ("TRANSPOSE 3,2,1,0 int8", "of_few_bits", ""),
        ("ARG_MAX 3 128", "largest_of_few", ""),
        ("ARG_MAX 2 16", "largest_channel", ""),
        ("GATHER 1", "known", "gathered_axis"),
        ("FULLY_CONNECTED x int16", "matrix_product", ""),
        ("MINIMUM int32", "no_32_bits", ""),
        ("ADD float32", "feature_map_type", "feature_map_type"),
        ("SQRT int8", "known", "known"),
    ],
)
def test_limits_of_the_series_differ(name: str, u55: str, u85: str) -> None:
    assert (against(ALL[name]), against(ALL[name], U85)) == (u55, u85)


def test_every_rule_is_a_sentence_for_the_user() -> None:
    for rule in RULES:
        text = rule.__doc__ or ""
        assert text[0].isupper(), rule.__name__
        assert text.endswith("."), rule.__name__
        assert "\n" not in text, rule.__name__
    assert max(Counter(rule.__doc__ for rule in RULES).values()) == 1


def test_a_refusal_shows_what_makes_the_rule_apply() -> None:
    found = decided_by_rules(ALL["ARG_MAX 3 128"], U55)[0]
    assert not found.accelerated
    assert found.reason.endswith("at most 127 channels: the input has 128")


def test_zero_points_of_32_bits_are_0() -> None:
    graph = single(
        "ADD", [("x", (1, 4), I8), ("x", (1, 4), I8)], ((1, 4), I8), fused_activation_function="NONE"
    )
    assert against(graph) == ""
    bare = single(
        "ADD", [("x", (1, 4), I32), ("x", (1, 4), I32)], ((1, 4), I32), fused_activation_function="NONE"
    )
    assert against(bare) == ""


def shape_chain(dtype: DType) -> ModelGraph:
    """A reshape to a shape that the model computes, as converters write it for an open batch."""
    source = next(iter(ALL.values())).tensors[0].quantization if dtype is I8 else None

    def tensor(index: int, shape: tuple[int, ...], kind: DType) -> Tensor:
        return Tensor(index, f"t{index}", shape, kind, quantization=source if kind is I8 else None)

    tensors = (tensor(0, (1, 4, 4, 2), dtype), tensor(1, (4,), DType.INT32), tensor(2, (1, 32), dtype))
    ops = (Op(0, "SHAPE", (0,), (1,)), Op(1, "RESHAPE", (0, 1), (2,)))
    return ModelGraph("chain", "architecture", "", None, (Subgraph("main", tensors, ops, (0,), (2,)),))


def test_what_computes_the_shape_of_a_reshape_on_the_npu_is_left_out() -> None:
    graph = shape_chain(I8)
    assert unneeded(graph.main, lambda op: True) == {0}
    assert all(decision.accelerated for decision in decided_by_rules(graph, U55).values())
    assert not any(decision.accelerated for decision in decided_by_rules(shape_chain(F32), U55).values())
