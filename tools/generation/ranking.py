"""Which language models run well on a target, and which targets run a language model well."""

import contextlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar

from ...hardware_db import Target
from ...hardware_db.errors import UsageError
from ..core.quantity import Quantity, Result
from ..core.records import dataclass, replace
from ..core.units import digits
from ..model_zoo.language_model import LanguageModel
from ..model_zoo.weight_format import Format, weight_format
from ..verdicts.verdict import SEVERITY, Verdict
from .engine import Engine, engine_for
from .estimate import formats_on, generation_on
from .generation_estimate import GenerationEstimate
from .memory import Asked, taken_unasked
from .silicon import Silicon
from .uses import coding_name, later_than, suits, use_of
from .usual import FEWEST_BITS

READABLE = 10.0
"""Tokens a second of each session from which on a model is held to run well, unless another rate is asked."""
_PASSING = (Verdict.PASS, Verdict.MARGINAL)
_DEAR_USD = 3000
"""Up to which a single card is taken before several are looked at."""


@dataclass(frozen=True)
class Choice:
    """Which language models are ranked, and by what."""

    order: str = "size"
    """size, work, rate, context or smallest."""
    use: str | None = None
    """chat or code: those that were trained for it alone, where there are any."""
    families: tuple[str, ...] = ()
    """What their ids begin with; the first of each before the others."""
    least_parameters: float = 0.0
    most_parameters: float = math.inf

    def means(self, model: LanguageModel) -> bool:
        of_them = not self.families or model.id.startswith(self.families)
        return of_them and self.least_parameters <= model.parameters <= self.most_parameters


@dataclass(frozen=True)
class Demands:
    """What passes."""

    tokens_per_s: float = READABLE
    """Of each session."""
    most_usd: float | None = None
    first_token_ms: float | None = None


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
    cards: int = 1
    """Of the target, which share the layers."""
    layers: int | None = None
    """Of the model."""
    gpu_layers: int | None = None
    """Of these on the card, where the others lie in the memory of its computer; null where all are."""
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
    use: str = "chat"
    """What the model was trained for: chat, code, or completion of a text without instructions."""
    coding_name: str = ""
    """The name under which one of this shape was trained for code; empty where none was."""
    later: str | None = None
    """A later model of its family and size that passes too; null for none."""
    time_to_first_token_ms: Quantity
    """Until all sessions have read their prompts."""
    price_usd: float | None
    """Of the target, all its cards together; null where none is known."""


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
    max_first_token_ms: float | None = None
    """That the first token may take."""
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

    def shortened(self, top: int) -> "GenerationRanking":
        """The first rows alone."""
        return self.model_copy(update={"ranking": self.ranking[:top]})


def ranked_models(
    silicon: Silicon, models: Sequence[LanguageModel], asked: Asked, demands: Demands,
    weights: str | None, choice: Choice,
) -> GenerationRanking:  # fmt: skip
    """On one target, of what writes fast enough, in the order that is chosen. Size is no quality."""
    engine = engine_for(silicon.target, None, weights)
    shapes = {model.id: model for model in models if not model.encoder_positions and choice.means(model)}
    long = {
        name for name, model in shapes.items() if model.context >= asked.context or asked.context <= _USUAL
    }
    rows = []
    for model in (shapes[name] for name in long):
        row = _row(_best(silicon, model, engine, asked, demands.tokens_per_s), silicon.target, demands)
        rows.append(row.model_copy(update={"use": use_of(model), "coding_name": coding_name(model)}))
    among = [shapes[row.model] for row in rows if row.verdict in _PASSING]
    rows = [row.model_copy(update={"later": later_than(shapes[row.model], among)}) for row in rows]
    order = _each_family_first(_for_the_use(rows, shapes, choice), choice)
    notes = ["ranked by size: how good a model's answers are is not known here"]
    if short := len(shapes) - len(long):
        notes.insert(0, f"{short} made for a shorter context are left out")
    return _ranking(order, asked, demands, target=silicon.target.id, assumptions=tuple(notes))


_USUAL = 4096
"""Tokens up to which no model is too short."""
_JUST = 0.1
"""What counts of a model that only just fits, or may be too slow."""
ORDERS: dict[str, Callable[[RankedGeneration, LanguageModel], float]] = {
    "size": lambda row, _: row.parameters,
    "smallest": lambda row, _: -row.parameters,
    "rate": lambda row, _: row.session_tokens_per_s.value or 0.0,
    "context": lambda row, _: row.max_context or 0,
    "work": lambda row, model: row.parameters * model.active_parameters * _sure(row),
}


def _sure(row: RankedGeneration) -> float:
    return 1.0 if row.verdict is Verdict.PASS else _JUST


def _for_the_use(
    rows: Sequence[RankedGeneration], shapes: Mapping[str, LanguageModel], choice: Choice
) -> list[RankedGeneration]:
    """In order; for a use without what was trained for another, has few bits or a later one stands in for."""
    key = ORDERS[choice.order]
    order = sorted(rows, key=lambda row: (SEVERITY[_kind(row)], -key(row, shapes[row.model]), row.model))
    if choice.use is None:
        return order
    suited = [
        row
        for row in order
        if suits(shapes[row.model], choice.use)
        and (choice.use == "code" or row.later is None)
        and weight_format(row.weights).bits >= FEWEST_BITS
    ]
    return suited if any(row.verdict in _PASSING for row in suited) else order


def _each_family_first(rows: Sequence[RankedGeneration], choice: Choice) -> list[RankedGeneration]:
    firsts: dict[str, RankedGeneration] = {}
    for row in rows:
        firsts.setdefault(next((name for name in choice.families if row.model.startswith(name)), ""), row)
    passing = [row for row in firsts.values() if row.verdict in _PASSING] if len(firsts) > 1 else []
    return [*passing, *(row for row in rows if row not in passing)]


def ranked_targets(
    model: LanguageModel, targets: Sequence[Target], asked: Asked, demands: Demands,
    runtime: str | None, weights: str | None, max_cards: int = 1,
) -> GenerationRanking:  # fmt: skip
    """Of one model: the cheapest first, then those without a price by how fast they are.

    Of a card that alone does not hold it, as many as do, up to `max_cards`, where no single one is cheap.
    """
    rows, least = [], demands.tokens_per_s
    places = list(_on_each(targets, runtime, weights))
    alone = [_best(Silicon(target), model, engine, asked, least) for target, engine in places]
    rows = [_row(found, target, demands) for found, (target, _) in zip(alone, places, strict=True)]
    if not any(row.verdict in _PASSING and (row.price_usd or math.inf) <= _DEAR_USD for row in rows):
        for at, (target, engine) in enumerate(places):
            if alone[at].verdict is Verdict.FAIL and 1 < (cards := alone[at].cards_needed or 1) <= max_cards:
                found = _best(Silicon(target, cards=cards), model, engine, asked, least)
                rows[at] = _row(found, target, demands)
    order = sorted(rows, key=_cheapest)
    unpriced = sum(row.price_usd is None for row in rows if row.verdict in _PASSING)
    notes = [f"{unpriced} that pass have no price here and stand behind those that do"] if unpriced else []
    notes.append("prices are those of the database: of graphics cards their makers' at launch")
    return _ranking(order, asked, demands, model=model.id, assumptions=tuple(notes))


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
    """In the usual four bits, or the next that fits with room and is fast enough; else the nearest to it."""
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
    tried = taken_unasked(model, formats_on(target, engine))
    return [entry for entry in tried if entry.bits >= FEWEST_BITS]


def _row(estimate: GenerationEstimate, target: Target, demands: Demands) -> RankedGeneration:
    price = None if target.price_usd is None else estimate.cards * target.price_usd.value
    verdict, reason = _judged(estimate, demands, price)
    return RankedGeneration(
        rank=None, model=estimate.model, target=target.id, runtime=estimate.runtime,
        weights=estimate.weights, cards=estimate.cards, layers=estimate.layers,
        gpu_layers=estimate.gpu_layers, verdict=verdict, reason=reason,
        parameters=estimate.parameters, total_bytes=estimate.total_bytes, ram_bytes=estimate.ram_bytes,
        max_context=estimate.max_context, context_bound=estimate.context_bound,
        session_tokens_per_s=estimate.session_tokens_per_s,
        time_to_first_token_ms=estimate.time_to_first_token_ms, price_usd=price,
    )  # fmt: skip


def _judged(estimate: GenerationEstimate, demands: Demands, price: float | None) -> tuple[Verdict, str]:
    rate, first, most_usd = estimate.session_tokens_per_s, estimate.time_to_first_token_ms, demands.most_usd
    latest, least = demands.first_token_ms or math.inf, demands.tokens_per_s
    if estimate.gpu_layers:  # what the system needs of the computer's memory is left to it
        beyond = estimate.verdict is not Verdict.PASS
    else:
        beyond = (estimate.usable_bytes or math.inf) < estimate.total_bytes
    if estimate.verdict is Verdict.FAIL or beyond:
        return Verdict.FAIL, "it does not fit"
    if most_usd is not None and price is not None and price > most_usd:
        return Verdict.FAIL, f"it costs {digits(price)} USD"
    if rate.value is None or rate.low is None:
        return Verdict.UNKNOWN, "its speed is not known"
    if rate.value < least:
        return Verdict.FAIL, f"it writes {digits(rate.value)} tokens/s"
    if first.value is not None and first.value > latest:
        return Verdict.FAIL, f"its first token takes {digits(first.value / 1e3)} s"
    if most_usd is not None and price is None:
        return Verdict.UNKNOWN, "its price is not known"
    if first.value is None and demands.first_token_ms:
        return Verdict.UNKNOWN, "its first token is not known"
    if estimate.verdict is Verdict.UNKNOWN:
        return Verdict.UNKNOWN, "its memory is not known"
    in_time = first.high is None or first.high <= latest
    is_sure = rate.low >= least and estimate.verdict is Verdict.PASS and in_time
    return (Verdict.PASS if is_sure else Verdict.MARGINAL), ""


def _kind(row: RankedGeneration) -> Verdict:
    """PASS and MARGINAL stand together."""
    return Verdict.PASS if row.verdict in _PASSING else row.verdict


def _cheapest(row: RankedGeneration) -> tuple[int, bool, float, float, str]:
    rate = row.session_tokens_per_s.value or 0.0
    return (SEVERITY[_kind(row)], row.price_usd is None, row.price_usd or 0.0, -rate, row.target)


def _ranking(
    rows: Sequence[RankedGeneration], asked: Asked, demands: Demands, *,
    model: str | None = None, target: str | None = None, assumptions: tuple[str, ...] = (),
) -> GenerationRanking:  # fmt: skip
    kinds = [_kind(row) for row in rows]
    numbered = tuple(
        row.model_copy(update={"rank": at + 1}) if kind is Verdict.PASS else row
        for at, (row, kind) in enumerate(zip(rows, kinds, strict=True))
    )
    return GenerationRanking(
        model=model, target=target, min_tokens_per_s=demands.tokens_per_s,
        max_price_usd=demands.most_usd, max_first_token_ms=demands.first_token_ms, context=asked.context,
        batch=asked.batch, ranking=numbered, passing=kinds.count(Verdict.PASS),
        unknown=kinds.count(Verdict.UNKNOWN), failing=kinds.count(Verdict.FAIL), assumptions=assumptions,
    )  # fmt: skip
