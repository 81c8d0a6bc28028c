"""What a language model needs of memory, and the format of weights that fits."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...hardware_db import Target, TargetClass
from ...hardware_db.derived import ram_bytes
from ..core.records import dataclass, replace
from ..model_zoo.language_model import LanguageModel
from ..model_zoo.weight_format import Format, weight_format
from ..verdicts.verdict import Verdict
from .engine import Engine, load_engines
from .shared_memory import of_an_app, share_of_macos
from .usual import FEWEST_BITS, USUAL

ROOMY = 0.9
"""Share of the memory up to which a model simply fits: the system needs some too."""
_OF_MACOS = "macOS gives its GPU {} % of the memory unless `sysctl iogpu.wired_limit_mb` says more"
_OF_IOS = "iOS ends an app above some {} GB, or with its increased-memory-limit entitlement above {} GB"
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

    @property
    def cached(self) -> int:
        """Tokens of each session that a step reads: the prompt of one alone, of several what their memory is
        counted for, the whole context."""
        return self.prompt_tokens if self.batch == 1 else self.context


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


@dataclass(frozen=True)
class Room:
    """Memory that there is, and what of it an engine takes by default."""

    ram: int | None
    usable: int | None
    why: str = ""
    sure: int | None = None
    """Up to which it surely fits, where that is less than what is taken by default."""
    ends: bool = False
    """Whether what takes more than is usable is ended by the system."""

    def less(self, reserve: int) -> Room:
        """With so much of it kept for other programs."""
        if not reserve or self.ram is None or self.usable is None:
            return self
        left = max(0, self.ram - reserve)
        return Room(left, left, "so much is kept free") if left < self.usable else replace(self, ram=left)


def room_of(target: Target, engine: Engine, ram: int | None, cards: int = 1) -> Room:
    """A GPU's memory less what its engine leaves free; the system's too where they share it."""
    runs = next(entry for entry in load_engines().engines if entry.id == engine.runtime)
    if ram is None:
        return Room(None, None)
    if target.id.startswith("apple-a"):
        any_app, most = of_an_app(ram)
        return Room(
            ram, most, _OF_IOS.format(f"{any_app / 1e9:.1g}", f"{most / 1e9:.2g}"), any_app, ends=True
        )
    if target.id.startswith("apple-m"):
        share = share_of_macos(ram)
        usable = round(share * ram)
        return Room(ram, usable, _OF_MACOS.format(round(100 * share)), round(ROOMY * usable))
    if target.target_class is not TargetClass.GPU:
        share, why = ROOMY, "{} % of the memory are taken, the system's left out"
    else:
        share, why = 1 - runs.leaves_share, f"{runs.id} takes {{}} % of the memory by default"
    if share < 1:
        return Room(ram, round(share * ram), why.format(round(100 * share)))
    cards = max(cards, round(ram / (ram_bytes(target) or ram)))
    margin = f"{runs.id} leaves {runs.leaves_bytes / 2**30:g} GiB of a card free by default"
    return Room(ram, ram - cards * runs.leaves_bytes, margin if runs.leaves_bytes else "")


def cards_for(total: int, target: Target, engine: Engine, ram: int | None) -> int | None:
    """The fewest cards of so much memory each whose runtime takes all of it; None of what is no such card."""
    one = room_of(target, engine, ram).usable
    alone = target.target_class is not TargetClass.GPU or target.id.endswith(_BUILT_IN)
    if alone or one is None or one <= 0:
        return None
    return math.ceil(total / one)


_BUILT_IN = ("-laptop", "-mobile", "-max-q")
"""Ends of the ids of cards that one buys with a computer around them."""


def verdict_of(total: int, room: Room) -> Verdict:
    """MARGINAL above nine tenths of the memory, and above what the engine takes or surely gets."""
    if room.ram is None or room.usable is None:
        return Verdict.UNKNOWN
    if total > (room.usable if room.ends else room.ram):
        return Verdict.FAIL
    sure = room.usable if room.sure is None else room.sure
    return Verdict.PASS if total <= min(ROOMY * room.ram, room.usable, sure) else Verdict.MARGINAL


def taken_unasked(model: LanguageModel, formats: Sequence[Format]) -> list[Format]:
    """The usual four bits and what is narrower, where an engine has them; else all of its formats.

    Models that hear are small, and kept in more bits.
    """
    at = next((at for at, entry in enumerate(formats) if entry.id == USUAL), 0)
    return list(formats if model.encoder_positions else formats[at:])


def widest_that_fits(model: LanguageModel, formats: Sequence[Format], asked: Asked, room: Room) -> str | None:
    """Of an engine's usual formats, the widest that leaves room to spare; none of what has its own."""
    if model.trained_in or model.stored is not None:
        return None
    for entry in formats:
        if verdict_of(need_of(model, entry, asked).total, room) is Verdict.PASS:
            return entry.id
    return None


def usual_that_fits(
    model: LanguageModel, runtime: str, formats: tuple[Format, ...], asked: Asked, room: Room
) -> tuple[Format, str]:
    """The usual four bits, or the next narrower that fits and has four bits, and why."""
    if model.trained_in:
        own = weight_format(model.trained_in, runtime)
        if runtime in own.engines:
            return own, f"no format of the weights named: took {own.id}, which it was trained in"
    if room.ram is None:
        taken = min(formats, key=lambda entry: (entry.id != USUAL, abs(entry.bits - 4.5)))
        return taken, f"no format of the weights named: took {taken.id}"
    tried = taken_unasked(model, formats)
    enough = [entry for entry in tried if entry.bits >= FEWEST_BITS]
    verdicts = {entry: verdict_of(need_of(model, entry, asked).total, room) for entry in enough}
    for verdict in (Verdict.PASS, Verdict.MARGINAL):
        for entry in enough:
            if verdicts[entry] is verdict:
                why = "the usual" if entry.id == USUAL else f"the widest from {tried[0].id} on that fits"
                return entry, f"no format of the weights named: took {entry.id}, {why}"
    taken = next((entry for entry in enough if entry.id == USUAL), (enough or tried)[-1])
    return taken, f"no format of the weights named, and none of four bits fits: took {taken.id}"


UNBOUND = 1 << 40
"""Tokens that no memory holds."""


def longest_context(model: LanguageModel, weights: Format, asked: Asked, room: Room) -> int | None:
    """The most tokens of each session in what is used by default, at most what the model was made for."""
    held = held_context(model, weights, asked, room)
    return None if held is None else min(held, model.context)


def held_context(model: LanguageModel, weights: Format, asked: Asked, room: Room) -> int | None:
    """Likewise, were it made for as many; None too of what has no cache that grows."""
    if room.usable is None:
        return None
    left = room.usable - model.weights_bytes(weights) - buffer_bytes(model)
    return model.model_copy(update={"context": UNBOUND}).tokens_in(asked.kv, max(left, 0) / asked.batch)


def context_bound(model: LanguageModel, longest: int | None) -> str | None:
    """What the longest context ends at."""
    if longest is None:
        return None
    return "model" if longest >= model.context else "memory"
