"""What a language model needs of memory, and the format of weights that fits."""

from __future__ import annotations

from dataclasses import dataclass

from ..model_zoo.language_model import LanguageModel
from ..model_zoo.weight_format import Format, usual_formats, weight_format
from ..verdicts.verdict import Verdict

ROOMY = 0.9
"""Share of the memory up to which a model simply fits: the system needs some too."""
FEWEST_BITS = 4.0
"""Narrower formats come last or by name: "high quality loss" stands beside them in llama.cpp's list."""
READ_AT_ONCE = 512
"""Tokens of a prompt that llama.cpp computes together (n_ubatch)."""
_FLOAT_BYTES = 4


@dataclass(frozen=True)
class Asked:
    """Formats and lengths that a question leaves no choice in."""

    kv: Format
    context: int = 4096
    prompt_tokens: int = 512
    batch: int = 1


@dataclass(frozen=True)
class Need:
    """Bytes in memory."""

    weights: int
    cache: int
    buffers: int

    @property
    def total(self) -> int:
        return self.weights + self.cache + self.buffers


def need_of(model: LanguageModel, weights: Format, asked: Asked) -> Need:
    """Weights, the cache of every session at its full context, and buffers."""
    cache = asked.batch * model.kv_bytes(asked.kv, asked.context)
    return Need(round(model.weights_bytes(weights)), round(cache), buffer_bytes(model))


def buffer_bytes(model: LanguageModel) -> int:
    """Activations and scores of the tokens that are computed together.

    The compute buffer that llama.cpp logs with flash attention, such as 258.50 MiB for Llama 3 8B.
    """
    return READ_AT_ONCE * (model.vocabulary + model.hidden) * _FLOAT_BYTES


def verdict_of(total: int, ram: int | None) -> Verdict:
    """MARGINAL above nine tenths of the memory."""
    if ram is None:
        return Verdict.UNKNOWN
    if total > ram:
        return Verdict.FAIL
    return Verdict.PASS if total <= ROOMY * ram else Verdict.MARGINAL


def widest_that_fits(
    model: LanguageModel, runtime: str, formats: tuple[Format, ...], asked: Asked, ram: int | None
) -> tuple[Format, str]:
    """Of an engine's usual formats, and why; the narrowest, where none does."""
    if model.trained_in:
        own = weight_format(model.trained_in, runtime)
        if runtime in own.engines:
            return own, f"no format of the weights named: took {own.id}, which it was trained in"
    if ram is None:
        taken = min(formats, key=lambda entry: abs(entry.bits - 4.5))
        return taken, f"no format of the weights named: took {taken.id}"
    verdicts = {entry: verdict_of(need_of(model, entry, asked).total, ram) for entry in formats}
    enough = [entry for entry in formats if entry.bits >= FEWEST_BITS]
    for among in (enough, formats):
        for verdict in (Verdict.PASS, Verdict.MARGINAL):
            for entry in among:
                if verdicts[entry] is verdict:
                    said = (
                        f"no format of the weights named: took {entry.id}, the widest up to 8 bits that fits"
                    )
                    return entry, said
    return formats[-1], f"no format of the weights fits: took {formats[-1].id}, the narrowest usual one"


def longest_context(model: LanguageModel, weights: Format, asked: Asked, ram: int | None) -> int | None:
    """The most tokens of each session that fit, at most what the model was made for."""
    if ram is None:
        return None
    room = ram - model.weights_bytes(weights) - buffer_bytes(model)
    return model.tokens_in(asked.kv, room / asked.batch)


def context_bound(model: LanguageModel, longest: int | None) -> str | None:
    """What the longest context ends at."""
    if longest is None:
        return None
    return "model" if longest >= model.context else "memory"


def usual_of(runtime: str) -> tuple[Format, ...]:
    """An engine's usual formats, the widest first; those of llama.cpp where it has none."""
    return usual_formats(runtime) or usual_formats("llama.cpp")
