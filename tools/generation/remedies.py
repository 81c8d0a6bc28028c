"""What would do where a model does not fit: a cache of 8 bits, other formats of the weights, more cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..core.units import digits
from ..model_zoo.language_model import LanguageModel
from ..model_zoo.weight_format import kv_format, weight_format
from ..verdicts.verdict import Verdict
from .engine import Engine, family_of
from .estimate import generation_on
from .generation_estimate import GenerationEstimate
from .memory import FEWEST_BITS, USUAL, Asked
from .remedy import Remedy
from .silicon import Silicon, held

_SMALL_CACHES = ("q8_0", "q4_0")
"""The wider first, which costs less quality."""
_WHOLE_CACHE = "f16"
_TOGETHER = "with its layers split over them; splitting within layers can be faster"


def with_remedies(
    found: GenerationEstimate, silicon: Silicon, model: LanguageModel, engine: Engine, asked: Asked
) -> GenerationEstimate:
    """Of what does not fit what would; the usual four bits where fewer alone fit and none were named."""
    few, format_ = None, weight_format(found.weights, family_of(engine.runtime))
    own = model.trained_in or model.stored is not None
    if engine.weights is None and not own and format_.bits < FEWEST_BITS:
        few, format_ = found, weight_format(USUAL, family_of(engine.runtime))
    engine = replace(engine, weights=format_)
    found = found if few is None else generation_on(silicon, model, engine, asked)
    if found.holds:
        return found
    return found.model_copy(update={"remedies": tuple(_remedies(found, few, silicon, model, engine, asked))})


def _remedies(
    found: GenerationEstimate, few: GenerationEstimate | None, silicon: Silicon, model: LanguageModel,
    engine: Engine, asked: Asked,
) -> Iterator[Remedy]:  # fmt: skip
    caches = _SMALL_CACHES if asked.kv.id == _WHOLE_CACHE else ()
    tried = (generation_on(silicon, model, engine, replace(asked, kv=kv_format(kv))) for kv in caches)
    cached = next((kept for kept in tried if kept.holds), None)
    if cached:
        yield _remedy("cache", f"With the cache in {cached.kv} it fits: {_takes(cached)}", cached)
    wide = found.widest_weights
    if wide and not cached and weight_format(wide, family_of(engine.runtime)).bits >= FEWEST_BITS:
        other = replace(engine, weights=weight_format(wide, family_of(engine.runtime)))
        kept = generation_on(silicon, model, other, asked)
        yield _remedy("weights", f"In {wide}, the widest that does, it fits: {_takes(kept)}", kept)
    if few is not None and few.verdict is Verdict.FAIL:
        yield _remedy("narrow", f"Not even in {few.weights} it fits", few)
    elif few is not None:
        loses = "below 4 bits much quality is lost"
        yield _remedy("narrow", f"Only in {few.weights} it fits: {_takes(few)}; {loses}", few)
    cards = found.cards_needed or 1
    if silicon.cards == 1 < cards and found.verdict is Verdict.FAIL:
        kept = generation_on(replace(silicon, cards=cards), model, engine, asked)
        room = f"room for {kept.max_context:,} tokens, " if kept.max_context else ""
        hold = f"{cards} x {found.target} hold {model.id} in {found.weights}"
        yield _remedy("cards", f"{hold}: {_takes(kept)}, {room}{_TOGETHER}", kept)


def _takes(kept: GenerationEstimate) -> str:
    rate, takes = kept.decode_tokens_per_s, held(kept.total_bytes, kept.ram_bytes)
    if rate.value is None or rate.low is None or rate.high is None:
        return takes
    value, low, high = map(digits, (rate.value, rate.low, rate.high))
    return f"{takes} at {value} tokens/s ({low}–{high} tokens/s)"


def _remedy(kind: str, statement: str, kept: GenerationEstimate) -> Remedy:
    return Remedy(
        kind=kind, statement=statement, weights=kept.weights, kv=kept.kv, cards=kept.cards,
        total_bytes=kept.total_bytes, verdict=kept.verdict, max_context=kept.max_context,
        decode_tokens_per_s=kept.decode_tokens_per_s,
    )  # fmt: skip
