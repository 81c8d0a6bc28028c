"""What macOS and iOS leave a language model decides whether it fits, by what was logged on such machines."""

import pytest

from edgewright.tools import Verdict, estimate_generation

GIB = 2**30


@pytest.mark.parametrize(
    ("target", "memory_gib", "usable_mib"),
    [("apple-m1", 16, 10922.67), ("apple-m2-max", 32, 21845.34), ("apple-m1-max", 64, 49152.0)],
)
def test_a_gpu_of_a_mac_gets_what_metal_says(target: str, memory_gib: int, usable_mib: float) -> None:
    """recommendedMaxWorkingSetSize: magicoder issue 19, ollama issue 434, llama.cpp issue 1870."""
    found = estimate_generation("llama-3-8b", target, memory_bytes=memory_gib * GIB)
    assert (found.usable_bytes or 0) / 2**20 == pytest.approx(usable_mib, rel=0.005)


@pytest.mark.parametrize(
    ("target", "memory_gib", "most_gb"), [("apple-a15", 6, 4.2), ("apple-a17-pro", 8, 6.0)]
)
def test_an_app_of_an_iphone_gets_what_was_measured(target: str, memory_gib: int, most_gb: float) -> None:
    """pocketpal-ai pull 651 on a phone of 6 GB, rtabmap pull 1446 on one of 8 GB."""
    found = estimate_generation("phi-3-mini", target, memory_bytes=memory_gib * GIB)
    assert (found.usable_bytes or 0) / 1e9 == pytest.approx(most_gb, rel=0.01)


@pytest.mark.parametrize(
    ("model", "target", "weights", "verdict"),
    [
        ("qwen2.5-1.5b", "apple-a17-pro", "Q4_K_M", Verdict.PASS),
        ("llama-3-8b", "apple-a17-pro", "Q4_K_M", Verdict.MARGINAL),
        ("llama-3-8b", "apple-a17-pro", "Q6_K", Verdict.FAIL),
        ("llama-3-70b", "apple-m1-max", "Q4_K_M", Verdict.PASS),
    ],
)
def test_an_iphone_ends_what_takes_more(model: str, target: str, weights: str, verdict: Verdict) -> None:
    assert estimate_generation(model, target, weights=weights).verdict is verdict


@pytest.mark.parametrize(("memory_gib", "verdict"), [(8, Verdict.MARGINAL), (16, Verdict.PASS)])
def test_a_small_mac_hardly_holds_what_fills_it(memory_gib: int, verdict: Verdict) -> None:
    found = estimate_generation("llama-3-8b", "apple-m2", memory_bytes=memory_gib * GIB)
    assert found.weights == "Q4_K_M"
    assert found.verdict is verdict
