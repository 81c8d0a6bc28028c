"""What computes a language model: a target, cards side by side, and the computer around them."""

from __future__ import annotations

import math

from ...hardware_db import Target, TargetClass
from ...hardware_db.derived import ram_bytes
from ..core.records import dataclass, replace
from ..core.units import show
from ..cost_model.decode import CPU, DecodePlace
from ..cost_model.decode_place import decode_place
from ..model_zoo.language_model import LanguageModel
from ..model_zoo.weight_format import Format
from ..verdicts.verdict import SEVERITY, Verdict
from .engine import Engine
from .host_memory import HostMemory
from .memory import Need, Room, verdict_of
from .speed import Part
from .usual import USUAL

SPLITS = ("llama.cpp", "ollama")
"""Runtimes that leave some layers to the cores."""


def held(total: int, ram: int | None) -> str:
    """So much, of what there is."""
    return " of ".join(show(size, "B") for size in (total, ram) if size is not None)


@dataclass(frozen=True)
class Silicon:
    """Where it runs; of what it computes on beside a GPU, where layers are split."""

    target: Target
    bytes_per_s: float | None = None
    """In place of the database's bandwidth."""
    gpu_layers: int | None = None
    host: Target | None = None
    """The computer that a card is in."""
    memory_bytes: int | None = None
    """In place of the database's memory."""
    cards: int = 1
    """Of the target, side by side: each has so much memory, and computes some of the layers."""
    reserve_bytes: int = 0
    """Of the memory, kept for other programs."""
    host_memory: HostMemory | None = None
    """Of the computer that a card is in, whichever that is."""
    host_memory_bytes: int | None = None
    """How much of it there is, in place of the database's."""
    is_filled: bool = False
    """Whether a card got as many layers as it holds, rather than as many as were asked for."""

    @property
    def ram(self) -> int | None:
        """Of all cards together."""
        one = self.memory_bytes or ram_bytes(self.target)
        return one and self.cards * one

    @property
    def is_card(self) -> bool:
        return self.target.target_class is TargetClass.GPU

    @property
    def has_host(self) -> bool:
        """Whether a computer around the card is named, or its kind of memory, or layers that it computes."""
        return any(each is not None for each in (self.host, self.host_memory, self.gpu_layers))

    @property
    def host_bytes(self) -> int | None:
        """Of the computer around a card; None where it is not known."""
        return self.host_memory_bytes or (ram_bytes(self.host) if self.host else None)

    @property
    def knows_host(self) -> bool:
        """Whether the rate of the memory beside the card is known."""
        host = self.host and decode_place(self.host, CPU, SPLITS[0], USUAL)
        return self.host_memory is not None or bool(host and host.bytes_per_s)

    @property
    def host_name(self) -> str:
        """Of what computes the layers beside a card."""
        named = [self.host_memory.name] if self.host_memory else []
        return " with ".join([*([self.host.id] if self.host else []), *named])

    def gpu_share(self, model: LanguageModel) -> float:
        """Of the layers, on the processor of the engine."""
        return 1.0 if self.gpu_layers is None else self.gpu_layers / model.layers

    def on_card(self, need: Need, share: float) -> int:
        """Bytes that lie on a card with so much of the layers, and their cache."""
        return round(share * (need.weights + need.cache)) + need.buffers

    def verdict(self, need: Need, share: float, room: Room) -> Verdict:
        """Of a card, by the part of weights and cache that is on it, and by the host's memory."""
        if share == 1 or not self.is_card:
            return verdict_of(need.total, room)
        moved = self.on_card(need, share)
        on_card = verdict_of(moved, room)
        if on_card is Verdict.FAIL:
            return on_card
        if self.host_bytes is None:
            return Verdict.MARGINAL
        beside = verdict_of(need.total - moved, Room(self.host_bytes, self.host_bytes))
        return beside if self.is_filled else max(beside, on_card, key=SEVERITY.__getitem__)

    def room_of_context(self, share: float, room: Room, buffers: int) -> Room:
        """What bounds the cache of all layers, where only some of them are on a card."""
        if share == 1 or not self.is_card or room.usable is None:
            return room
        if self.is_filled:
            return replace(room, usable=self.host_bytes and room.usable + self.host_bytes)
        on_card = (room.usable - buffers) / share if share else math.inf
        beside = math.inf if self.host_bytes is None else self.host_bytes / (1 - share)
        least = min(on_card, beside)
        return replace(room, usable=None if math.isinf(least) else round(least) + buffers)

    def parts(self, engine: Engine, weights: Format, share: float) -> tuple[Part, ...]:
        """The processors, each with its share of the layers."""
        place = decode_place(self.target, engine.kind, engine.runtime, weights.id, self.bytes_per_s)
        if share == 1:
            return (Part(place, 1.0),)
        return Part(place, share), Part(self._beside(engine, weights), 1 - share)

    def _beside(self, engine: Engine, weights: Format) -> DecodePlace:
        host = self.target if not self.is_card and self.host is None else self.host
        own = self.host_memory.bytes_per_s if self.host_memory else None
        if host is None:
            return DecodePlace(CPU, engine.runtime, own, None, CPU)
        own = own or (self.bytes_per_s if host is self.target else None)
        return decode_place(host, CPU, engine.runtime, weights.id, own)
