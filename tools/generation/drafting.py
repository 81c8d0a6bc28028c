"""Speculative decoding: a small model drafts, and the large one checks in one reading of its weights."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from ..core.quantity import Basis, Quantity
from ..core.units import digits
from ..cost_model.decode import RATE, Sessions
from ..model_zoo.language_model import LanguageModel
from ..model_zoo.weight_format import weight_format
from ..verdicts.verdict import Verdict
from .engine import Engine, family_of
from .estimate import generation_on
from .generation_estimate import Accepted, Draft, GenerationEstimate
from .memory import Asked, room_of, verdict_of
from .silicon import Silicon, held
from .speed import decode_rate

SHARES = (0.4, 0.6, 0.8)
"""Of drafted tokens that are accepted: others saw 0.34 to 0.72 (llama.cpp pull 10455, issue 5877)."""
MOST_DRAFTED = 16
_PADDING = 0.01
"""Share of a vocabulary by which models of one family pad it differently."""
_SMALL, _LEAST = 0.2, 4e8
"""Share of the large one's parameters that a draft has at most, and parameters that it has at least."""


def usual_draft(model: LanguageModel, known: Iterable[LanguageModel]) -> LanguageModel | None:
    """The smallest that can write ahead for a model; None where there is none."""
    family = _FAMILY.match(model.id)
    fits = [
        other
        for other in known
        if _LEAST <= other.parameters <= _SMALL * model.parameters
        and abs(other.vocabulary - model.vocabulary) <= _PADDING * model.vocabulary
        and family
        and other.id.startswith(family[0])
        and not other.encoder_positions
    ]
    return min(fits, key=lambda other: other.parameters, default=None)


_FAMILY = re.compile(r"[a-z]+")


def with_draft(
    found: GenerationEstimate, silicon: Silicon, model: LanguageModel, engine: Engine, asked: Asked,
    draft: LanguageModel, shares: tuple[float, ...] = SHARES,
) -> GenerationEstimate:  # fmt: skip
    """With what a draft brings at each share of its tokens that is accepted, drafting as many as is best.

    Of k drafted tokens (1 − a^(k+1)) / (1 − a) stand for a share a, the large model's own with them; they
    take k steps of the draft and one of the large model over k + 1 tokens.
    """
    weights = weight_format(found.weights, family_of(engine.runtime))
    small = generation_on(silicon, draft, replace(engine, weights=weights), replace(asked, batch=1))
    total = found.total_bytes + small.weights_bytes + small.kv_cache_bytes
    room = room_of(silicon.target, engine, silicon.ram, silicon.cards).less(silicon.reserve_bytes)
    verdict = Verdict.FAIL if Verdict.FAIL in (found.verdict, small.verdict) else verdict_of(total, room)
    one, other = found.decode_tokens_per_s.value, small.decode_tokens_per_s.value
    rows: tuple[Accepted, ...] = ()
    if one and other and verdict is not Verdict.FAIL:
        parts = silicon.parts(engine, weights, 1.0)
        alone = decode_rate(Sessions(model, weights, asked.kv, asked.prompt_tokens), parts).value
        checks = [
            decode_rate(Sessions(model, weights, asked.kv, asked.prompt_tokens, k + 1), parts).value
            for k in range(1, MOST_DRAFTED + 1)
        ]
        steps = [(k + 2) * alone / rate for k, rate in enumerate(checks) if rate and alone]
        rows = tuple(_best(share, steps, one / other, found.decode_tokens_per_s) for share in shares)
    gains = ", ".join(f"{digits(row.times)} times at {round(100 * row.share)} %" for row in rows)
    both = f"together {held(total, silicon.ram)}"
    brings = f"as fast with {draft.id} writing ahead, by the share of its tokens that is accepted"
    told = Draft(
        statement=f"{gains} {brings}; {both}" if rows else f"{draft.id} beside it does not fit: {both}",
        model=draft.id, weights=small.weights, decode_tokens_per_s=small.decode_tokens_per_s,
        total_bytes=total, verdict=verdict, accepted=rows,
    )  # fmt: skip
    return found.model_copy(update={"draft": told})


def _best(share: float, steps: list[float], draft_step: float, alone: Quantity) -> Accepted:
    """Drafting as many as brings most; steps are in those of the large model writing alone."""
    gains = {k: stands(share, k) / (step + k * draft_step) for k, step in enumerate(steps, 1)}
    most = max(gains, key=lambda k: gains[k])
    rate = alone.scaled(gains[most], RATE)
    return Accepted(
        share=share, drafted=most, times=gains[most],
        decode_tokens_per_s=rate.model_copy(update={"basis": Basis.DERIVED}),
    )  # fmt: skip


def stands(share: float, drafted: int) -> float:
    """Tokens that one check yields on average."""
    return drafted + 1 if share == 1 else (1 - share ** (drafted + 1)) / (1 - share)
