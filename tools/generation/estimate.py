"""From a language model and a target to what it takes and how fast it is."""

from __future__ import annotations

from ...hardware_db import Target
from ...hardware_db.derived import ram_bytes
from ...hardware_db.errors import UsageError
from ...hardware_db.measurements.decode import DecodeRow, decode_rows
from ..core.quantity import Quantity
from ..core.units import show
from ..cost_model.decode import (
    DecodePlace,
    Sessions,
    decode_tokens_per_s,
    prefill_tokens_per_s,
)
from ..cost_model.decode_place import decode_place
from ..model_zoo.language_model import Format, LanguageModel, language_model
from ..verdicts.verdict import Verdict
from .engine import Engine
from .report import GenerationEstimate

ROOMY = 0.9
"""Share of the memory up to which weights and cache simply fit: the engine and the system need some too."""


def generation_on(
    target: Target,
    model: LanguageModel,
    engine: Engine,
    kv: Format,
    *,
    context: int,
    prompt_tokens: int,
    batch: int,
    bytes_per_s: float | None = None,
) -> GenerationEstimate:
    """What a model takes and how fast it is; rates are unknown where it does not fit."""
    _check(context, prompt_tokens, batch)
    weights_bytes = round(model.weights_bytes(engine.weights))
    cache = round(batch * context * model.kv_bytes_per_token(kv))
    ram = ram_bytes(target)
    verdict = _verdict(weights_bytes + cache, ram)
    work = Sessions(model, engine.weights, kv, prompt_tokens, batch)
    place = decode_place(target, engine.kind, engine.runtime, engine.weights.id, bytes_per_s)
    decode, prefill, first = _rates(work, place, prompt_tokens, verdict)
    return GenerationEstimate(
        model=model.id,
        target=target.id,
        processor=engine.kind,
        runtime=engine.runtime,
        weights=engine.weights.id,
        kv=kv.id,
        context=context,
        prompt_tokens=prompt_tokens,
        batch=batch,
        parameters=model.parameters,
        active_parameters=model.active_parameters,
        weights_bytes=weights_bytes,
        kv_cache_bytes=cache,
        total_bytes=weights_bytes + cache,
        ram_bytes=ram,
        verdict=verdict,
        statement=_statement(model, target, verdict, decode),
        max_context=_max_context(model, kv, ram, weights_bytes, batch),
        bandwidth_bytes_per_s=place.bytes_per_s,
        decode_tokens_per_s=decode,
        prefill_tokens_per_s=prefill,
        time_to_first_token_ms=first,
        published=_published(model, target, batch),
        assumptions=engine.assumptions,
        warnings=_warnings(model, target, verdict, place, context),
    )


def _check(context: int, prompt_tokens: int, batch: int) -> None:
    for name, value in (("context", context), ("prompt", prompt_tokens), ("batch", batch)):
        if value < 1:
            raise UsageError(f"A {name} of {value} holds nothing.", hint="Give at least one.")
    if prompt_tokens > context:
        raise UsageError(
            f"A prompt of {prompt_tokens} tokens does not go into a context of {context}.",
            hint="Shorten the prompt or lengthen the context.",
        )


def _verdict(total: int, ram: int | None) -> Verdict:
    if ram is None:
        return Verdict.UNKNOWN
    if total > ram:
        return Verdict.FAIL
    return Verdict.PASS if total <= ROOMY * ram else Verdict.MARGINAL


def _rates(
    work: Sessions, place: DecodePlace, prompt_tokens: int, verdict: Verdict
) -> tuple[Quantity, Quantity, Quantity]:
    """Tokens a second of decode and prefill, and ms to the first token of the last session."""
    if verdict is Verdict.FAIL:
        return Quantity.unknown("tokens/s"), Quantity.unknown("tokens/s"), Quantity.unknown("ms")
    prefill = prefill_tokens_per_s(work, prompt_tokens, place)
    return decode_tokens_per_s(work, place), prefill, _duration(work.sessions * prompt_tokens, prefill)


def _duration(tokens: int, rate: Quantity) -> Quantity:
    if rate.value is None or rate.low is None or rate.high is None:
        return Quantity.unknown("ms")
    low, value, high = (1e3 * tokens / speed for speed in (rate.high, rate.value, rate.low))
    return Quantity(value=value, low=low, high=high, unit="ms", basis=rate.basis)


def _max_context(
    model: LanguageModel, kv: Format, ram: int | None, weights_bytes: int, batch: int
) -> int | None:
    if ram is None:
        return None
    fitting = (ram - weights_bytes) / (batch * model.kv_bytes_per_token(kv))
    return max(0, min(model.context, int(fitting)))


def _statement(model: LanguageModel, target: Target, verdict: Verdict, decode: Quantity) -> str:
    match verdict:
        case Verdict.FAIL:
            return f"{model.name} does not fit {target.name}"
        case _ if not decode.known:
            return f"how fast {model.name} is on {target.name} is not known"
        case _:
            return f"{model.name} writes {decode.headline()} on {target.name}"


def _published(model: LanguageModel, target: Target, batch: int) -> tuple[str, ...]:
    """Rows of this target and of a model of the same shape, one session or as many as asked."""
    alike = (row for row in decode_rows() if row.target == target.measured_as and row.decode_tokens_per_s)
    return tuple(
        _cited(row) for row in alike if row.batch == batch and _same_shape(language_model(row.model), model)
    )


def _same_shape(one: LanguageModel, other: LanguageModel) -> bool:
    differs = {"id": "", "name": "", "aliases": (), "context": 0, "source": ""}
    return one.model_copy(update=differs) == other.model_copy(update=differs)


def _cited(row: DecodeRow) -> str:
    where = f"{row.repository} {row.path}" + (f":{row.line}" if row.line else "")
    what = f"{row.model} in {row.weights} with {row.runtime} on {row.device}"
    return f"{row.decode_tokens_per_s:g} tokens/s of {what}: {where}"


def _warnings(
    model: LanguageModel, target: Target, verdict: Verdict, place: DecodePlace, context: int
) -> tuple[str, ...]:
    found = []
    if verdict is Verdict.FAIL:
        found.append("rates are left out: what does not fit would be read from elsewhere, many times slower")
    if verdict is Verdict.UNKNOWN:
        found.append(f"no source states the memory of {target.id}, so whether it fits is not known")
    if place.bytes_per_s is None:
        found.append(f"no source states the bandwidth of {target.id}, so tokens a second are not known")
    elif place.peak_ops_per_s is None:
        found.append(f"no source states the peak of the {place.kind} of {target.id}, so prefill is not known")
    if context > model.context:
        found.append(f"{model.name} was made for {show(model.context, '')} tokens")
    return tuple(found)
