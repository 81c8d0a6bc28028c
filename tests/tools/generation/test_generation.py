from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from edgewright.cli import whole_app
from edgewright.hardware_db.errors import UnknownNameError, UsageError
from edgewright.tools import Basis, Verdict, deployment, estimate_generation, rank_generation

ORIN = "jetson-orin-nano-8gb"
GIB = 2**30


def test_llama_3_8b_in_4_bits_fits_an_orin_nano_and_the_interval_holds_what_nvidia_measured() -> None:
    found = estimate_generation("llama-3-8b", ORIN, weights="int4")
    assert found.verdict is Verdict.PASS
    assert found.decode_tokens_per_s.basis is Basis.FITTED
    mlc = estimate_generation("llama-3-8b", ORIN, weights="int4", runtime="mlc")
    assert 14 in mlc.decode_tokens_per_s  # NVIDIA's own page, with MLC
    assert any(line.startswith("14 tokens/s") for line in found.published)


def test_weights_and_cache_add_up_and_the_cache_is_that_of_the_whole_context() -> None:
    found = estimate_generation("llama-3.1-8b", ORIN, context=8192)
    assert found.kv_cache_bytes == GIB
    assert found.total_bytes == found.weights_bytes + found.kv_cache_bytes + found.buffer_bytes
    assert found.buffer_bytes == 258.5 * 2**20  # what llama.cpp logs for Llama 3 8B


def test_half_the_bits_of_the_cache_are_about_twice_the_context() -> None:
    wide, narrow = (
        estimate_generation("llama-3.1-8b", ORIN, weights="int4", kv=kv).max_context for kv in ("f16", "q8_0")
    )
    assert wide is not None
    assert narrow is not None
    assert narrow / wide == pytest.approx(16 / 8.5, rel=0.01)


def test_the_longest_context_fits_and_one_token_more_does_not() -> None:
    most = estimate_generation("llama-3.1-8b", ORIN, weights="int4").max_context
    assert most is not None
    at, above = (
        estimate_generation("llama-3.1-8b", ORIN, weights="int4", context=n) for n in (most, most + 1)
    )
    assert at.usable_bytes
    assert at.total_bytes <= at.usable_bytes < above.total_bytes


def test_what_does_not_fit_has_no_rate() -> None:
    found = estimate_generation("llama-3-70b", "raspberry-pi-5")
    assert found.verdict is Verdict.FAIL
    assert not found.decode_tokens_per_s.known
    assert not found.time_to_first_token_ms.known
    assert found.max_context == 0


def test_without_a_bandwidth_in_the_database_the_rate_is_unknown_until_the_user_gives_one() -> None:
    asked: dict[str, Any] = {"model": "qwen2.5-0.5b", "deployment": "rk3562", "weights": "w8a8"}
    assert not estimate_generation(**asked).decode_tokens_per_s.known
    assert estimate_generation(**asked, bandwidth_gb_s=8.5).decode_tokens_per_s.known


def test_the_time_to_the_first_token_is_the_prompts_at_the_prefills_rate() -> None:
    found = estimate_generation("llama-3-8b", "rtx-4090", prompt_tokens=1024, batch=4)
    expected = 4 * 1024 / float(found.prefill_tokens_per_s) * 1e3
    assert float(found.time_to_first_token_ms) == pytest.approx(expected)


def test_several_sessions_write_more_together_and_hold_a_cache_each() -> None:
    one, eight = (estimate_generation("llama-3-8b", "rtx-4090", batch=n) for n in (1, 8))
    assert float(eight.decode_tokens_per_s) > 4 * float(one.decode_tokens_per_s)
    assert eight.kv_cache_bytes == 8 * one.kv_cache_bytes


def test_a_format_brings_the_engine_that_reads_it() -> None:
    runs = {w: estimate_generation("phi-3-mini", "rk3588", weights=w) for w in ("w8a8", "Q4_K_M")}
    assert {w: (found.runtime, found.processor) for w, found in runs.items()} == {
        "w8a8": ("rkllm", "npu"),
        "Q4_K_M": ("llama.cpp", "cpu"),
    }


def test_a_deployment_stands_for_its_silicon() -> None:
    placed = estimate_generation("llama-3-8b", deployment(ORIN))
    assert placed == estimate_generation("llama-3-8b", ORIN)


@pytest.mark.parametrize(
    "asked",
    [
        {"prompt_tokens": 5000},
        {"context": 0},
        {"batch": 0},
        {"runtime": "mlx"},
        {"runtime": "rkllm"},
        {"runtime": "tensorrt-llm", "weights": "FP8"},
        {"runtime": "vllm", "weights": "Q4_K_M"},
        {"gpu_layers": 33},
        {"runtime": "vllm", "gpu_layers": 3},
    ],
)
def test_what_cannot_be_is_refused(asked: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        estimate_generation("llama-3-8b", ORIN, **asked)


def test_an_unknown_model_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"Nearest: .*llama-3"):
        estimate_generation("llama-3-9b", ORIN)


def test_the_command_prints_what_the_function_returns_and_fails_where_nothing_fits() -> None:
    asked = [
        "generation",
        "llama-3-8b",
        "-t",
        ORIN,
        "--weights",
        "Q4_K_M",
        "--context",
        "2048",
        "--prompt",
        "256",
    ]
    done = CliRunner().invoke(whole_app(), [*asked, "--json"])
    assert done.exit_code == 0
    document = json.loads(done.stdout)
    same = estimate_generation("llama-3-8b", ORIN, weights="Q4_K_M", context=2048, prompt_tokens=256)
    assert document["tool"] == "estimate_generation"
    assert document["result"] == same.to_dict()
    assert CliRunner().invoke(whole_app(), ["generation", "llama-3-70b", "-t", ORIN]).exit_code == 10


def test_the_command_shows_the_rate_and_what_was_measured() -> None:
    done = CliRunner().invoke(whole_app(), ["generation", "llama-3-8b", "-t", ORIN])
    assert "tokens/s" in done.stdout
    assert "Measured: 14 tokens/s" in done.stdout


def test_without_a_format_the_usual_four_bits_are_taken_and_the_widest_that_fits_is_named() -> None:
    wide, narrow = (estimate_generation("llama-3-8b", target) for target in ("rtx-4090", ORIN))
    assert (wide.weights, wide.widest_weights) == ("Q4_K_M", "Q8_0")
    assert (narrow.weights, narrow.widest_weights) == ("Q4_K_M", "Q5_K_M")
    assert any("took Q4_K_M, the usual" in line for line in narrow.assumptions)
    tight = estimate_generation("qwen2.5-32b", "rtx-4060-ti-16gb")
    assert (tight.weights, tight.verdict) == ("Q4_K_M", "FAIL")
    assert "none of four bits fits" in " ".join(tight.assumptions)
    narrow = next(remedy for remedy in tight.remedies if remedy.kind == "narrow")
    assert (narrow.weights, narrow.verdict) == ("IQ3_XXS", "PASS")


def test_an_engine_without_those_four_bits_keeps_its_widest() -> None:
    assert estimate_generation("qwen2.5-1.5b", "rk3588", runtime="rkllm").weights == "w8a8"
    assert estimate_generation("gpt-oss-20b", "rtx-4090").widest_weights is None


def test_as_many_cards_as_hold_it_are_counted_and_share_the_layers() -> None:
    one = estimate_generation("llama-3-70b", "h100-sxm5", weights="F16")
    assert (one.verdict, one.cards_needed) == (Verdict.FAIL, 2)
    both = estimate_generation("llama-3-70b", "h100-sxm5", weights="F16", cards=2)
    assert both.verdict is Verdict.PASS
    assert both.ram_bytes == 2 * (one.ram_bytes or 0)
    assert both.left_bytes == (both.ram_bytes or 0) - both.total_bytes
    assert estimate_generation("llama-3-8b", "apple-m2").cards_needed is None
    for cards in (0, -1, 10**7):
        with pytest.raises(UsageError, match="cannot be counted"):
            estimate_generation("llama-3-8b", "rtx-4090", cards=cards)


def test_a_model_trained_in_4_bits_keeps_them() -> None:
    found = estimate_generation("gpt-oss-20b", "rtx-4090")
    assert found.weights == "MXFP4"
    assert found.weights_bytes / GIB == pytest.approx(11.27, rel=0.01)  # llama-bench's size of it


def test_layers_on_the_cores_make_it_slower_and_those_on_the_card_are_limited_by_its_memory() -> None:
    asked: dict[str, Any] = {"model": "llama-3-70b", "deployment": "rtx-4090", "weights": "Q4_K_M"}
    whole = estimate_generation(**asked)
    assert whole.verdict is Verdict.FAIL
    assert whole.most_gpu_layers is not None
    assert 0 < whole.most_gpu_layers < whole.layers
    alone = estimate_generation(**asked, gpu_layers=whole.most_gpu_layers)
    assert alone.verdict is not Verdict.FAIL
    assert alone.offloaded is not None
    assert alone.offloaded.host_is_taken
    some, fewer = (
        estimate_generation(**asked, gpu_layers=n, host="intel-i7-12700k")
        for n in (whole.most_gpu_layers, whole.most_gpu_layers // 2)
    )
    assert float(some.decode_tokens_per_s) > float(fewer.decode_tokens_per_s)


def test_energy_per_token_is_power_over_rate() -> None:
    found = estimate_generation("llama-3-8b", "rtx-4090")
    joules = 450 / float(found.decode_tokens_per_s)  # the card is rated at 450 W
    assert float(found.energy_uj_per_token) == pytest.approx(joules * 1e6)


def test_vllm_does_not_run_on_a_gpu_of_2017_nor_tensorrt_in_fp8_on_one_of_2020() -> None:
    with pytest.raises(UsageError, match="does not run"):
        estimate_generation("llama-3-8b", "v100-pcie", runtime="vllm")
    with pytest.raises(UsageError, match="later GPUs"):
        estimate_generation("llama-3-8b", "rtx-3090", runtime="tensorrt-llm", weights="FP8")


def test_vllm_stores_fp8_on_a_gpu_of_2020_and_computes_in_16_bits() -> None:
    early, later = (
        estimate_generation("llama-3-8b", card, runtime="vllm", weights="FP8") for card in ("a10", "l40s")
    )
    assert early.weights_bytes == later.weights_bytes
    assert any("has no FP8" in line for line in early.assumptions)
    assert not any("has no FP8" in line for line in later.assumptions)
    assert estimate_generation("llama-3-8b", "a10", runtime="vllm").weights != "FP8"


def test_models_on_a_target_are_ranked_by_size_where_they_are_fast_enough() -> None:
    found = rank_generation(deployment=ORIN, min_tokens_per_s=12)
    passing = [row for row in found.ranking if row.rank is not None]
    assert found.passing == len(passing) > 10
    assert all(float(row.session_tokens_per_s) >= 12 for row in passing)
    assert [row.parameters for row in passing] == sorted((row.parameters for row in passing), reverse=True)
    assert not any(row.model.startswith("whisper") for row in found.ranking)


def test_targets_for_a_model_are_ranked_by_price_and_a_dear_one_fails() -> None:
    found = rank_generation("llama-3-8b", min_tokens_per_s=30, max_price_usd=1700, target_class="gpu")
    prices = [row.price_usd for row in found.ranking if row.rank is not None and row.price_usd is not None]
    assert prices == sorted(prices)
    assert prices[0] < 300
    dear = next(row for row in found.ranking if row.target == "h100-sxm5")
    assert (dear.verdict, dear.rank) == (Verdict.FAIL, None)
    assert "USD" in dear.reason
    assert any(row.verdict is Verdict.UNKNOWN and "price" in row.reason for row in found.ranking)


def test_a_ranking_takes_the_usual_four_bits_and_fewer_where_those_are_too_slow() -> None:
    usual, fast = (
        next(
            row
            for row in rank_generation("llama-3-8b", min_tokens_per_s=n).ranking
            if row.target == "rtx-3060"
        )
        for n in (10, 56)
    )
    assert (usual.weights, fast.weights) == ("Q4_K_M", "IQ4_XS")
    assert float(fast.session_tokens_per_s) >= 56


def test_a_ranking_takes_several_of_a_card_that_alone_does_not_hold_it() -> None:
    alone, together = (
        rank_generation("llama-3.1-70b", min_tokens_per_s=10, target_class="gpu", max_cards=n) for n in (1, 4)
    )
    assert all(row.cards == 1 for row in alone.ranking)
    first, dear = (found.ranking[0] for found in (together, alone))
    assert first.cards in range(2, 5)
    assert first.price_usd is not None
    assert dear.price_usd is not None
    assert first.price_usd < dear.price_usd


@pytest.mark.parametrize("asked", [{}, {"model": "llama-3-8b", "deployment": ORIN}, {"min_tokens_per_s": 0}])
def test_a_ranking_needs_one_side(asked: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        rank_generation(**asked)


def test_the_command_ranks_what_is_left_open() -> None:
    done = CliRunner().invoke(whole_app(), ["generation", "-t", ORIN, "--top", "3"])
    assert done.exit_code == 0
    assert "Each session" in done.stdout
    dear = ["generation", "llama-3-8b", "--min-rate", "30", "--max-price", "5", "--class", "gpu", "--json"]
    done = CliRunner().invoke(whole_app(), dear)
    assert json.loads(done.stdout)["result"]["passing"] == 0
    assert done.exit_code in (10, 11)


def test_another_memory_than_the_targets_gives_the_context_that_fits_it() -> None:
    small, large = (
        estimate_generation("llama-3.1-8b", ORIN, weights="int4", memory_bytes=n * GIB) for n in (6, 12)
    )
    more = ((large.usable_bytes or 0) - (small.usable_bytes or 0)) / (128 * 1024)
    assert more > 0
    assert (large.max_context or 0) - (small.max_context or 0) == pytest.approx(more, abs=1)


def test_what_an_engine_and_a_system_leave_free_holds_no_context() -> None:
    """llama.cpp: -fitt 1024 MiB on each device; vLLM: gpu_memory_utilization 0.92; of a Mac up to 32 GB two thirds."""
    card, other = (
        estimate_generation("llama-3.1-8b", deployment, runtime=runtime, weights=weights)
        for deployment, runtime, weights in (("rtx-4090", "llama.cpp", "Q8_0"), ("h100-sxm5", "vllm", "FP8"))
    )
    mac = estimate_generation("llama-3.1-8b", "apple-m1-pro", memory_bytes=16 * GIB)
    assert (card.ram_bytes or 0) - (card.usable_bytes or 0) == GIB
    assert (other.usable_bytes or 0) / (other.ram_bytes or 1) == pytest.approx(0.92)
    assert (mac.usable_bytes or 0) / (16 * GIB) == pytest.approx(2 / 3, abs=1e-3)
    full = estimate_generation("llama-3.1-8b", "rtx-4090", weights="Q8_0", context=card.max_context or 0)
    assert full.total_bytes <= (card.usable_bytes or 0)


def test_a_case_that_was_published_is_what_the_rate_starts_from() -> None:
    found = estimate_generation("llama-3-8b", "rtx-4090", weights="Q4_K_M", prompt_tokens=1)
    assert found.decode_tokens_per_s.basis is Basis.PUBLISHED
    assert float(found.decode_tokens_per_s) == pytest.approx(127.74, rel=0.03)  # XiongjieDai, README line 22
    assert any("of this very case" in line for line in found.assumptions)


def test_another_case_on_a_target_with_published_ones_is_scaled_and_surer() -> None:
    near, far = (
        estimate_generation("qwen3-14b", target, weights="Q4_K_M") for target in ("rtx-4090", "rtx-5080")
    )
    assert (near.decode_tokens_per_s.basis, far.decode_tokens_per_s.basis) == (Basis.SCALED, Basis.FITTED)
    widths = [
        float(q.high or 0) / float(q.low or 1) for q in (near.decode_tokens_per_s, far.decode_tokens_per_s)
    ]
    assert widths[0] < widths[1]


def test_what_changes_the_silicon_leaves_published_speeds_out() -> None:
    changed = estimate_generation("llama-3-8b", "rtx-4090", weights="Q4_K_M", bandwidth_gb_s=500)
    assert changed.decode_tokens_per_s.basis is Basis.FITTED


def test_a_card_is_not_held_to_be_as_slow_as_it_was_behind_a_raspberry_pi() -> None:
    found = estimate_generation("llama-3.2-3b", "rx-7600", weights="Q4_K_M")
    assert found.decode_tokens_per_s.basis is Basis.FITTED
    assert float(found.decode_tokens_per_s) > 1.2 * 48.47  # geerlingguy, README line 73: on a Raspberry Pi 5


def test_thirty_seconds_of_sound_take_a_raspberry_pi_4_what_was_published() -> None:
    """whisper.cpp took 9.5 s for the encoder of the tiny model (ggml-org/whisper.cpp issues/89)."""
    found = estimate_generation("whisper-tiny", "raspberry-pi-4b", context=448, prompt_tokens=4)
    first = found.time_to_first_token_ms
    assert 5e3 < float(first) < 15e3
    assert float(first.low or 0) < 9.5e3 < float(first.high or 0)


def test_a_prompt_is_read_as_fast_as_was_published_and_a_slower_card_reads_no_faster() -> None:
    """XiongjieDai/GPU-Benchmarks-on-LLM-Inference: 5,909 on an L40S, 6,899 tokens/s on an RTX 4090."""
    cards = [estimate_generation("llama-3-8b", card, weights="Q4_K_M") for card in ("l40s", "rtx-4090")]
    rates = [found.prefill_tokens_per_s for found in cards]
    assert {rate.basis for rate in rates} == {Basis.PUBLISHED}
    assert [float(rate) for rate in rates] == pytest.approx([5908.5, 6898.7], rel=0.01)


def test_a_full_context_is_read_for_every_token() -> None:
    short, long = (estimate_generation("llama-3.2-3b", "rtx-3060", context=n) for n in (4096, 32768))
    assert float(short.decode_tokens_per_s) == float(long.decode_tokens_per_s)
    assert float(long.full_context_tokens_per_s) < float(short.full_context_tokens_per_s)
    assert float(short.full_context_tokens_per_s) < float(short.decode_tokens_per_s)


def test_the_most_memory_of_a_chip_is_not_what_every_one_has() -> None:
    largest = estimate_generation("llama-3.2-1b", "apple-m2").warnings
    assert any("the largest of the variants" in warning for warning in largest)
    assert not any("the largest" in w for w in estimate_generation("llama-3.2-1b", "rtx-4090").warnings)
