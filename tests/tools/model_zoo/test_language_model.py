from __future__ import annotations

import pytest

from edgewright.hardware_db.errors import UnknownNameError
from edgewright.tools.model_zoo.language_model import language_model, load_catalogue
from edgewright.tools.model_zoo.weight_format import kv_format, load_formats, weight_format

GIB = 2**30
SIZES_OF_LLAMA_3_1_8B = {
    "IQ1_S": 1.87,
    "IQ1_M": 2.01,
    "IQ2_XXS": 2.23,
    "IQ2_XS": 2.42,
    "IQ2_S": 2.56,
    "IQ2_M": 2.74,
    "IQ3_XXS": 3.04,
    "IQ3_XS": 3.27,
    "IQ3_S": 3.42,
    "IQ3_M": 3.52,
    "IQ4_XS": 4.17,
    "IQ4_NL": 4.38,
    "Q2_K_S": 2.78,
    "Q2_K": 2.95,
    "Q3_K_S": 3.41,
    "Q3_K_L": 4.02,
    "Q4_K_S": 4.36,
    "Q5_K_S": 5.21,
    "Q5_K_M": 5.33,
    "Q6_K": 6.14,
}
"""In GiB: the other rows of llama.cpp's tools/quantize/README.md."""


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
        *(("llama-3.1-8b", weights, gib) for weights, gib in SIZES_OF_LLAMA_3_1_8B.items()),
    ],
)
def test_weights_take_what_published_files_take(model: str, weights: str, gib: float) -> None:
    assert language_model(model).weights_bytes(weight_format(weights)) / GIB == pytest.approx(gib, rel=0.03)


@pytest.mark.parametrize(
    ("model", "total", "active"),
    [
        ("gpt-oss-20b", 21, 3.6),  # openai/gpt-oss README
        ("gpt-oss-120b", 117, 5.1),
        ("deepseek-v2-lite", 15.7, 2.4),  # deepseek-ai/DeepSeek-V2 README: 16B, 2.4B active
        ("qwen2.5-vl-7b", 8.292, None),  # OpenExplorer/Qwen2.5-VL-7B-Instruct
        ("lfm2-1.2b", 1.17, None),
        ("whisper-base", 0.074, None),  # openai/whisper README; positions are left out here
        ("whisper-small", 0.244, None),
        ("whisper-medium", 0.769, None),
        ("whisper-large-v3", 1.55, None),
        ("whisper-large-v3-turbo", 0.809, None),
        ("granite-3-8b", 8.17, None),
        ("mixtral-8x7b", 46.7, 12.9),
        ("falcon-7b", 7.217, None),
        ("deepseek-v3-671b", 671, 37),  # deepseek-ai/DeepSeek-V3 README
        ("kimi-k2", 1000, None),  # MaxText: kimi-k2-1t
        ("llama-4-scout", 109, None),  # Transformers on Llama 4: 109 B and 402 B
        ("llama-4-maverick", 402, None),
        ("qwen3-coder-30b-a3b", 30.5, None),  # its card: 30.5 B, 3.3 B active with the embedding
        ("qwen3-coder-480b-a35b", 480, 35),
        ("qwen3-next-80b-a3b", 80, None),
        ("glm-4.5-air", 106, None),  # ggml-org/llama.cpp pull request 15026: 106B-A12B
        ("mistral-small-24b", 23.57, None),  # whatmodel.sh on Magistral Small, the same shape
        ("codestral-22b", 22, None),  # of their names
        ("ministral-8b", 8, None),
        ("command-r-35b", 35, None),
        ("command-r7b", 8.03, None),  # its header, as llama.cpp prints it
        ("glm-4-32b", 32.57, None),  # likewise
        ("yi-34b", 34, None),
        ("smollm3-3b", 3.1, None),
        ("gemma-3-270m", 0.27, None),
        ("exaone-3.5-7.8b", 7.8, None),
        ("exaone-3.5-2.4b", 2.4, None),
    ],
)
def test_parameters_are_those_that_are_published(model: str, total: float, active: float | None) -> None:
    shape = language_model(model)
    assert shape.parameters / 1e9 == pytest.approx(total, rel=0.035)
    assert active is None or shape.active_parameters / 1e9 == pytest.approx(active, rel=0.025)


def test_a_layer_with_a_window_keeps_no_more_than_its_window() -> None:
    model, kv = language_model("gpt-oss-20b"), kv_format("f16")
    grown = model.kv_bytes(kv, 20_000) - model.kv_bytes(kv, 10_000)
    assert grown == 10_000 * 12 * 2 * 8 * 64 * 2  # of 24 layers every other one looks back 128 tokens


def test_compressed_keys_and_values_take_one_vector_a_layer() -> None:
    assert language_model("deepseek-v2-lite").kv_bytes(kv_format("f16"), 1) == 27 * (512 + 64) * 2


def test_compressed_queries_are_made_twice_as_keys_and_values_are() -> None:
    model = language_model("deepseek-v3")
    assert model.latent is not None
    whole = model.model_copy(update={"latent": model.latent.model_copy(update={"query_rank": 0})})
    made, rank = 128 * (128 + 64), 1536
    assert whole.parameters - model.parameters == 61 * (7168 * made - rank * (7168 + made))
    assert whole.kv_bytes(kv_format("f16"), 1) == model.kv_bytes(kv_format("f16"), 1)


def test_three_of_four_layers_of_qwen3_next_keep_no_tokens() -> None:
    assert language_model("qwen3-next").kv_bytes(kv_format("f16"), 1) == 12 * 2 * 2 * 256 * 2


def test_a_short_convolution_keeps_no_tokens() -> None:
    assert language_model("lfm2-1.2b").kv_bytes(kv_format("f16"), 1) == 6 * 2 * 8 * 64 * 2


@pytest.mark.parametrize("model", ["llama-3.1-8b", "gpt-oss-20b", "gemma-3-27b", "deepseek-v2-lite"])
@pytest.mark.parametrize("room", [1e6, 3e7, 1e9])
def test_so_many_tokens_fit_and_one_more_does_not(model: str, room: float) -> None:
    shape, kv = language_model(model), kv_format("q8_0")
    tokens = shape.tokens_in(kv, room)
    assert shape.kv_bytes(kv, tokens) <= room
    assert tokens == shape.context or shape.kv_bytes(kv, tokens + 1) > room


def test_the_cache_of_llama_3_1_takes_128_kib_a_token_in_16_bits() -> None:
    model = language_model("llama-3.1-8b")
    assert model.kv_bytes(kv_format("f16"), 1) == 128 * 1024
    assert model.kv_bytes(kv_format("q8_0"), 1) == 128 * 1024 * 8.5 / 16


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
    assert weight_format("int4", "vllm").id == "W4A16"
    assert weight_format("int8", "rkllm").id == "w8a8"
    assert weight_format("w4a16").id == "w4a16"
    assert weight_format("W4A16").id == "W4A16"


def test_an_unknown_model_names_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"llama-3\.1-8b"):
        language_model("llama-3.1-9b")


def test_every_figure_names_a_source_that_the_file_describes() -> None:
    catalogue, formats = load_catalogue(), load_formats()
    for entry in (*formats.weights, *formats.kv):
        assert entry.source in formats.sources
    for model in catalogue.models:
        cited = [part.strip().partition(",")[0].removeprefix("tied: ") for part in model.source.split(";")]
        assert set(cited) <= set(catalogue.sources), model.id
