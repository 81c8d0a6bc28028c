"""A draft model that writes ahead, and fine-tuning on one card, against what others measured."""

from __future__ import annotations

import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools import estimate_finetuning, estimate_generation


def test_a_draft_brings_about_what_others_measured_with_it() -> None:
    found = estimate_generation(
        "llama-3.1-8b", "rtx-3060", weights="Q8_0", draft="llama-3.2-1b", accepted=0.72
    )
    assert found.draft is not None
    [row] = found.draft.accepted
    assert row.times == pytest.approx(55.473 / 32.49, rel=0.15)  # ggml-org/llama.cpp issue 5877


def test_more_accepted_tokens_bring_more_and_none_bring_nothing() -> None:
    found = estimate_generation("qwen2.5-32b", "rtx-3090", draft="usual")
    assert found.draft is not None
    assert found.draft.model == "qwen2.5-0.5b"
    gains = [row.times for row in found.draft.accepted]
    assert gains == sorted(gains)
    none = estimate_generation("qwen2.5-32b", "rtx-3090", draft="usual", accepted=0.0).draft
    assert none is not None
    assert none.accepted[0].times < 1


def test_a_share_is_between_none_and_all_and_a_small_model_has_no_usual_draft() -> None:
    with pytest.raises(UsageError):
        estimate_generation("qwen2.5-32b", "rtx-3090", draft="usual", accepted=1.5)
    assert estimate_generation("smollm2-135m", "rtx-3090", draft="usual").draft is None


@pytest.mark.parametrize(("tokens", "gb"), [(512, 20.4), (2048, 23.8), (8192, 36.6)])
def test_memory_of_lora_grows_as_it_was_measured_with_a_7b(tokens: int, gb: float) -> None:
    found = estimate_finetuning("qwen2.5-7b", "a100-sxm4-80gb", tokens_each=tokens, rank=64)
    assert found.total_bytes / 1e9 == pytest.approx(gb, rel=0.15)  # Qwen-7B, QwenLM/Qwen, finetuning


def test_hours_hold_what_was_measured_with_an_8b() -> None:
    found = estimate_finetuning("llama-3-8b", "rtx-3090", method="qlora", examples=10_000)
    assert 4 * 3.6e6 in found.time_ms  # gigagpu.com/fine-tuning-time-by-gpu: some 4 hours


def test_all_weights_of_an_8b_go_on_no_card_at_home() -> None:
    found = estimate_finetuning("llama-3.1-8b", "rtx-4090", method="full")
    assert found.verdict == "FAIL"
    assert not found.time_ms.known
    assert found.total_bytes > 15 * 8e9


@pytest.mark.parametrize("wrong", [{"method": "dora"}, {"examples": 0}, {"epochs": -1.0}, {"rank": 0}])
def test_a_run_of_nothing_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        estimate_finetuning("llama-3.1-8b", "rtx-4090", **wrong)  # type: ignore[arg-type]
