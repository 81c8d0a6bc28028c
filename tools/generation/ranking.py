"""Which language models run well on a target, and which targets run a language model well."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from ...hardware_db import Target
from ...hardware_db.errors import UsageError
from ..core.quantity import Quantity, Result
from ..core.records import replace
from ..core.units import digits
from ..model_zoo.language_model import LanguageModel
from ..model_zoo.weight_format import Format
from ..verdicts.verdict import SEVERITY, Verdict
from .engine import Engine, engine_for
from .estimate import Silicon, formats_on, generation_on
from .generation_estimate import GenerationEstimate
from .memory import FEWEST_BITS, Asked

READABLE = 10.0
"""Tokens a second of each session from which on a model is held to run well, unless another rate is asked."""
_PASSING = (Verdict.PASS, Verdict.MARGINAL)


class RankedGeneration(Result):
    """A language model on a target."""

    rank: int | None
    """From 1; null for what does not pass."""
    model: str
    """Id of the language model."""
    target: str
    """Id of the target."""
    runtime: str
    """The engine."""
    weights: str
    """Format of the weights."""
    verdict: Verdict
    """PASS where it fits and writes fast enough; MARGINAL where its memory or its interval may not reach."""
    reason: str
    """Why it does not pass; empty where it does."""
    parameters: int
    """Weights of the model, all experts included."""
    total_bytes: int
    """Weights, cache and buffers."""
    ram_bytes: int | None
    """What the target has for all; null where it is not known."""
    max_context: int | None
    """The most tokens of each session that fit."""
    context_bound: str | None = None
    """What the longest context ends at: memory, or the model, which was made for no more."""
    session_tokens_per_s: Quantity
    """Of each session."""
    price_usd: float | None
    """Of the target; null where none is known."""


class GenerationRanking(Result):
    """Language models or targets, in the order in which they suit."""

    main_rows: ClassVar[str] = "ranking"

    schema_version: str = "1.0"
    model: str | None
    """The language model that targets were ranked for; null where models were."""
    target: str | None
    """The target that models were ranked on; null where targets were."""
    min_tokens_per_s: float
    """That each session has to write."""
    max_price_usd: float | None
    """That a target may cost."""
    context: int
    """Tokens that the cache of each session has room for."""
    batch: int
    """Sessions at once."""
    ranking: tuple[RankedGeneration, ...]
    """What passes by rank, then what cannot be judged, then what fails."""
    passing: int
    """Rows that fit and write fast enough."""
    unknown: int
    """Rows that cannot be judged."""
    failing: int
    """Rows that do not fit, write too slowly or cost too much."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        first = f"; first {self.ranking[0].model} on {self.ranking[0].target}" if self.passing else ""
        return f"{self.passing} pass, {self.unknown} unknown, {self.failing} fail{first}"

    def shortened(self, top: int) -> GenerationRanking:
        """The first rows alone."""
        return self.model_copy(update={"ranking": self.ranking[:top]})


def ranked_models(
    silicon: Silicon, models: Iterable[LanguageModel], asked: Asked, least: float, weights: str | None
) -> GenerationRanking:
    """On one target: the largest first of what writes fast enough. Size is no measure of how good it is."""
    target, rows = silicon.target, []
    engine = engine_for(target, None, weights)
    for model in models:
        if not model.encoder_positions:
            rows.append(_row(_best(silicon, model, engine, asked, least), target, least, None))
    order = sorted(rows, key=lambda row: (SEVERITY[_kind(row)], -row.parameters, row.model))
    notes = ("ranked by size: how good a model's answers are is not known here",)
    return _ranking(order, asked, least, None, target=target.id, assumptions=notes)


def ranked_targets(
    model: LanguageModel, targets: Sequence[Target], asked: Asked, least: float, most_usd: float | None,
    runtime: str | None, weights: str | None,
) -> GenerationRanking:  # fmt: skip
    """Of one model: the cheapest first, then those without a price by how fast they are."""
    rows = [
        _row(_best(Silicon(target), model, engine, asked, least), target, least, most_usd)
        for target, engine in _on_each(targets, runtime, weights)
    ]
    order = sorted(rows, key=_cheapest)
    unpriced = sum(row.price_usd is None for row in rows if row.verdict in _PASSING)
    notes = [f"{unpriced} that pass have no price here and stand behind those that do"] if unpriced else []
    notes.append("prices are those of the database: of graphics cards their makers' at launch")
    return _ranking(order, asked, least, most_usd, model=model.id, assumptions=tuple(notes))


def _on_each(
    targets: Sequence[Target], runtime: str | None, weights: str | None
) -> Iterator[tuple[Target, Engine]]:
    """Targets that no runtime of language models runs on, or not the one that was named, are left out."""
    for target in targets:
        with contextlib.suppress(UsageError):
            yield target, engine_for(target, runtime, weights)


def _best(
    silicon: Silicon, model: LanguageModel, engine: Engine, asked: Asked, least: float
) -> GenerationEstimate:
    """In the widest format that fits with room and is fast enough; else as near to it as there is."""
    tried: list[GenerationEstimate] = []
    last = None
    for weights in _formats(silicon.target, model, engine):
        found = generation_on(silicon, model, replace(engine, weights=weights), asked)
        rate = found.session_tokens_per_s.value
        if rate is not None and rate >= least:
            if found.verdict is Verdict.PASS:
                return found
            tried.append(found)
        last = found
    return tried[0] if tried else last or generation_on(silicon, model, engine, asked)


def _formats(target: Target, model: LanguageModel, engine: Engine) -> list[Format | None]:
    if engine.weights is not None or model.trained_in or model.stored is not None:
        return [engine.weights]
    return [entry for entry in formats_on(target, engine) if entry.bits >= FEWEST_BITS]


def _row(
    estimate: GenerationEstimate, target: Target, least: float, most_usd: float | None
) -> RankedGeneration:
    price = None if target.price_usd is None else target.price_usd.value
    verdict, reason = _judged(estimate, least, price, most_usd)
    return RankedGeneration(
        rank=None, model=estimate.model, target=target.id, runtime=estimate.runtime,
        weights=estimate.weights, verdict=verdict, reason=reason, parameters=estimate.parameters,
        total_bytes=estimate.total_bytes, ram_bytes=estimate.ram_bytes, max_context=estimate.max_context,
        context_bound=estimate.context_bound, session_tokens_per_s=estimate.session_tokens_per_s,
        price_usd=price,
    )  # fmt: skip


def _judged(
    estimate: GenerationEstimate, least: float, price: float | None, most_usd: float | None
) -> tuple[Verdict, str]:
    rate = estimate.session_tokens_per_s
    beyond = estimate.usable_bytes is not None and estimate.total_bytes > estimate.usable_bytes
    if estimate.verdict is Verdict.FAIL or beyond:
        return Verdict.FAIL, "it does not fit"
    if most_usd is not None and price is not None and price > most_usd:
        return Verdict.FAIL, f"it costs {digits(price)} USD"
    if rate.value is None or rate.low is None:
        return Verdict.UNKNOWN, "its speed is not known"
    if rate.value < least:
        return Verdict.FAIL, f"it writes {digits(rate.value)} tokens/s"
    if most_usd is not None and price is None:
        return Verdict.UNKNOWN, "its price is not known"
    if estimate.verdict is Verdict.UNKNOWN:
        return Verdict.UNKNOWN, "its memory is not known"
    is_sure = rate.low >= least and estimate.verdict is Verdict.PASS
    return (Verdict.PASS if is_sure else Verdict.MARGINAL), ""


def _kind(row: RankedGeneration) -> Verdict:
    """PASS and MARGINAL stand together."""
    return Verdict.PASS if row.verdict in _PASSING else row.verdict


def _cheapest(row: RankedGeneration) -> tuple[int, bool, float, float, str]:
    rate = row.session_tokens_per_s.value or 0.0
    return (SEVERITY[_kind(row)], row.price_usd is None, row.price_usd or 0.0, -rate, row.target)


def _ranking(
    rows: Sequence[RankedGeneration], asked: Asked, least: float, most_usd: float | None, *,
    model: str | None = None, target: str | None = None, assumptions: tuple[str, ...] = (),
) -> GenerationRanking:  # fmt: skip
    kinds = [_kind(row) for row in rows]
    numbered = tuple(
        row.model_copy(update={"rank": at + 1}) if kind is Verdict.PASS else row
        for at, (row, kind) in enumerate(zip(rows, kinds, strict=True))
    )
    return GenerationRanking(
        model=model, target=target, min_tokens_per_s=least, max_price_usd=most_usd, context=asked.context,
        batch=asked.batch, ranking=numbered, passing=kinds.count(Verdict.PASS),
        unknown=kinds.count(Verdict.UNKNOWN), failing=kinds.count(Verdict.FAIL), assumptions=assumptions,
    )  # fmt: skip
