"""What language models and Whisper reach on the cores of phones, whose sheets name no vector width."""

from __future__ import annotations

import pytest

from edgewright.hardware_db import load_target
from edgewright.tools import estimate_generation
from edgewright.tools.cost_model.decode_place import PHONE_THREADS, decode_place


@pytest.mark.parametrize("target", ["tensor-g3", "snapdragon-8-gen-2", "galaxy-s24", "snapdragon-888"])
def test_a_phone_transcribes_and_reads_prompts_on_its_cores(target: str) -> None:
    found = estimate_generation("whisper-small", target)
    assert found.processor == "cpu"
    first = found.time_to_first_token_ms
    assert first.low < first.value < first.high
    assert 1_000 < first.value < 60_000
    assert estimate_generation("phi-3-mini", target).prefill_tokens_per_s.value > 1


def test_the_fastest_cores_count_and_no_more_than_threads_are_started() -> None:
    phone = load_target("tensor-g3")
    peak = decode_place(phone, "cpu", "llama.cpp", "Q8_0").peak_ops_per_s
    one, four = 2 * 2 * 16 * 2.91e9, 2 * 2 * 8 * 2.37e9
    assert peak == pytest.approx(one + (PHONE_THREADS - 1) * four)


def test_a_core_before_float16_counts_once() -> None:
    old = load_target("snapdragon-625")
    peak = decode_place(old, "cpu", "llama.cpp", "Q8_0").peak_ops_per_s
    assert peak == pytest.approx(PHONE_THREADS * 2 * 4 * old.cores[0].clock_max_mhz.value * 1e6)


def test_a_core_that_no_source_tells_the_width_of_leaves_the_peak_unknown() -> None:
    assert decode_place(load_target("apple-a16"), "cpu", "llama.cpp", "Q8_0").peak_ops_per_s is None


def test_a_sheet_that_names_the_width_is_not_overruled() -> None:
    five = load_target("raspberry-pi-5")
    assert decode_place(five, "cpu", "llama.cpp", "Q8_0").peak_ops_per_s == pytest.approx(4 * 2 * 16 * 2.4e9)
