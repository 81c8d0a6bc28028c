"""How many sessions at once one target serves: as fast as is asked, and as long as more of them pay."""

from __future__ import annotations

from dataclasses import replace

from ..model_zoo.language_model import LanguageModel
from ..model_zoo.weight_format import weight_format
from .engine import Engine, family_of
from .estimate import generation_on
from .generation_estimate import Crowd, GenerationEstimate
from .memory import Asked
from .silicon import Silicon

MOST_SESSIONS = 4096
PAYS = 1.25
"""Times as many tokens a second that twice the sessions write at least while more of them pay."""


def with_most_sessions(
    found: GenerationEstimate,
    silicon: Silicon,
    model: LanguageModel,
    engine: Engine,
    asked: Asked,
    least: float,
) -> GenerationEstimate:  # fmt: skip
    """With the largest count of sessions that each write so fast, contexts full, in the format taken."""
    engine, asked = _in_the_format(engine, found), replace(asked, prompt_tokens=asked.context)

    def ends(batch: int) -> str:
        tried = generation_on(silicon, model, engine, replace(asked, batch=batch))
        if not tried.holds:
            return "memory"
        rate = tried.session_tokens_per_s.value
        return "speed" if rate is not None and rate < least else ""

    low, high, bound = 0, MOST_SESSIONS + 1, ""
    while high - low > 1:
        batch = min(2 * low or 1, MOST_SESSIONS) if not bound else (low + high) // 2
        if why := ends(batch):
            high, bound = batch, why
        else:
            low = batch
    return found.model_copy(update={"most_sessions": low, "sessions_bound": bound or None})


def with_crowds(
    found: GenerationEstimate, silicon: Silicon, model: LanguageModel, engine: Engine, asked: Asked
) -> GenerationEstimate:
    """With one session and twice as many until they do not fit, each context full, and the last that pay.

    Doubling pays while it brings a quarter more tokens a second: what one token costs falls by a fifth.
    """
    engine, asked = _in_the_format(engine, found), replace(asked, prompt_tokens=asked.context)
    crowds, paying = list[Crowd](), 0
    ends, batch = "", 1
    while batch <= MOST_SESSIONS:
        tried = generation_on(silicon, model, engine, replace(asked, batch=batch))
        if not tried.holds:
            ends = ends or "memory"
            break
        rate = tried.decode_tokens_per_s.value
        before = crowds[-1].decode_tokens_per_s.value if crowds else None
        if before and rate and rate < PAYS * before:
            ends = ends or "speed"
        crowds.append(_crowd(tried))
        paying = paying if ends else len(crowds)
        batch *= 2
    update = {"crowds": tuple(crowds), "paying": crowds[paying - 1] if paying else None}
    return found.model_copy(update=update | {"paying_bound": ends or None})


def _crowd(one: GenerationEstimate) -> Crowd:
    return Crowd(
        sessions=one.batch, decode_tokens_per_s=one.decode_tokens_per_s,
        session_tokens_per_s=one.session_tokens_per_s, energy_uj_per_token=one.energy_uj_per_token,
        kv_cache_bytes=one.kv_cache_bytes, total_bytes=one.total_bytes,
    )  # fmt: skip


def _in_the_format(engine: Engine, found: GenerationEstimate) -> Engine:
    return replace(engine, weights=weight_format(found.weights, family_of(engine.runtime)))
