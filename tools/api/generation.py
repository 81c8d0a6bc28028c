"""Text generation by language models: fit, tokens a second, time to the first token."""

from __future__ import annotations

import os
from typing import NamedTuple

from ...hardware_db import Target, TargetClass, load_target, resolve_target, target_ids
from ...hardware_db.errors import UnknownNameError, UsageError
from ...hardware_db.user_files import Directories
from ..core.deployment import Deployment
from ..core.records import replace
from ..core.settings import Settings, hardware_of
from ..generation.engine import engine_for
from ..generation.estimate import Silicon, generation_on
from ..generation.files.reading import read_language_model
from ..generation.generation_estimate import GenerationEstimate
from ..generation.memory import Asked
from ..generation.own_gpu import OwnGpu, own_gpu
from ..generation.ranking import READABLE, GenerationRanking, ranked_models, ranked_targets
from ..model_zoo.language_model import load_catalogue
from ..model_zoo.weight_format import kv_format

_PROMPT = 512
HOST_TARGET = "host-x86-64"
_COMPUTERS = frozenset(TargetClass) - {TargetClass.MCU, TargetClass.DSP}


def estimate_generation(  # noqa: PLR0913 - each is an option of its own on the command line
    model: str | os.PathLike[str],
    deployment: Deployment | Target | str,
    *,
    runtime: str | None = None,
    weights: str | None = None,
    kv: str | None = None,
    context: int = 4096,
    prompt_tokens: int = 512,
    batch: int = 1,
    bandwidth_gb_s: float | None = None,
    memory_bytes: int | None = None,
    gpu_layers: int | None = None,
    host: str | None = None,
    settings: Settings | None = None,
) -> GenerationEstimate:
    """Tell whether a language model fits and how many tokens a second it reads and writes.

    Args:
        model: a name such as llama-3-8b or qwen2.5:7b, a .gguf file, a folder with config.json and
            .safetensors files, or one of ONNX Runtime GenAI with its config.json; of files headers alone
            are read.
        deployment: a target's name, or a target or deployment, of which the silicon counts; host is the GPU
            of this machine where its driver names one that is known, else its cores.
        runtime: llama.cpp, ollama, vllm, tensorrt-llm, mlc, mlx, litert-lm, rkllm or executorch; None takes
            the first that runs there and says so.
        weights: format of the weights, such as Q4_K_M or int8; None takes the widest up to 8 bits that fits.
        kv: format of the KV cache: f16, fp8, q8_0 or q4_0; None is f16.
        context: tokens that each session has room for.
        prompt_tokens: tokens of the prompt, which are in the cache while it decodes.
        batch: sessions at once.
        bandwidth_gb_s: of the memory, where it is another than the database has, in GB/s.
        memory_bytes: that there is, where it is another than the database has.
        gpu_layers: layers that the GPU computes, and the cores the others; None leaves them together.
        host: the computer that a card is in, by a target's name: it computes the layers beside the card.
        settings: what of the user's environment counts; None reads it.

    Raises:
        ModelFileError: a file that is damaged or holds no language model that is read here.
        UnknownNameError: no such model, target, runtime or format (with the nearest).
        UsageError: a runtime that does not run there or does not read the format, or lengths that cannot be.

    Example:
        >>> found = estimate_generation("llama-3-8b", "jetson-orin-nano-8gb", weights="int4")
        >>> found.verdict.value, found.weights
        ('PASS', 'Q4_K_M')
        >>> 9 in found.decode_tokens_per_s
        True
    """
    place = _at_hand(_target(deployment, settings), settings)
    target = place.target
    silicon = Silicon(
        target,
        None if bandwidth_gb_s is None else bandwidth_gb_s * 1e9,
        gpu_layers,
        place.host if host is None else _target(host, settings),
        place.memory_bytes if memory_bytes is None else memory_bytes,
    )
    asked = Asked(kv_format("f16" if kv is None else kv), context, prompt_tokens, batch)
    read, said = read_language_model(model), place.said
    if weights is not None or read.weights is None:
        shape = read.model.model_copy(update={"stored": None})
        found = generation_on(silicon, shape, engine_for(target, runtime, weights), asked)
    else:
        engine = engine_for(target, runtime or read.runtime, read.weights.id)
        found = generation_on(silicon, read.model, replace(engine, weights=read.weights), asked)
        said = (*said, *read.said(engine.runtime))
    return found.model_copy(update={"assumptions": (*said, *found.assumptions)})


def rank_generation(  # noqa: PLR0913 - each is an option of its own on the command line
    model: str | os.PathLike[str] | None = None,
    deployment: Deployment | Target | str | None = None,
    *,
    runtime: str | None = None,
    weights: str | None = None,
    kv: str | None = None,
    context: int = 4096,
    batch: int = 1,
    min_tokens_per_s: float = READABLE,
    max_price_usd: float | None = None,
    target_class: str | None = None,
    memory_bytes: int | None = None,
    settings: Settings | None = None,
) -> GenerationRanking:
    """Rank language models on a target, or targets for a language model.

    Args:
        model: as `estimate_generation` takes it; None ranks all models by name.
        deployment: a target, whose silicon counts; None ranks all targets, the cheapest that pass first.
        runtime: None takes the first that runs on each target.
        weights: format of the weights; None takes the widest up to 8 bits that fits.
        kv: format of the KV cache; None is f16.
        context: tokens that each session has room for.
        batch: sessions at once.
        min_tokens_per_s: that each session has to write.
        max_price_usd: that a target may cost.
        target_class: of targets: gpu, gpu-soc, cpu, mpu or npu.
        memory_bytes: of the target that models are ranked on, where it is another than the database has.
        settings: what of the user's environment counts; None reads it.

    Raises:
        UsageError: both a model and a target, or neither, a class that does not exist, or no rate.
        UnknownNameError: no such model, target, runtime or format.

    Example:
        >>> rank_generation(deployment="jetson-orin-nano-8gb").ranking[0].verdict.value
        'MARGINAL'
        >>> rank_generation("llama-3-8b", min_tokens_per_s=30, target_class="gpu").passing > 5
        True
    """
    if min_tokens_per_s <= 0:
        raise UsageError("A rate has to be above zero.", hint="Such as 10 tokens a second.")
    asked = Asked(kv_format("f16" if kv is None else kv), context, min(_PROMPT, context), batch)
    if model is None and deployment is not None:
        known, place = load_catalogue().models, _at_hand(_target(deployment, settings), settings)
        there = place.memory_bytes if memory_bytes is None else memory_bytes
        silicon = Silicon(place.target, host=place.host, memory_bytes=there)
        ranked = ranked_models(silicon, known, asked, min_tokens_per_s, weights)
        return ranked.model_copy(update={"assumptions": (*place.said, *ranked.assumptions)})
    if model is None or deployment is not None:
        raise UsageError(
            "A ranking is of models on a target or of targets for a model.",
            hint="Name one of both; of both estimate_generation tells.",
        )
    if target_class is not None and target_class not in list(TargetClass):
        raise UsageError(f"There is no class {target_class!r}.", hint=f"There is {', '.join(TargetClass)}.")
    own = hardware_of(settings)
    targets = [
        target
        for target in (load_target(name, own) for name in target_ids(own))
        if (
            target.target_class in _COMPUTERS if target_class is None else target.target_class == target_class
        )
    ]
    read = read_language_model(model)
    shape = read.model if weights is None else read.model.model_copy(update={"stored": None})
    said: tuple[str, ...] = ()
    if weights is None and read.weights is not None and read.unmeasured:
        said, weights = read.said("the runtimes named"), read.weights.id
    ranked = ranked_targets(shape, targets, asked, min_tokens_per_s, max_price_usd, runtime, weights)
    return ranked.model_copy(update={"assumptions": (*said, *ranked.assumptions)})


class _Place(NamedTuple):
    """What computes, and what was taken for granted of it."""

    target: Target
    host: Target | None = None
    memory_bytes: int | None = None
    said: tuple[str, ...] = ()


def _at_hand(target: Target, settings: Settings | None) -> _Place:
    """Where `host` is meant, the GPU of this machine, if it has one that is known."""
    gpu = own_gpu() if target.id == HOST_TARGET else None
    if gpu is None:
        return _Place(target)
    card = _known(gpu, hardware_of(settings))
    if isinstance(card, Target):
        return _Place(card, target, gpu.memory_bytes, (f"this machine has {gpu.name}: took {card.id}",))
    named = f": name {' or '.join(card[:2])} if it is alike" if card else ""
    return _Place(target, said=(f"this machine's {gpu.name} is no target, its cores are taken{named}",))


def _known(gpu: OwnGpu, where: Directories | None) -> Target | tuple[str, ...]:
    """The target of that name, or of that name and memory; else the nearest names."""
    names = [gpu.name]
    if gpu.memory_bytes is not None:
        names.append(f"{gpu.name} {round(gpu.memory_bytes / (1 << 30))}GB")
    near: tuple[str, ...] = ()
    for name in names:
        try:
            return resolve_target(name, where)
        except UnknownNameError as error:
            near = near or tuple(error.candidates)
    return near


def _target(deployment: Deployment | Target | str, settings: Settings | None) -> Target:
    match deployment:
        case Deployment():
            return deployment.target
        case Target():
            return deployment
        case _:
            return resolve_target(deployment, hardware_of(settings))
