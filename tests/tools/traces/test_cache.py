"""Working sets against the cache where there are no counters."""

import pytest

from edgewright.tools import deployment, parse_model, predict_cache

M7 = deployment("stm32h743zi", "tflm-cmsis-nn")


def test_the_working_set_is_what_a_layer_reads_and_writes() -> None:
    graph = parse_model("kws:int8")
    first = predict_cache(graph, M7).layers[0]
    op = graph.ops[0]
    assert first.working_set_bytes == sum(
        graph.tensors[at].bytes or 0 for at in (*op.inputs, *op.outputs) if at >= 0
    )


@pytest.mark.parametrize("layer", predict_cache("resnet8:int8", M7).layers)
def test_the_documents_rates_go_by_the_ratio(layer: object) -> None:
    ratio, rate = layer.cache_ratio, layer.miss_rate
    assert rate == (0.02 if ratio <= 1 else 0.10 if ratio <= 2 else 0.30)


def test_each_line_of_the_working_set_is_missed_once_at_least() -> None:
    for layer in predict_cache("kws:int8", M7).layers:
        assert layer.least_misses == -(-layer.working_set_bytes // 64)


def test_a_core_without_a_cache_misses_nothing() -> None:
    found = predict_cache("kws:int8", deployment("stm32l4r5zi", "tflm-cmsis-nn"))
    assert found.cache_bytes is None
    assert {layer.miss_rate for layer in found.layers} == {None}
    assert any("no data cache is known" in line for line in found.assumptions)
