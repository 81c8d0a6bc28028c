"""Text generation by language models: fit, tokens a second, time to the first token."""

from __future__ import annotations

from ...hardware_db import Target, resolve_target
from ..core.deployment import Deployment
from ..core.settings import Settings
from ..generation.engine import engine_for
from ..generation.estimate import generation_on
from ..generation.report import GenerationEstimate
from ..model_zoo.language_model import kv_format, language_model


def estimate_generation(
    model: str,
    deployment: Deployment | Target | str,
    *,
    runtime: str | None = None,
    weights: str | None = None,
    kv: str | None = None,
    context: int = 4096,
    prompt_tokens: int = 512,
    batch: int = 1,
    bandwidth_gb_s: float | None = None,
) -> GenerationEstimate:
    """Tell whether a language model fits and how many tokens a second it reads and writes.

    Args:
        model: a name such as llama-3-8b or qwen2.5:7b.
        deployment: a target's name, or a target or deployment, of which the silicon counts.
        runtime: llama.cpp, ollama, vllm, mlc, tensorrt-llm or rkllm; None takes the usual one and says so.
        weights: format of the weights, such as Q4_K_M or int8; None takes the engine's usual one.
        kv: format of the KV cache: f16, fp8, q8_0 or q4_0; None is f16.
        context: tokens that each session has room for.
        prompt_tokens: tokens of the prompt, which are in the cache while it decodes.
        batch: sessions at once.
        bandwidth_gb_s: of the memory, where it is another than the database has, in GB/s.

    Raises:
        UnknownNameError: no such model, target or format (with the nearest).
        UsageError: an engine that does not run there, or lengths that cannot be.

    Example:
        >>> found = estimate_generation("llama-3-8b", "jetson-orin-nano-8gb", weights="int4")
        >>> found.verdict.value, found.weights
        ('PASS', 'Q4_K_M')
        >>> 14 in found.decode_tokens_per_s
        True
    """
    match deployment:
        case Deployment():
            target = deployment.target
        case Target():
            target = deployment
        case _:
            target = resolve_target(deployment, Settings.from_environment().hardware_directories)
    return generation_on(
        target,
        language_model(model),
        engine_for(target, runtime, weights),
        kv_format("f16" if kv is None else kv),
        context=context,
        prompt_tokens=prompt_tokens,
        batch=batch,
        bytes_per_s=None if bandwidth_gb_s is None else bandwidth_gb_s * 1e9,
    )
