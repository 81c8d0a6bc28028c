"""Text generation by language models: fit, tokens a second, time to the first token."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import NamedTuple

from ...hardware_db import Target, TargetClass, load_target, resolve_target, target_ids
from ...hardware_db.errors import UnknownNameError, UsageError
from ...hardware_db.user_files import Directories
from ..core.deployment import Deployment
from ..core.records import replace
from ..core.settings import Settings, hardware_of
from ..generation.drafting import SHARES, usual_draft, with_draft
from ..generation.engine import Engine, engine_for
from ..generation.estimate import generation_on
from ..generation.files.reading import read_language_model
from ..generation.finetuning import FinetuningEstimate, Method, Run, finetuning_on
from ..generation.generation_estimate import GenerationEstimate
from ..generation.host_memory import host_memory, names_memory
from ..generation.memory import Asked
from ..generation.own_gpu import OwnGpu, own_gpu
from ..generation.ranking import (
    ORDERS,
    READABLE,
    Choice,
    Demands,
    GenerationRanking,
    ranked_models,
    ranked_targets,
)
from ..generation.remedies import with_remedies
from ..generation.sessions import with_crowds, with_most_sessions
from ..generation.silicon import Silicon
from ..generation.usual import USUAL_DRAFT
from ..model_zoo.language_model import LanguageModel, load_catalogue
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
    host_memory_bytes: int | None = None,
    cards: int = 1,
    reserve_bytes: int = 0,
    session_tokens_per_s: float | None = None,
    crowds: bool = False,
    draft: str | os.PathLike[str] | None = None,
    accepted: float | None = None,
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
        weights: format of the weights, such as Q4_K_M or int8; None takes the usual four bits, or the next
            narrower of four that fits, and names the widest that would in `widest_weights`.
        kv: format of the KV cache: f16, fp8, q8_0 or q4_0; None is f16.
        context: tokens that each session has room for.
        prompt_tokens: tokens of the prompt, which are in the cache while one session alone decodes.
        batch: sessions at once; of several the rate is that with the context of each full.
        bandwidth_gb_s: of the memory, where it is another than the database has, in GB/s.
        memory_bytes: that there is of each, where it is another than the database has.
        gpu_layers: layers that the GPU computes, and the cores the others; None leaves them together.
        host: the computer that a card is in, by a target's name, or its memory, such as ddr4-3200 or
            ddr5-4800x8 (channels): it computes the layers beside the card, and the verdict is of both.
            Without a name `offloaded` tells the speed with a usual one where the card does not hold all.
        host_memory_bytes: of that computer, where it is another than the database has.
        cards: how many of the target share the layers, one computing after the other.
        reserve_bytes: of the memory, what has to stay free for other programs.
        session_tokens_per_s: that each session has to write: `most_sessions` tells how many can.
        draft: a small model of the same family that writes ahead (speculative decoding); `usual` takes the
            smallest known with its vocabulary.
        accepted: share of its tokens that stands, where it is known; None tells of 0.4, 0.6 and 0.8.
        crowds: also tell 1, 2, 4 … sessions at once, and up to how many more of them pay (`paying`).
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
    around = _Around(host, host_memory_bytes, settings)
    memory, rate = memory_bytes or place.memory_bytes, bandwidth_gb_s and bandwidth_gb_s * 1e9
    silicon = around.of(Silicon(place.target, rate, gpu_layers, place.host, memory, cards, reserve_bytes))
    asked = Asked(kv_format("f16" if kv is None else kv), context, prompt_tokens, batch)
    shape, engine, said = _stored(model, silicon.target, runtime, weights)
    found = with_remedies(generation_on(silicon, shape, engine, asked), silicon, shape, engine, asked)
    case = (silicon, shape, engine, asked)
    if shares := _shares(accepted, drafts=draft is not None):
        small = None if draft is None else _draft(shape, draft)
        found = with_draft(found, *case, small, shares) if small else found
    if crowds:
        found = with_crowds(found, *case)
    if session_tokens_per_s is not None:
        found = with_most_sessions(found, *case, session_tokens_per_s)
    return found.model_copy(update={"assumptions": (*place.said, *said, *found.assumptions)})


class _Around(NamedTuple):
    """The computer that a card is in, as it was named."""

    host: str | None
    memory_bytes: int | None
    settings: Settings | None

    def of(self, silicon: Silicon) -> Silicon:
        """With its memory alone, or with the target; the usual memory where layers are split and none is."""
        if self.host and names_memory(self.host):
            silicon = replace(silicon, host=None, host_memory=host_memory(self.host))
        elif self.host:
            silicon = replace(silicon, host=_target(self.host, self.settings))
        silicon = replace(silicon, host_memory_bytes=self.memory_bytes)
        if silicon.gpu_layers is None or not silicon.is_card or silicon.knows_host:
            return silicon
        return replace(silicon, host_memory=host_memory(None))


def _stored(
    model: str | os.PathLike[str], target: Target, runtime: str | None, weights: str | None
) -> tuple[LanguageModel, Engine, tuple[str, ...]]:
    """The model, the engine with the format that its file is in or that is named, and what was taken."""
    read = read_language_model(model)
    if weights is not None or read.weights is None:
        return read.model.model_copy(update={"stored": None}), engine_for(target, runtime, weights), ()
    engine = engine_for(target, runtime or read.runtime, read.weights.id)
    return read.model, replace(engine, weights=read.weights), tuple(read.said(engine.runtime))


def _shares(accepted: float | None, *, drafts: bool) -> tuple[float, ...]:
    """Of a draft's tokens that stand; none without a draft."""
    if accepted is not None and not 0 <= accepted <= 1:
        raise UsageError(f"{accepted:g} of the tokens cannot be accepted.", hint="Give a share of 0 to 1.")
    return () if not drafts else SHARES if accepted is None else (accepted,)


def _draft(model: LanguageModel, named: str | os.PathLike[str]) -> LanguageModel | None:
    if named == USUAL_DRAFT:
        return usual_draft(model, load_catalogue().models)
    return read_language_model(named).model


def estimate_finetuning(
    model: str | os.PathLike[str],
    deployment: Deployment | Target | str,
    *,
    method: str = "lora",
    examples: int = 1000,
    tokens_each: int = 512,
    epochs: float = 3.0,
    rank: int = 16,
    batch: int = 1,
    memory_bytes: int | None = None,
    settings: Settings | None = None,
) -> FinetuningEstimate:
    """Tell whether fine-tuning a language model fits one card, and its hours within a factor of two.

    Args:
        model: as `estimate_generation` takes it.
        deployment: a target, of which the silicon counts.
        method: full, lora (frozen weights in 16 bits) or qlora (in four).
        examples: that are trained on.
        tokens_each: of an example.
        epochs: times that each is seen.
        rank: of the adapters.
        batch: examples in memory at once.
        memory_bytes: of the target, where it is another than the database has.
        settings: what of the user's environment counts; None reads it.

    Raises:
        UsageError: a method that does not exist, or counts of nothing.
        UnknownNameError: no such model or target.

    Example:
        >>> found = estimate_finetuning("mistral-7b", "rtx-a6000", examples=10_000)
        >>> found.verdict.value, 1e4 < found.time_ms.value / 1e3 < 2e4
        ('PASS', True)
    """
    if method not in list(Method):
        raise UsageError(f"There is no method {method!r}.", hint=f"There is {', '.join(Method)}.")
    silicon = Silicon(_target(deployment, settings), memory_bytes=memory_bytes)
    run = Run(Method(method), examples, tokens_each, epochs, rank, batch)
    return finetuning_on(silicon, read_language_model(model).model, run)


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
    prompt_tokens: int = _PROMPT,
    max_first_token_ms: float | None = None,
    target_class: str | None = None,
    memory_bytes: int | None = None,
    cards: int = 1,
    max_cards: int = 1,
    host: str | None = None,
    host_memory_bytes: int | None = None,
    reserve_bytes: int = 0,
    order: str = "size",
    use: str | None = None,
    families: Sequence[str] = (),
    least_parameters: float = 0.0,
    most_parameters: float = math.inf,
    settings: Settings | None = None,
) -> GenerationRanking:
    """Rank language models on a target, or targets for a language model.

    Args:
        model: as `estimate_generation` takes it; None ranks all models by name.
        deployment: a target, whose silicon counts; None ranks all targets, the cheapest that pass first.
        runtime: None takes the first that runs on each target.
        weights: format of the weights; None takes the usual four bits, or the next narrower that fits.
        kv: format of the KV cache; None is f16.
        context: tokens that each session has room for.
        batch: sessions at once.
        min_tokens_per_s: that each session has to write.
        max_price_usd: that a target may cost.
        prompt_tokens: tokens of the prompt.
        max_first_token_ms: that may pass until the first token.
        target_class: of targets: gpu, gpu-soc, cpu, mpu or npu.
        memory_bytes: of the target that models are ranked on, where it is another than the database has.
        cards: how many of the target that models are ranked on share the layers.
        host: of the card that models are ranked on, as `estimate_generation` takes it: what the card does
            not hold then lies in that computer's memory.
        host_memory_bytes: of that computer; alone it stands in memory that is usual.
        reserve_bytes: of the memory of the target that models are ranked on, what has to stay free.
        max_cards: of targets that are ranked: of a card that alone does not hold it, the most together.
        order: of models: size, smallest, rate, context, or work, which counts a mixture of experts by the
            weights that it has and those that a token uses, and what only just passes for less.
        use: of models: chat or code, without those that were trained for another use or that a later one of
            their family and size stands in for; None ranks all.
        families: of models: what their ids begin with, the first of each before the others.
        least_parameters: that a model may have.
        most_parameters: that a model may have.
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
    asked = Asked(kv_format("f16" if kv is None else kv), context, min(prompt_tokens, context), batch)
    demands = Demands(min_tokens_per_s, max_price_usd, max_first_token_ms)
    _check(demands, order, use, model, deployment, target_class)
    if deployment is not None:
        choice = Choice(order, use, tuple(families), least_parameters, most_parameters)
        place = _at_hand(_target(deployment, settings), settings)
        there = memory_bytes or place.memory_bytes
        silicon = Silicon(place.target, None, None, place.host, there, cards, reserve_bytes)
        silicon = _Around(host, host_memory_bytes, settings).of(silicon)
        if host_memory_bytes and silicon.is_card and not silicon.knows_host:
            silicon = replace(silicon, host_memory=host_memory(None))
        ranked = ranked_models(silicon, load_catalogue().models, asked, demands, weights, choice)
        return ranked.model_copy(update={"assumptions": (*place.said, *ranked.assumptions)})
    assert model is not None
    read = read_language_model(model)
    shape = read.model if weights is None else read.model.model_copy(update={"stored": None})
    said: tuple[str, ...] = ()
    if weights is None and read.weights is not None and read.unmeasured:
        said, weights = read.said("the runtimes named"), read.weights.id
    targets = _of_class(target_class, settings)
    ranked = ranked_targets(shape, targets, asked, demands, runtime, weights, max_cards)
    return ranked.model_copy(update={"assumptions": (*said, *ranked.assumptions)})


def _check(
    demands: Demands, order: str, use: str | None, model: object, deployment: object, target_class: str | None
) -> None:
    """What cannot be ranked so."""
    if demands.tokens_per_s <= 0:
        raise UsageError("A rate has to be above zero.", hint="Such as 10 tokens a second.")
    if order not in ORDERS or use not in (None, "chat", "code"):
        raise UsageError(f"Models are not ranked by {order!r} for {use!r}.", hint=f"By {', '.join(ORDERS)}.")
    if (model is None) is (deployment is None):
        raise UsageError(
            "A ranking is of models on a target or of targets for a model.",
            hint="Name one of both; of both estimate_generation tells.",
        )
    if target_class is not None and target_class not in list(TargetClass):
        raise UsageError(f"There is no class {target_class!r}.", hint=f"There is {', '.join(TargetClass)}.")


def _of_class(target_class: str | None, settings: Settings | None) -> list[Target]:
    """All targets of a class; of those that an operating system runs on, where none is named."""
    own, classes = hardware_of(settings), _COMPUTERS if target_class is None else {target_class}
    known = (load_target(name, own) for name in target_ids(own))
    return [target for target in known if target.target_class in classes]


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
