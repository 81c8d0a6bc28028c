"""What published speeds say of a target: of this very case, or how far the constants are off on it."""

from __future__ import annotations

import functools
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import median

from ...hardware_db import Target, load_target
from ...hardware_db.coefficients.decode import load_decode_fit
from ...hardware_db.measurements.decode import DecodeRow, decode_rows, rows_on
from ..core.quantity import Basis, Quantity
from ..core.records import dataclass
from ..cost_model.decode import DecodePlace, Sessions, engine_of, prefill_seconds, step_seconds
from ..cost_model.decode_place import decode_place
from ..model_zoo.language_model import LanguageModel, language_model
from ..model_zoo.weight_format import kv_format, weight_format

_INSIDE = 0.9
"""Share of the errors that an interval holds."""
USUAL_PROMPT = 512
"""Tokens of a prompt where a source names none: llama-bench's."""
_LEAST_FACTOR = 1.05
"""Of an interval: a speed is read to some per cent at best."""


@dataclass(frozen=True)
class Error:
    """A published speed of one session, beside the estimate of its own model, format and lengths.

    By the backend that the runtime drives the target by here; and of no card that a slow board drove.
    """

    row: DecodeRow
    log: float
    """Logarithm of measured over estimated rate."""

    @property
    def place(self) -> tuple[str, str, str]:
        return self.row.target, self.row.kind, engine_of(self.row.runtime)

    @property
    def case(self) -> tuple[str, str, str, str, str]:
        return (*self.place, self.row.model, self.row.weights)


@dataclass(frozen=True)
class Correction:
    """What an estimate is multiplied by, and its interval then."""

    factor: float
    interval_factor: float
    basis: Basis
    rows: int

    def of(self, rate: Quantity) -> Quantity:
        if rate.value is None:
            return rate
        return Quantity.within_factor(rate.value * self.factor, self.interval_factor, rate.unit, self.basis)

    @property
    def said(self) -> str:
        what = "of this very case" if self.basis is Basis.PUBLISHED else "of other models or formats here"
        return f"the rate starts from {self.rows} published speed{'s' if self.rows > 1 else ''} {what}"


def correction_for(
    target: Target, kind: str, runtime: str, model: LanguageModel, weights: str, *, prefill: bool = False
) -> Correction | None:
    """Of writing, or of reading a prompt, from rows of one session on this target with this engine, if any.

    Of this very model and format the median of what was measured. Of others on the target their mean error,
    shrunk as if one row more had none.
    """
    here = _errors_by_place(prefill).get((target.measured_as, kind, engine_of(runtime)), ())
    exact = [e for e in here if e.row.weights == weights and same_shape(language_model(e.row.model), model)]
    if exact:
        factor = math.exp(median(e.log for e in exact))
        return Correction(factor, _repeat_factor(prefill), Basis.PUBLISHED, len(exact))
    if here:
        return Correction(
            math.exp(_shrunk([e.log for e in here])), _near_factor(prefill), Basis.SCALED, len(here)
        )
    return None


def unmeasured(target: Target, kind: str) -> str:
    """That the rate of a target stands on others alone; empty where speeds of it are known."""
    others = load_decode_fit().decode.get(kind)
    if others is None or rows_on(target.measured_as):
        return ""
    left = others.left_out
    others_are = f"it is fitted to {left.rows} on {left.devices} other devices"
    return f"no published speed of {target.id} is known here: {others_are}"


def same_shape(one: LanguageModel, other: LanguageModel) -> bool:
    """Whether they are one network under two names."""
    differs = {"id": "", "name": "", "aliases": (), "context": 0, "source": "", "stored": None}
    return one.model_copy(update=differs) == other.model_copy(update=differs)


@functools.cache
def _errors_by_place(prefill: bool) -> Mapping[tuple[str, str, str], Sequence[Error]]:
    found = defaultdict[tuple[str, str, str], list[Error]](list)
    for error in _errors(prefill):
        found[error.place].append(error)
    return found


@functools.cache
def _errors(prefill: bool) -> tuple[Error, ...]:
    found = []
    for row in decode_rows():
        rate = row.prefill_tokens_per_s if prefill else row.decode_tokens_per_s
        if not row.target or row.host or row.batch != 1 or rate is None:
            continue
        weights = weight_format(row.weights, engine_of(row.runtime))
        cited = row.bandwidth_gb_per_s * 1e9 if row.bandwidth_gb_per_s else None
        place = decode_place(load_target(row.target), row.kind, row.runtime, row.weights, cited)
        if place.backend != row.backend:
            continue
        lengths = 0 if prefill else row.prompt_tokens + row.generated_tokens // 2
        work = Sessions(language_model(row.model), weights, kv_format(row.kv), lengths)
        seconds = _a_token_read(work, row, place) if prefill else step_seconds(work, place)
        if seconds is not None:
            found.append(Error(row, math.log(rate * seconds)))
    return tuple(found)


def _a_token_read(work: Sessions, row: DecodeRow, place: DecodePlace) -> float | None:
    tokens = row.prefill_prompt_tokens or USUAL_PROMPT
    seconds = prefill_seconds(work, tokens, place)
    return None if seconds is None else seconds / tokens


def _shrunk(logs: list[float]) -> float:
    return sum(logs) / (len(logs) + 1)


@functools.cache
def _repeat_factor(prefill: bool) -> float:
    """How far repeats of one case lie from their median."""
    cases: defaultdict[tuple[str, ...], list[float]] = defaultdict(list)
    for error in _errors(prefill):
        cases[error.case].append(error.log)
    spread = [abs(log - median(logs)) for logs in cases.values() if len(logs) > 1 for log in logs]
    return _factor(spread)


@functools.cache
def _near_factor(prefill: bool) -> float:
    """How far a case lies from what the other rows of its target say of it."""
    places: defaultdict[tuple[str, str, str], list[Error]] = defaultdict(list)
    for error in _errors(prefill):
        places[error.place].append(error)
    left = []
    for errors in places.values():
        for error in errors:
            others = [other.log for other in errors if other.case != error.case]
            if others:
                left.append(abs(error.log - _shrunk(others)))
    return _factor(left)


def _factor(errors: list[float]) -> float:
    """That holds nine of ten, and one more that nothing holds."""
    if not errors:
        return _LEAST_FACTOR
    at = min(len(errors) - 1, math.ceil(_INSIDE * (len(errors) + 1)) - 1)
    return max(_LEAST_FACTOR, math.exp(sorted(errors)[at]))
