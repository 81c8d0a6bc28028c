"""Language models by name: shapes, and the bytes that their weights and their KV cache take."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TypeVar

from ...hardware_db.cited import Closed, Source
from ...hardware_db.errors import UnknownNameError, nearest
from ...hardware_db.names import folded
from ...hardware_db.yaml_reader import read_yaml

FILE = Path(__file__).with_name("language_models.yaml")
_BITS_PER_BYTE = 8


class _Named(Closed):
    id: str
    aliases: tuple[str, ...] = ()
    source: str
    """Keys of the file's sources, with the place in each."""


class Format(_Named):
    """How weights, or the values of a KV cache, are stored."""

    bits: float
    """Of one weight of a layer or one value, its share of the scales included."""
    head_bits: float | None = None
    """Of a weight of the head, where it differs."""
    embedding_bits: float | None = None
    """Of a weight of an embedding that is not the head too, where it differs."""
    block: int = 1
    """Weights that share scales: of a model whose width is no multiple, all take the bits of `odd_bits`."""
    odd_bits: tuple[float, float] | None = None
    """Of layers and of head and embedding, where the width is no multiple of the block."""
    locator: str = ""


class LanguageModel(_Named):
    """The shape of a decoder with gated feed-forward layers; norms and biases are left out of all counts."""

    name: str
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_size: int
    intermediate: int
    """Width of the feed-forward layer; of one expert where there are several."""
    vocabulary: int
    tied: bool
    """Whether the head is the embedding."""
    context: int
    """Tokens that it was made for."""
    experts: int = 1
    active_experts: int = 1
    """That compute each token."""

    @property
    def _attention(self) -> int:
        return 2 * self.hidden * self.head_size * (self.heads + self.kv_heads)

    @property
    def _expert(self) -> int:
        return 3 * self.hidden * self.intermediate

    @property
    def _table(self) -> int:
        return self.vocabulary * self.hidden

    @property
    def parameters(self) -> int:
        tables = 1 if self.tied else 2
        return self.layers * (self._attention + self.experts * self._expert) + tables * self._table

    @property
    def active_parameters(self) -> int:
        """What each token is multiplied with: an embedding is looked up, not multiplied."""
        return self.layers * (self._attention + self.active_experts * self._expert) + self._table

    def weights_bytes(self, weights: Format) -> float:
        """Of the whole model, as it lies in memory."""
        _, _, embedding = self._bits(weights)
        tables = 0.0 if self.tied else embedding * self._table
        return self._bytes(weights, self.experts) + tables / _BITS_PER_BYTE

    def read_bytes(self, weights: Format, sessions: int = 1) -> float:
        """Of the weights that one step reads when each of some sessions gets a token.

        Of E experts, k of which compute a token, s tokens touch E × (1 − (1 − k/E)^s) on average.
        """
        idle = (1 - self.active_experts / self.experts) ** sessions
        return self._bytes(weights, self.experts * (1 - idle))

    def kv_bytes_per_token(self, kv: Format) -> float:
        """2 × layers × KV heads × head size × bytes of a value."""
        return 2 * self.layers * self.kv_heads * self.head_size * kv.bits / _BITS_PER_BYTE

    def _bytes(self, weights: Format, experts: float) -> float:
        """Of layers, with some of their experts, and head."""
        layer, head, _ = self._bits(weights)
        layers = self.layers * (self._attention + experts * self._expert) * layer
        return (layers + self._table * head) / _BITS_PER_BYTE

    def _bits(self, weights: Format) -> tuple[float, float, float]:
        """Of a weight of a layer, of the head, of the embedding."""
        if weights.odd_bits is not None and self.hidden % weights.block:
            layer, table = weights.odd_bits
            return layer, table, table
        head = weights.bits if weights.head_bits is None else weights.head_bits
        return weights.bits, head, weights.bits if weights.embedding_bits is None else weights.embedding_bits


Entry = TypeVar("Entry", bound=_Named)


class Catalogue(Closed):
    sources: dict[str, Source]
    weights: tuple[Format, ...]
    kv: tuple[Format, ...]
    models: tuple[LanguageModel, ...]


def language_model(name: str) -> LanguageModel:
    """The model that a name means.

    Raises:
        UnknownNameError: no model of that name, with the nearest.
    """
    return _of_name(name, load_catalogue().models, "language model")


def weight_format(name: str) -> Format:
    """As `Q4_K_M`, `int8` or `W4A16`. Raises UnknownNameError."""
    return _of_name(name, load_catalogue().weights, "weight format")


def kv_format(name: str) -> Format:
    """As `f16` or `q8_0`. Raises UnknownNameError."""
    return _of_name(name, load_catalogue().kv, "KV cache format")


def language_model_names() -> tuple[str, ...]:
    return tuple(model.id for model in load_catalogue().models)


@functools.cache
def load_catalogue() -> Catalogue:
    """The shipped models and formats, each figure with its source."""
    return Catalogue.model_validate(read_yaml(FILE).data)


def _of_name(name: str, known: tuple[Entry, ...], kind: str) -> Entry:
    by_id = {entry.id: entry for entry in known}
    if name in by_id:
        return by_id[name]
    spelt = {folded(text): entry for entry in reversed(known) for text in (entry.id, *entry.aliases)}
    if folded(name) in spelt:
        return spelt[folded(name)]
    raise UnknownNameError(kind, name, nearest(name, by_id), hint=f"Known: {', '.join(by_id)}.")
