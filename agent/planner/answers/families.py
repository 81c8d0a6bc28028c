"""Of families of language models that are named without a size: the largest, or the smallest, that does."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any, NamedTuple

from ....tools.model_zoo.language_model import LanguageModel, load_catalogue
from ..bench import Answering, Call, Record, call_of
from ..language import families_in
from ..query import Query, Role
from ..writing import READABLE
from .phrases import joined, lines, said, table
from .tokens import is_narrow, where

_SHOWN = 5
_OF_RANKINGS = ("min_tokens_per_s", "max_price_usd")
"""Settings that an estimate of one model does not take."""


class Tried(NamedTuple):
    """Estimates of the models of a family, in the order in which they are preferred."""

    enough: list[Record]
    slow: list[Record]
    narrow: list[Record]
    """Fast enough, in fewer than 4 bits."""


def of_families(
    query: Query, settings: Mapping[str, Any], target: str, *, least: float | None = None
) -> Answering:
    """The one to take first, and those behind it.

    Args:
        settings: of `rank_generation`.
        least: tokens a second that are enough; None asks for room alone, whatever the card.
    """
    named = joined(families_in(query.question), "or")
    tried = yield from _tried(query, settings, target, least or 0.0)
    if not any(tried):
        return f"No {named} that I know fits."
    place = target if least else said(query, Role.RAM_BYTES)
    pace = f" at {said(query, Role.RATE_HZ) or f'{READABLE:g} tokens/s'} or more" if least else ""
    rows = [*tried.enough, *tried.narrow][:_SHOWN]
    if not rows:
        near = max(tried.slow, key=_rate)
        does = f"{near.ref('model')} comes nearest: {near.ref('decode_tokens_per_s', '~')}, {where(near)}."
        return f"No {named} that I know runs on {place}{pace}. {does}"
    best, size = rows[0], "smallest" if "smallest" in query.asks else "largest"
    rate = f"{best.ref('decode_tokens_per_s', '~')} in " if least else ""
    return lines(
        f"{best.ref('model')} is the {size} {named} that I know to run on {place}{pace}: {rate}"
        f"{best.ref('weights')}, {best.ref('total_bytes', 'GiB')} in all at {best.ref('context')} tokens.",
        "" if tried.enough else "None fits in wider weights, and below 4 bits much quality is lost.",
        _table(rows, with_rate=least is not None),
    )


def _tried(
    query: Query, settings: Mapping[str, Any], target: str, least: float
) -> Generator[Call, Record, Tried]:
    """What one cannot be estimated for, such as a format that its engine does not read, is left out."""
    given = {name: value for name, value in settings.items() if name not in _OF_RANKINGS}
    found = Tried([], [], [])
    for model in _models(query):
        record = yield call_of("estimate_generation", query, **given, model=model.id, target=target)
        if record.result is None or record["verdict"] == "FAIL":
            continue
        fast = not least or _rate(record) >= least
        group = (found.narrow if is_narrow(record, query) else found.enough) if fast else found.slow
        group.append(record)
        if len(found.enough) == _SHOWN:
            break
    return found


def _models(query: Query) -> Sequence[LanguageModel]:
    families = families_in(query.question)
    models = [m for m in load_catalogue().models if m.id.startswith(families) and not m.encoder_positions]
    return sorted(models, key=lambda model: model.parameters, reverse="smallest" not in query.asks)


def _rate(record: Record) -> float:
    return record.number("decode_tokens_per_s") or 0.0


def _table(rows: Sequence[Record], *, with_rate: bool) -> str:
    heads, fields = (
        ("", "weights", "takes", "longest context"),
        ("model", "weights", "total_bytes", "max_context"),
    )
    if with_rate:
        heads = ("", "tokens/s", "weights", "takes")
        fields = ("model", "decode_tokens_per_s", "weights", "total_bytes")
    return table(heads, [[record.ref(field) for field in fields] for record in rows])
