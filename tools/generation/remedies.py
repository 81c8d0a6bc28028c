"""What would do where a model does not fit: a cache of 8 bits, other formats of the weights, more cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..core.units import digits, show
from ..model_zoo.language_model import LanguageModel
from ..model_zoo.weight_format import kv_format, weight_format
from ..verdicts.verdict import SEVERITY, Verdict
from .engine import Engine, family_of
from .estimate import formats_on, generation_on
from .generation_estimate import GenerationEstimate
from .host_memory import host_memory
from .memory import Asked
from .remedy import Remedy
from .silicon import Silicon, held
from .usual import FEWEST_BITS, small_caches

_WHOLE_CACHE = "f16"
_TOGETHER = "with its layers split over them; splitting within layers can be faster"


def with_remedies(
    found: GenerationEstimate, silicon: Silicon, model: LanguageModel, engine: Engine, asked: Asked
) -> GenerationEstimate:
    """Of what a card or chip alone does not hold, what would do; below four bits where none are named."""
    if found.holds:
        return found
    alone = replace(silicon, gpu_layers=None, host=None, host_memory=None, host_memory_bytes=None)
    few = _narrow(found, _around(found, silicon, alone), model, engine, asked)
    weights = engine.weights or weight_format(found.weights, family_of(engine.runtime))
    engine = replace(engine, weights=weights)
    return found.model_copy(update={"remedies": tuple(_remedies(found, few, alone, model, engine, asked))})


def _around(found: GenerationEstimate, silicon: Silicon, alone: Silicon) -> Silicon:
    """What fewer bits have to fit: the computer too where it is named, or where four bits fail by it."""
    if found.offloaded is None or not (silicon.has_host or found.offloaded.verdict is Verdict.FAIL):
        return alone
    return replace(silicon, gpu_layers=None, host_memory=silicon.host_memory or host_memory(None))


def _narrow(
    found: GenerationEstimate, silicon: Silicon, model: LanguageModel, engine: Engine, asked: Asked
) -> GenerationEstimate | None:
    """In the widest format below four bits that fits, or the narrowest; None where there is a choice."""
    own = engine.weights is not None or found.weights == model.trained_in or model.stored is not None
    if own or _fits_alone(found):
        return None
    formats = [entry for entry in formats_on(silicon.target, engine) if entry.bits < FEWEST_BITS]
    tried = [generation_on(silicon, model, replace(engine, weights=entry), asked) for entry in formats]
    order = sorted(tried, key=lambda one: (not _fits_alone(one), SEVERITY[one.verdict]))
    return next((one for one in order if one.verdict is not Verdict.FAIL), tried[-1] if tried else None)


def _fits_alone(found: GenerationEstimate) -> bool:
    return found.ram_bytes is None or found.total_bytes <= found.ram_bytes


def _remedies(
    found: GenerationEstimate, few: GenerationEstimate | None, silicon: Silicon, model: LanguageModel,
    engine: Engine, asked: Asked,
) -> Iterator[Remedy]:  # fmt: skip
    smaller = small_caches(engine.runtime)
    caches = smaller if asked.kv.id == _WHOLE_CACHE else ()
    tried = (generation_on(silicon, model, engine, replace(asked, kv=kv_format(kv))) for kv in caches)
    cached = next((kept for kept in tried if kept.holds), None)
    if cached:
        yield _remedy("cache", f"With the cache in {cached.kv} it fits: {_takes(cached)}", cached)
    wide = found.widest_weights
    if wide and not cached and weight_format(wide, family_of(engine.runtime)).bits >= FEWEST_BITS:
        other = replace(engine, weights=weight_format(wide, family_of(engine.runtime)))
        kept = generation_on(silicon, model, other, asked)
        yield _remedy("weights", f"In {wide}, the widest that does, it fits: {_takes(kept)}", kept)
    few_bits = cached is None or cached.kv != smaller[0]
    if few_bits and not wide and (both := _in_both(silicon, model, engine, asked)):
        yield _remedy("both", f"In {both.weights} with the cache in {both.kv} it fits: {_takes(both)}", both)
    if few is not None and few.verdict is Verdict.FAIL:
        yield _remedy("narrow", f"Not even in {few.weights} it fits", few)
    elif few is not None:
        loses = "below 4 bits much quality is lost"
        rest = f", {few.offloaded.statement}" if few.offloaded and not _fits_alone(few) else ""
        left = f", leaving {show(few.left_bytes or 0, 'B')} for all else" if not silicon.is_card else ""
        only = f"With the cache in {asked.kv.id} only" if cached else "Only"
        yield _remedy("narrow", f"{only} in {few.weights} it fits: {_takes(few)}{left}{rest}; {loses}", few)
    cards = found.cards_needed or 1
    if silicon.cards == 1 < cards and not _fits_alone(found):
        kept = generation_on(replace(silicon, cards=cards), model, engine, asked)
        room = f"room for {kept.max_context:,} tokens, " if kept.max_context else ""
        hold = f"{cards} x {found.target} hold {model.id} in {found.weights}"
        yield _remedy("cards", f"{hold}: {_takes(kept)}, {room}{_TOGETHER}", kept)


def _in_both(
    silicon: Silicon, model: LanguageModel, engine: Engine, asked: Asked
) -> GenerationEstimate | None:
    """In the widest of fewer bits, four at least, that fits beside a cache of 8 bits; None where none."""
    small = replace(asked, kv=kv_format(small_caches(engine.runtime)[0]))
    if asked.batch == 1 or asked.kv.id != _WHOLE_CACHE:
        return None
    for entry in formats_on(silicon.target, engine):
        if FEWEST_BITS <= entry.bits < (engine.weights or entry).bits:
            kept = generation_on(silicon, model, replace(engine, weights=entry), small)
            if kept.holds:
                return kept
    return None


def _takes(kept: GenerationEstimate) -> str:
    rate, takes = kept.decode_tokens_per_s, held(kept.total_bytes, kept.ram_bytes)
    if rate.value is None or rate.low is None or rate.high is None:
        return takes
    value, low, high = map(digits, (rate.value, rate.low, rate.high))
    together = f" for all {kept.batch} together" if kept.batch > 1 else ""
    return f"{takes} at {value} tokens/s ({low}–{high} tokens/s){together}"


def _remedy(kind: str, statement: str, kept: GenerationEstimate) -> Remedy:
    return Remedy(
        kind=kind, statement=statement, weights=kept.weights, kv=kept.kv, cards=kept.cards,
        total_bytes=kept.total_bytes, verdict=kept.verdict, max_context=kept.max_context,
        decode_tokens_per_s=kept.decode_tokens_per_s,
    )  # fmt: skip
