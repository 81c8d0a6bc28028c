"""No rate lies above what the bandwidth and the peak allow, whichever model, card, crowd or context."""

from __future__ import annotations

from itertools import product

import pytest

from edgewright import tools
from edgewright.tools.core.quantity import Quantity
from edgewright.tools.generation.generation_estimate import GenerationEstimate
from edgewright.tools.model_zoo.language_model import LanguageModel, language_model

MODELS = ("llama-3.1-8b", "llama-3.1-70b", "qwen2.5-0.5b", "mixtral-8x7b", "gemma-2-9b")
CARDS = (
    ("h100-sxm5", "vllm", "BF16"), ("l4", "vllm", "F16"), ("l40s", None, None), ("rtx-4090", None, None),
    ("apple-m2-ultra", None, None), ("jetson-orin-nano-8gb", None, None), ("intel-n100", None, None),
    ("raspberry-pi-5", None, None),
)  # fmt: skip
USERS, CONTEXTS = (1, 3, 50, 200), (512, 2048, 32_768, 131_072)
HOST = 89.6e9
"""Bytes a second of DDR5-5600 on two channels: 5600e6 transfers of 8 bytes on each."""


def read_a_step(model: LanguageModel, found: GenerationEstimate, users: int, tokens: int) -> float:
    """Bytes, counted again from the shape: of a mixture the experts of one token alone, which is a floor."""
    active = model.active_parameters / model.parameters
    weights = found.weights_bytes * min(1.0, active)
    seen = (model.layers - model.convolution_layers) * tokens
    seen -= model.windowed_layers * max(0, tokens - model.window)
    values = 2 * model.kv_heads * model.head_size * seen
    return weights + users * values * 2


def most(model: LanguageModel, found: GenerationEstimate, users: int, tokens: int) -> float:
    assert found.bandwidth_bytes_per_s is not None
    return users * found.bandwidth_bytes_per_s / read_a_step(model, found, users, tokens)


def is_held(rate: Quantity, limit: float) -> bool:
    return rate.high is None or rate.high <= limit * 1.001


def estimate(
    model: str, card: tuple[str, str | None, str | None], users: int, context: int
) -> GenerationEstimate:
    target, runtime, weights = card
    return tools.estimate_generation(
        model, target, runtime=runtime, weights=weights, context=context, batch=users, crowds=users == 1
    )


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card[0])
@pytest.mark.parametrize("name", MODELS)
def test_rates_are_below_bandwidth_over_bytes(name: str, card: tuple[str, str | None, str | None]) -> None:
    model = language_model(name)
    for users, context in product(USERS, CONTEXTS):
        found = estimate(name, card, users, context)
        if found.bandwidth_bytes_per_s is None:
            continue
        cached = context if users > 1 else found.prompt_tokens
        assert is_held(found.decode_tokens_per_s, most(model, found, users, cached)), (users, context)
        assert is_held(found.full_context_tokens_per_s, most(model, found, users, context)), (users, context)
        each = most(model, found, users, cached) / users
        assert is_held(found.session_tokens_per_s, each), (users, context)
        for crowd in found.crowds:
            limit = most(model, found, crowd.sessions, context)
            assert is_held(crowd.decode_tokens_per_s, limit), (crowd.sessions, context)
            assert is_held(crowd.session_tokens_per_s, limit / crowd.sessions), (crowd.sessions, context)
        if found.offloaded is not None:
            beside = found.offloaded
            share = 1 - beside.gpu_layers / found.layers
            step = read_a_step(model, found, users, cached)
            own = found.bandwidth_bytes_per_s
            seconds = share * step / HOST + (1 - share) * step / own
            assert is_held(beside.decode_tokens_per_s, users / seconds), (users, context)
        for remedy in found.remedies:
            whole = remedy.total_bytes - found.buffer_bytes
            if model.experts == 1 and remedy.kind in ("cards", "weights"):
                limit = users * found.bandwidth_bytes_per_s / (whole * 0.9)
                full = users > 1 or context == found.prompt_tokens
                assert not full or is_held(remedy.decode_tokens_per_s, limit), (users, context)


def test_three_requests_with_a_full_context_on_an_h100_are_at_most_fifty_tokens_a_second_each() -> None:
    """14 GiB of weights, less the embedding, and 16 GiB of cache a request at 3.35 TB/s."""
    found = tools.estimate_generation(
        "llama-3.1-8b", "h100-sxm5", runtime="vllm", weights="BF16", context=131_072, batch=3
    )
    limit = 3.35e12 / (2 * 7.5e9 + 3 * 131_072 * 32 * 2 * 8 * 128 * 2)
    assert limit < 51
    assert is_held(found.session_tokens_per_s, limit)
    assert float(found.session_tokens_per_s) > 0.5 * limit


def test_a_prompt_is_read_no_faster_than_the_peak_computes_it() -> None:
    peak = {"h100-sxm5": 989.4e12, "rtx-4090": 330.3e12}
    for name, target in product(("llama-3.1-8b", "qwen2.5-0.5b"), peak):
        found = tools.estimate_generation(name, target, prompt_tokens=4096)
        operations = 2.0 * language_model(name).active_parameters
        rate = found.prefill_tokens_per_s
        assert rate.high is not None
        assert rate.high <= peak[target] / operations * 1.01


def test_as_many_sessions_as_write_so_fast_do_so_with_their_contexts_full() -> None:
    found = tools.estimate_generation(
        "llama-3.1-8b", "h100-sxm5", runtime="vllm", weights="BF16", context=32_768, session_tokens_per_s=60.0
    )
    assert found.most_sessions is not None
    step = 2 * 7.5e9 + found.most_sessions * 32_768 * 32 * 2 * 8 * 128 * 2
    assert found.most_sessions >= 1
    assert 3.35e12 / step >= 60.0


def test_many_sessions_beside_a_card_wait_for_the_memory_and_the_cores_of_the_computer() -> None:
    """200 sessions of a model of which a fifth lies in a computer: its cores compute a fifth of 200 tokens."""
    found = tools.estimate_generation("llama-3-8b", "l40s", context=2048, batch=200)
    assert found.offloaded is not None
    rate = found.offloaded.decode_tokens_per_s
    seconds = found.offloaded.host_bytes / HOST
    assert rate.high is not None
    assert rate.high <= 200 / seconds
    share = 1 - found.offloaded.gpu_layers / found.layers
    arithmetic = 200 * 2 * 7.5e9 * share / 2e12
    assert float(rate) <= 200 / max(seconds, arithmetic)
