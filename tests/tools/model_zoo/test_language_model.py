from __future__ import annotations

import pytest

from edgewright.hardware_db.errors import UnknownNameError
from edgewright.tools.model_zoo.language_model import (
    kv_format,
    language_model,
    load_catalogue,
    weight_format,
)

GIB = 2**30


@pytest.mark.parametrize(
    ("model", "weights", "gib"),
    [
        ("llama-3.1-8b", "Q4_K_M", 4.58),  # ggml-org/llama.cpp 311c2c9f tools/quantize/README.md
        ("llama-3.1-8b", "Q8_0", 7.95),
        ("llama-3.1-8b", "F16", 14.96),
        ("llama-3.2-3b", "Q4_K_M", 1.87),  # geerlingguy/sbc-reviews issue 107
        ("qwen2.5-14b", "Q4_K_M", 8.37),  # geerlingguy/ai-benchmarks issue 23
        ("tinyllama-1.1b", "Q4_K_M", 636.18 / 1024),  # geerlingguy/ai-benchmarks issue 48
        ("qwen2.5-0.5b", "Q4_K_M", 398e6 / GIB),  # Advantech's notes on a Jetson Orin NX: 398 MB
    ],
)
def test_weights_take_what_published_files_take(model: str, weights: str, gib: float) -> None:
    assert language_model(model).weights_bytes(weight_format(weights)) / GIB == pytest.approx(gib, rel=0.03)


def test_the_cache_of_llama_3_1_takes_128_kib_a_token_in_16_bits() -> None:
    model = language_model("llama-3.1-8b")
    assert model.kv_bytes_per_token(kv_format("f16")) == 128 * 1024
    assert model.kv_bytes_per_token(kv_format("q8_0")) == 128 * 1024 * 8.5 / 16


def test_of_a_mixture_of_experts_a_token_reads_the_active_ones_and_many_sessions_nearly_all() -> None:
    model, weights = language_model("qwen3-30b-a3b"), weight_format("Q8_0")
    assert model.active_parameters == pytest.approx(3.0e9, rel=0.1)
    assert model.parameters == pytest.approx(30.5e9, rel=0.01)
    alone, many = model.read_bytes(weights), model.read_bytes(weights, 512)
    assert alone < 0.12 * model.weights_bytes(weights)
    assert many > 0.95 * model.weights_bytes(weights)


def test_of_a_dense_model_many_sessions_read_no_more_weights_than_one() -> None:
    model, weights = language_model("llama-3-8b"), weight_format("Q4_K_M")
    assert model.read_bytes(weights, 64) == model.read_bytes(weights)


def test_an_embedding_that_is_not_the_head_lies_in_memory_but_is_not_read() -> None:
    model, weights = language_model("llama-3.1-8b"), weight_format("F16")
    table = model.vocabulary * model.hidden * 2
    assert model.weights_bytes(weights) - model.read_bytes(weights) == table


@pytest.mark.parametrize("spelling", ["llama3:8b", "Llama 3 8B", "LLAMA-3-8B"])
def test_a_model_goes_by_how_people_spell_it(spelling: str) -> None:
    assert language_model(spelling).id == "llama-3-8b"


def test_int4_weights_are_those_of_llama_cpp_and_rockchips_keep_their_own() -> None:
    assert weight_format("int4").id == "Q4_K_M"
    assert weight_format("w4a16").id == "w4a16"
    assert weight_format("W4A16").id == "W4A16"


def test_an_unknown_model_names_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"llama-3\.1-8b"):
        language_model("llama-3.1-9b")


def test_every_figure_names_a_source_that_the_file_describes() -> None:
    catalogue = load_catalogue()
    for entry in (*catalogue.weights, *catalogue.kv):
        assert entry.source in catalogue.sources
    for model in catalogue.models:
        cited = [part.strip().partition(",")[0].removeprefix("tied: ") for part in model.source.split(";")]
        assert set(cited) <= set(catalogue.sources), model.id
