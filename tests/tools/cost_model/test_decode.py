from __future__ import annotations

from dataclasses import replace

import pytest

from edgewright.hardware_db import load_target
from edgewright.hardware_db.coefficients.decode import load_decode_fit
from edgewright.tools import Basis, Quantity
from edgewright.tools.cost_model.decode import (
    DecodePlace,
    Sessions,
    chunk_seconds,
    prefill_tokens_per_s,
)
from edgewright.tools.cost_model.decode_place import decode_place
from edgewright.tools.generation.speed import Part, decode_rate
from edgewright.tools.model_zoo.language_model import language_model
from edgewright.tools.model_zoo.weight_format import kv_format, weight_format

CARD = DecodePlace("gpu", "llama.cpp", 1e12, 150e12)


def sessions(
    model: str = "llama-3-8b", weights: str = "Q4_K_M", context: int = 512, many: int = 1
) -> Sessions:
    return Sessions(language_model(model), weight_format(weights), kv_format("f16"), context, many)


def speed(work: Sessions, place: DecodePlace = CARD) -> Quantity:
    return decode_rate(work, (Part(place, 1.0),))


def rate(work: Sessions, place: DecodePlace = CARD) -> float:
    return float(speed(work, place))


def test_more_bytes_a_token_are_fewer_tokens_a_second() -> None:
    by_weights = [rate(sessions(weights=weights)) for weights in ("Q4_K_M", "Q8_0", "F16")]
    assert by_weights == sorted(by_weights, reverse=True)
    assert rate(sessions("llama-3-70b")) < rate(sessions("llama-3-8b")) < rate(sessions("llama-3.2-1b"))


def test_no_rate_is_above_the_bandwidth_over_the_bytes_of_a_token() -> None:
    for weights in ("Q4_K_M", "F16"):
        work = sessions(weights=weights)
        most = CARD.bytes_per_s / work.step_bytes
        assert rate(work) < most
        assert speed(work).high <= most


def test_twice_the_bandwidth_is_less_than_twice_as_fast_for_layers_have_a_cost_of_their_own() -> None:
    faster = replace(CARD, bytes_per_s=2e12)
    assert 1.2 < rate(sessions("llama-3.2-1b"), faster) / rate(sessions("llama-3.2-1b")) < 2


def test_a_longer_context_is_slower_by_its_cache() -> None:
    short, long = sessions(context=0), sessions(context=8192)
    assert long.step_bytes - short.step_bytes == 8192 * 128 * 1024
    assert rate(long) < rate(short)


def test_sessions_at_once_raise_the_total_until_arithmetic_binds() -> None:
    totals = [rate(sessions(context=0, many=many)) for many in (1, 8, 64, 512, 4096, 8192)]
    assert totals[:4] == sorted(totals[:4])
    assert totals[1] / totals[0] == pytest.approx(8, rel=0.01)
    assert totals[-1] == pytest.approx(totals[-2], rel=0.01)


def test_sessions_share_the_weights_but_each_reads_its_own_cache() -> None:
    one, eight = sessions(context=4096), sessions(context=4096, many=8)
    assert eight.step_bytes - one.step_bytes == 7 * 4096 * 128 * 1024


def test_the_interval_of_several_sessions_is_no_narrower_than_that_of_one() -> None:
    one, several = speed(sessions()), speed(sessions(many=8))
    assert spread(several) >= spread(one)


def spread(quantity: Quantity) -> float:
    assert quantity.low is not None
    assert quantity.high is not None
    return quantity.high / quantity.low


def test_a_rate_is_fitted_and_in_tokens_a_second() -> None:
    decode = speed(sessions())
    assert (decode.unit, decode.basis) == ("tokens/s", Basis.FITTED)
    assert prefill_tokens_per_s(sessions(), 512, CARD).unit == "tokens/s"


def test_without_a_bandwidth_the_rate_is_unknown() -> None:
    assert not speed(sessions(), replace(CARD, bytes_per_s=None)).known


def test_a_kind_of_processor_that_nothing_was_measured_on_is_unknown() -> None:
    assert not speed(sessions(), replace(CARD, kind="dla")).known


def test_without_a_peak_the_prefill_is_unknown_and_decoding_is_not() -> None:
    place = replace(CARD, peak_ops_per_s=None)
    assert not prefill_tokens_per_s(sessions(), 512, place).known
    assert rate(sessions(), place) == rate(sessions())


def test_a_runtime_that_nothing_was_measured_with_has_the_constants_of_its_kind() -> None:
    other = replace(CARD, runtime="exllama")
    assert 0.8 < rate(sessions(), other) / rate(sessions()) < 1.25


def test_ollama_is_llama_cpp() -> None:
    assert rate(sessions(), replace(CARD, runtime="ollama")) == rate(sessions())


def test_a_prompt_takes_at_least_one_reading_of_the_weights() -> None:
    one = float(prefill_tokens_per_s(sessions(), 1, CARD))
    assert one == pytest.approx(rate(sessions(context=0)))


def test_a_prefill_goes_many_times_faster_than_decoding() -> None:
    assert float(prefill_tokens_per_s(sessions(), 1024, CARD)) > 10 * rate(sessions())


def test_rockchips_int8_weights_are_multiplied_in_int8() -> None:
    target = load_target("rk3588")
    integer, half = (decode_place(target, "npu", "rkllm", w).peak_ops_per_s for w in ("w8a8", "w4a16"))
    assert integer is not None
    assert half is not None
    assert integer == 2 * half


def test_a_bandwidth_of_the_users_own_replaces_the_databases() -> None:
    nano = load_target("jetson-orin-nano-8gb")
    assert decode_place(nano, "gpu", "mlc", "Q4_K_M").bytes_per_s == 68e9
    assert decode_place(nano, "gpu", "mlc", "Q4_K_M", 102e9).bytes_per_s == 102e9


def test_unpacking_takes_longer_on_cores_without_dot_products() -> None:
    old, new = (
        decode_place(load_target(t), "cpu", "llama.cpp", "Q4_K_M", 17e9)
        for t in ("raspberry-pi-4b", "raspberry-pi-5")
    )
    assert rate(sessions(), new) > 1.5 * rate(sessions(), old)


def test_a_desktops_cores_read_at_nearer_its_memorys_rate_than_a_boards_or_a_laptops_with_fast_memory() -> (
    None
):
    desktop, board, laptop = (
        decode_place(load_target(t), "cpu", "llama.cpp", "Q4_K_M", bytes_per_s)
        for t, bytes_per_s in (
            ("amd-ryzen-5600", 51.2e9), ("raspberry-pi-5", None), ("intel-core-ultra-7-258v", 136.5e9),
        )
    )  # fmt: skip
    work = sessions("llama-3.1-8b")
    shares = [rate(work, place) * work.step_bytes / place.bytes_per_s for place in (desktop, board, laptop)]
    assert shares[0] > 0.6
    assert max(shares[1:]) < 0.55


def test_x86_cores_whose_vectors_are_not_known_unpack_at_the_middle_rate() -> None:
    assert decode_place(load_target("intel-i5-2400"), "cpu", "llama.cpp", "Q4_K_M").unpack_ops_per_s is None


def test_the_slower_cores_of_a_jetson_start_its_layers_later() -> None:
    places = [
        decode_place(load_target(t), "gpu", "mlc", "Q4_K_M")
        for t in ("jetson-orin-nano-8gb", "rtx-4090", "apple-m2")
    ]
    assert [place.launch > 1 for place in places] == [True, False, False]
    as_a_desktop = replace(places[0], launch=1.0)
    assert rate(sessions("llama-3.2-1b"), as_a_desktop) > 1.1 * rate(sessions("llama-3.2-1b"), places[0])


def test_a_prompt_costs_a_reading_of_all_experts_for_each_chunk() -> None:
    work = sessions("qwen3-30b-a3b", context=0)
    one, two = (chunk_seconds(work, tokens, CARD, load_decode_fit()) for tokens in (512, 1024))
    assert two == pytest.approx(2 * one)
    slower = replace(CARD, bytes_per_s=2e11)
    assert float(prefill_tokens_per_s(work, 512, slower)) < 0.8 * float(prefill_tokens_per_s(work, 512, CARD))


def test_a_graph_made_for_128_tokens_computes_all_of_them() -> None:
    npu = decode_place(load_target("snapdragon-x-elite"), "npu", "genie", "w4a16")
    work = sessions("llama-3.2-3b", "w4a16", context=0)
    few, whole = (n / float(prefill_tokens_per_s(work, n, npu)) for n in (20, 128))
    assert few == pytest.approx(whole)


@pytest.mark.parametrize("tokens", [1, 4096, 40_000])
def test_a_prompt_attends_to_itself_as_the_scaling_laws_count(tokens: int) -> None:
    """2 × layers × tokens × width of attention for each token (arxiv.org/abs/2001.08361, table 1)."""
    model = language_model("llama-3-8b")
    counted = 2 * 32 * 4096 * tokens * tokens
    assert model.attention_operations(tokens) == pytest.approx(counted, rel=1.01 / tokens)


def test_layers_that_look_back_a_little_compute_what_they_see() -> None:
    model = language_model("gpt-oss-20b")
    every = model.model_copy(update={"windowed_layers": 0})
    assert model.attention_operations(model.window) == every.attention_operations(model.window)
    assert 0.5 < model.attention_operations(40_000) / every.attention_operations(40_000) < 0.52


def test_keys_of_a_latent_attention_are_as_wide_as_they_are_made() -> None:
    model = language_model("deepseek-v3")
    pairs, latent = 61 * 1000 * 1001 / 2, model.latent
    assert latent is not None
    assert model.attention_operations(1000) == 2 * 128 * (128 + 64 + 128) * pairs


def test_a_long_prompt_is_read_slower_for_each_token() -> None:
    """At 40,000 tokens attention is two thirds of what the weights of an 8B compute."""
    short, long = (float(prefill_tokens_per_s(sessions(), tokens, CARD)) for tokens in (512, 40_000))
    assert 1.5 < short / long < 1.75
