"""From a language model and a target to what it takes and how fast it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...hardware_db import Target
from ...hardware_db.errors import UsageError
from ...hardware_db.measurements.decode import DecodeRow, rows_on
from ..core.quantity import Basis, Quantity
from ..core.units import show
from ..cost_model.decode import RATE, DecodePlace, Sessions
from ..model_zoo.language_model import LanguageModel, language_model
from ..model_zoo.weight_format import Format, weight_format
from ..verdicts.verdict import Verdict
from .engine import Engine, family_of, load_engines, runs_format
from .generation_estimate import GenerationEstimate, Offloaded
from .host_memory import host_memory
from .memory import (
    UNBOUND,
    Asked,
    Need,
    Room,
    cards_for,
    context_bound,
    held_context,
    longest_context,
    need_of,
    room_of,
    usual_that_fits,
    widest_that_fits,
)
from .published import Correction, correction_for, same_shape, unmeasured
from .silicon import SPLITS, Silicon, held
from .speed import decode_rate, energy_uj_per_token, first_token_ms, prefill_rate
from .usual import MOST_CARDS, YOURS, usual_of


def generation_on(silicon: Silicon, model: LanguageModel, engine: Engine, asked: Asked) -> GenerationEstimate:
    """What a model takes and how fast it is; rates are unknown where it does not fit.

    What a card does not hold lies in the memory of its computer, where that is named; else `offloaded` tells
    how that would be with a usual one.
    """
    _check(model, engine, silicon, asked)
    found = _wholly(silicon, model, engine, asked)
    split = _split(silicon, found, engine)
    if split is None:
        return found
    weights = engine.weights or weight_format(found.weights, family_of(engine.runtime))
    engine = replace(engine, weights=weights)
    parted = found if split is silicon else _wholly(split, model, engine, asked)
    beside = _offloaded(split, parted, model, engine, asked)
    if not silicon.has_host:
        return found.model_copy(update={"offloaded": beside})
    warned = _of_host(split, beside)
    fails = parted.verdict is Verdict.FAIL
    statement = "; ".join([parted.statement, *warned]) if fails else f"{parted.statement}, {beside.statement}"
    return parted.model_copy(update={
        "offloaded": beside, "statement": statement, "warnings": (*parted.warnings, *warned),
        "assumptions": (*engine.assumptions, *found.assumptions[len(engine.assumptions):]),
    })  # fmt: skip


def _wholly(silicon: Silicon, model: LanguageModel, engine: Engine, asked: Asked) -> GenerationEstimate:
    """With all layers on the processor of the engine, or as the silicon has them split."""
    target, ram = silicon.target, silicon.ram
    room = room_of(target, engine, ram, silicon.cards).less(silicon.reserve_bytes)
    weights, reason = _weights(target, model, engine, asked, room)
    need = need_of(model, weights, asked)
    on_gpu = silicon.gpu_share(model)
    lasting = silicon.room_of_context(on_gpu, room, need.buffers)
    verdict = silicon.verdict(need, on_gpu, room)
    parts = silicon.parts(engine, weights, on_gpu)
    work = Sessions(model, weights, asked.kv, asked.cached, asked.batch)
    full = replace(work, context=asked.context)
    unknown = verdict is Verdict.FAIL
    near = _correction(silicon, model, engine, weights, asked)
    rests = near.said if near else unmeasured(target, engine.kind)
    decode = Quantity.unknown(RATE) if unknown else decode_rate(work, parts, near)
    last = Quantity.unknown(RATE) if unknown else decode_rate(full, parts, near)
    read = _correction(silicon, model, engine, weights, asked, prefill=True)
    prefill = Quantity.unknown(RATE) if unknown else prefill_rate(work, asked.prompt_tokens, parts, read)
    return GenerationEstimate(
        model=model.id, target=target.id, processor=engine.kind, runtime=engine.runtime,
        weights=weights.id, kv=asked.kv.id, context=asked.context, prompt_tokens=asked.prompt_tokens,
        batch=asked.batch, parameters=model.parameters, active_parameters=model.active_parameters,
        weights_bytes=need.weights, kv_cache_bytes=need.cache, buffer_bytes=need.buffers,
        total_bytes=need.total, ram_bytes=ram, usable_bytes=room.usable, headroom=room.why,
        cards=silicon.cards, cards_needed=cards_for(need.total, target, engine, ram and ram // silicon.cards),
        left_bytes=None if ram is None else max(0, ram - need.total),
        widest_weights=widest_that_fits(model, formats_on(target, engine), asked, room),
        layers=model.layers, gpu_layers=silicon.gpu_layers,
        most_gpu_layers=_most_layers(model, need, engine, room.usable), verdict=verdict,
        statement=_statement(model, target, verdict, decode, f"{weights.id}: {held(need.total, ram)}"),
        max_context=(longest := longest_context(model, weights, asked, lasting)),
        held_context=None if (most := held_context(model, weights, asked, lasting)) == UNBOUND else most,
        context_bound=context_bound(model, longest),
        bandwidth_bytes_per_s=parts[0].place.bytes_per_s,
        decode_tokens_per_s=decode,
        full_context_tokens_per_s=last,
        session_tokens_per_s=decode.scaled(1 / asked.batch, RATE),
        prefill_tokens_per_s=prefill,
        time_to_first_token_ms=first_token_ms(work, asked.prompt_tokens, prefill, parts[0].place),
        energy_uj_per_token=energy_uj_per_token(target, decode),
        published_tokens_per_s=_of_format(rows := _published(model, target, asked.batch), weights),
        published=tuple(map(_cited, rows)),
        assumptions=(*engine.assumptions, *(said for said in (reason, rests) if said)),
        warnings=_warnings(model, silicon, verdict, parts[0].place, asked),
    )  # fmt: skip


MOST = 10**9
"""Tokens, or sessions."""


def _check(model: LanguageModel, engine: Engine, silicon: Silicon, asked: Asked) -> None:
    lengths = (("context", asked.context), ("prompt", asked.prompt_tokens), ("batch", asked.batch))
    for name, value in lengths:
        if value < 1:
            raise UsageError(f"A {name} of {value} holds nothing.", hint="Give at least one.")
        if value > MOST:
            raise UsageError(f"A {name} of {value:.4g} is beyond reach.", hint=f"Give at most {MOST:,}.")
    if asked.prompt_tokens > asked.context:
        raise UsageError(
            f"A prompt of {asked.prompt_tokens} tokens does not go into a context of {asked.context}.",
            hint="Shorten the prompt or lengthen the context.",
        )
    if silicon.reserve_bytes < 0:
        raise UsageError(f"{silicon.reserve_bytes} bytes cannot stay free.", hint="Give none or more.")
    if not 1 <= silicon.cards <= MOST_CARDS:
        raise UsageError(
            f"{silicon.cards} of {silicon.target.id!r} cannot be counted.",
            hint=f"Give 1 to {MOST_CARDS:,} cards.",
        )
    layers = silicon.gpu_layers
    if layers is None:
        return
    if engine.kind != "gpu" or (engine.runtime not in SPLITS):
        raise UsageError(
            f"{engine.runtime} on the {engine.kind} of {silicon.target.id!r} does not split layers.",
            hint="llama.cpp does, on a target with a GPU.",
        )
    if not 0 <= layers <= model.layers:
        raise UsageError(
            f"{model.name} has {model.layers} layers: {layers} cannot go to the GPU.",
            hint="Give 0 to all of them.",
        )


def _weights(
    target: Target, model: LanguageModel, engine: Engine, asked: Asked, room: Room
) -> tuple[Format, str]:
    if engine.weights is not None:
        return engine.weights, ""
    runtime = family_of(engine.runtime)
    return usual_that_fits(model, runtime, formats_on(target, engine), asked, room)


def formats_on(target: Target, engine: Engine) -> tuple[Format, ...]:
    """An engine's usual formats, the widest first, without those that a GPU is too early for."""
    runs = next(entry for entry in load_engines().engines if entry.id == engine.runtime)
    usual = usual_of(family_of(runs.id))
    return tuple(entry for entry in usual if runs_format(target, runs, entry)) or usual


def _split(silicon: Silicon, found: GenerationEstimate, engine: Engine) -> Silicon | None:
    """With the layers on a card that are to be, or that it holds; None where all of them are."""
    layers = found.most_gpu_layers if silicon.gpu_layers is None else silicon.gpu_layers
    if engine.runtime not in SPLITS or not silicon.is_card or layers in (None, found.layers):
        return None
    if silicon.gpu_layers is not None:
        return silicon
    if found.verdict is Verdict.PASS:
        return None
    memory = silicon.host_memory or (None if silicon.knows_host else host_memory(None))
    return replace(silicon, gpu_layers=layers, host_memory=memory, is_filled=True)


def _offloaded(
    split: Silicon, found: GenerationEstimate, model: LanguageModel, engine: Engine, asked: Asked
) -> Offloaded:
    """With the layers in its computer's memory that are not on the card."""
    weights, share, memory = engine.weights, split.gpu_share(model), split.host_memory
    assert weights is not None
    need = need_of(model, weights, asked)
    beside, taken = need.total - split.on_card(need, share), bool(memory and memory.is_taken)
    rate = split.parts(engine, weights, share)[-1].place.bytes_per_s
    read = f" ({show(rate, 'B/s')}{', taken as usual' if taken else ''})" if rate else ""
    return Offloaded(
        statement=f"with {split.gpu_layers} of {model.layers} layers on the card and the rest, "
        f"{show(beside, 'B')}, in {split.host_name}{read}, which each token waits for",
        gpu_layers=split.gpu_layers or 0, host=split.host_name, host_is_taken=taken,
        host_bandwidth_bytes_per_s=rate, host_bytes=beside, verdict=found.verdict,
        decode_tokens_per_s=found.decode_tokens_per_s,
        full_context_tokens_per_s=found.full_context_tokens_per_s,
    )  # fmt: skip


def _of_host(split: Silicon, beside: Offloaded) -> list[str]:
    """What the computer around a card has to have, where its memory is not known; that it has too little."""
    needs = show(beside.host_bytes, "B")
    if split.host_bytes is None:
        return [f"the computer needs {needs} free for the layers beside the card: say how much memory it has"]
    short = beside.host_bytes > split.host_bytes
    return [f"the computer's {show(split.host_bytes, 'B')} do not hold the rest, {needs}"] if short else []


def _most_layers(model: LanguageModel, need: Need, engine: Engine, ram: int | None) -> int | None:
    """That fit a GPU's memory with their share of the cache."""
    if ram is None or engine.kind != "gpu":
        return None
    room = max(0.0, ram - need.buffers) / (need.weights + need.cache)
    return min(model.layers, int(room * model.layers))


def _correction(
    silicon: Silicon, model: LanguageModel, engine: Engine, weights: Format, asked: Asked,
    *, prefill: bool = False,
) -> Correction | None:  # fmt: skip
    """Of one session on the silicon as it is, wholly on one processor."""
    is_changed = silicon.bytes_per_s is not None or silicon.gpu_layers not in (None, model.layers)
    if asked.batch > 1 or is_changed:
        return None
    return correction_for(silicon.target, engine.kind, engine.runtime, model, weights.id, prefill=prefill)


def _statement(model: LanguageModel, target: Target, verdict: Verdict, decode: Quantity, takes: str) -> str:
    match verdict:
        case Verdict.FAIL:
            return f"{model.name} does not fit {target.name} in {takes}"
        case _ if not decode.known:
            return f"how fast {model.name} is on {target.name} is not known"
        case _:
            return f"{model.name} writes {decode.headline()} on {target.name}"


def _of_format(rows: Sequence[DecodeRow], weights: Format) -> Quantity:
    """The median and the ends of what was measured in a format."""
    rates = sorted(row.decode_tokens_per_s or 0.0 for row in rows if row.weights == weights.id)
    if not rates:
        return Quantity.unknown(RATE)
    middle = rates[len(rates) // 2]
    return Quantity(value=middle, low=rates[0], high=rates[-1], unit=RATE, basis=Basis.PUBLISHED)


def _published(model: LanguageModel, target: Target, batch: int) -> tuple[DecodeRow, ...]:
    """Rows of this target and of a model of the same shape, one session or as many as asked."""
    alike = (row for row in rows_on(target.measured_as) if row.decode_tokens_per_s)
    return tuple(row for row in alike if row.batch == batch and same_shape(language_model(row.model), model))


def _cited(row: DecodeRow) -> str:
    where = f"{row.repository} {row.path}" + (f":{row.line}" if row.line else "")
    what = f"{row.model} in {row.weights} with {row.runtime} ({row.backend}) on {row.device}"
    return f"{row.decode_tokens_per_s:g} tokens/s of {what}: {where}"


def _largest(silicon: Silicon) -> list[str]:
    """That a chip's memory is the most that it takes, where nobody said what is installed."""
    notes = [region.size_bytes.note or "" for region in silicon.target.memories if region.size_bytes]
    note = next((note for note in notes if note.startswith(("the most", "the largest"))), "")
    return [] if silicon.memory_bytes or not note else [f"memory of {silicon.target.id}: {note}; {YOURS}"]


def _warnings(
    model: LanguageModel, silicon: Silicon, verdict: Verdict, place: DecodePlace, asked: Asked
) -> tuple[str, ...]:
    target, found = silicon.target, _largest(silicon)
    if verdict is Verdict.FAIL:
        found.append("rates are left out: what does not fit would be read from elsewhere, many times slower")
    if verdict is Verdict.UNKNOWN:
        found.append(f"no source states the memory of {target.id}, so whether it fits is not known")
    if place.bytes_per_s is None:
        found.append(f"no source states the bandwidth of {target.id}, so tokens a second are not known")
    elif place.peak_ops_per_s is None:
        found.append(f"no source states the peak of the {place.kind} of {target.id}, so prefill is not known")
    is_split = silicon.gpu_layers not in (None, model.layers) and silicon.is_card
    if is_split and not silicon.host_name:
        found.append("layers beside the card are read from its host's memory: name it for tokens a second")
    if asked.context > model.context:
        found.append(f"{model.name} was made for {show(model.context, '')} tokens")
    return tuple(found)
