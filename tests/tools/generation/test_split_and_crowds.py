"""Layers in the computer's memory beside a card, and how many sessions at once pay."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools import estimate_generation
from edgewright.tools.generation.host_memory import host_memory


def test_what_a_card_does_not_hold_is_read_from_the_computers_memory() -> None:
    slow, fast = (
        estimate_generation("gemma-2-27b", "rtx-3060", weights="Q4_K_M", host=host)
        for host in ("ddr4", "ddr5-6400")
    )
    assert slow.offloaded is not None
    assert fast.offloaded is not None
    assert slow.offloaded.gpu_layers == slow.most_gpu_layers
    assert float(slow.offloaded.decode_tokens_per_s) < float(fast.offloaded.decode_tokens_per_s)
    assert slow.offloaded.host_bandwidth_bytes_per_s
    most = slow.offloaded.host_bandwidth_bytes_per_s / slow.offloaded.host_bytes
    assert float(slow.offloaded.decode_tokens_per_s) < most  # no faster than that memory is read


def test_a_card_that_holds_all_leaves_nothing_beside_it() -> None:
    assert estimate_generation("llama-3.1-8b", "rtx-3060").offloaded is None


def test_a_computer_with_too_little_memory_does_not_hold_the_rest() -> None:
    found = estimate_generation(
        "llama-3.3-70b", "rtx-4090", weights="Q4_K_M", host="ddr5", host_memory_bytes=8 << 30
    )
    assert found.offloaded is not None
    assert found.offloaded.verdict == "FAIL"
    assert not found.offloaded.decode_tokens_per_s.known


def test_the_verdict_is_of_the_card_and_the_computer_that_is_named_around_it() -> None:
    asked: dict[str, Any] = {"model": "llama-3.1-70b", "deployment": "rtx-3090"}
    alone, beside = estimate_generation(**asked), estimate_generation(**asked, host="ddr5")
    assert (alone.verdict, beside.verdict) == ("FAIL", "MARGINAL")  # how much memory it has is not said
    assert alone.weights == beside.weights == "Q4_K_M"
    assert alone.offloaded is not None
    assert beside.decode_tokens_per_s == alone.offloaded.decode_tokens_per_s
    assert beside.statement.endswith("which each token waits for")
    assert beside.gpu_layers == beside.most_gpu_layers
    verdicts = {
        gib: estimate_generation(**asked, host="ddr5", host_memory_bytes=gib << 30).verdict for gib in (8, 64)
    }
    assert verdicts == {8: "FAIL", 64: "PASS"}


def test_a_context_goes_on_in_the_computers_memory() -> None:
    asked: dict[str, Any] = {"model": "llama-3.1-70b", "deployment": "rtx-3090", "host": "ddr5"}
    assert estimate_generation(**asked).max_context is None  # how much memory it has is not said
    some, more = (estimate_generation(**asked, host_memory_bytes=n << 30).held_context for n in (32, 64))
    assert 4096 < (some or 0) < (more or 0)
    fewer = estimate_generation(**asked, gpu_layers=40).max_context
    assert 4096 < (fewer or 0) < (estimate_generation(**asked, gpu_layers=20).max_context or 0)


@pytest.mark.parametrize(
    ("name", "gb_s"), [("ddr4", 51.2), ("DDR5-6000", 96.0), ("ddr5-4800x8", 307.2), (None, 89.6)]
)
def test_memory_is_known_by_its_transfers_and_channels(name: str | None, gb_s: float) -> None:
    assert host_memory(name).bytes_per_s == pytest.approx(gb_s * 1e9)


@pytest.mark.parametrize("name", ["ddr9", "ddr5-0", "ddr4-99999", "ddr5-5600x0", "ddr5-5600x99", ""])
def test_no_other_name_is_a_memory(name: str) -> None:
    with pytest.raises(UsageError):
        host_memory(name or "ddr")


def test_more_sessions_pay_until_the_memory_or_the_arithmetic_ends_it() -> None:
    found = estimate_generation("llama-3.1-8b", "h100-sxm5", crowds=True)
    assert [crowd.sessions for crowd in found.crowds[:4]] == [1, 2, 4, 8]
    assert found.paying is not None
    assert found.paying_bound in ("memory", "speed")
    together = [float(crowd.decode_tokens_per_s) for crowd in found.crowds]
    paying = found.crowds.index(found.paying)
    assert all(more >= 1.25 * less for less, more in pairwise(together[: paying + 1]))


def test_what_does_not_fit_serves_nobody() -> None:
    found = estimate_generation("llama-3.3-70b", "rtx-3060", weights="Q8_0", crowds=True)
    assert found.crowds == ()
    assert found.paying is None


def test_a_smaller_cache_is_one_that_the_engine_takes() -> None:
    caches = {}
    for runtime, context in (("vllm", 80_000), ("llama.cpp", 100_000)):
        found = estimate_generation(
            "llama-3.1-8b", "rtx-4090", runtime=runtime, weights="BF16", context=context
        )
        caches[runtime] = [remedy.kv for remedy in found.remedies if remedy.kind == "cache"]
    assert caches == {"vllm": ["fp8"], "llama.cpp": ["q8_0"]}
