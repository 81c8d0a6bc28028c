"""Language models: shapes, and the bytes that their weights and their KV cache take."""

import contextlib
import functools
import re
from collections.abc import Iterator
from pathlib import Path

from ...hardware_db.cited import Closed, Source
from ...hardware_db.errors import UnknownNameError
from ...hardware_db.kept import yaml_in
from ...hardware_db.name_tokens import TokenNames, is_number
from ..core.records import dataclass
from .named import is_architecture
from .weight_format import Format, Named, named

FILE = Path(__file__).with_name("language_models.yaml")
_BITS_PER_BYTE = 8
_ENCODER_BITS = 16
"""Of an encoder of images: engines keep it beside the language model, unquantised."""


class Latent(Closed):
    """Attention over compressed keys and values (DeepSeek-V2, section 2.1)."""

    kv_rank: int
    """Values of the cache that keys and values are made of."""
    rope: int
    """Values of a key beside them, shared by all heads."""
    nope: int
    """Values of a key that each head makes out of them."""
    value: int
    """Values that each head makes out of them."""
    query_rank: int = 0
    """Values that the queries of all heads are made of (DeepSeek-V3); 0: of the layer's input itself."""


@dataclass(frozen=True)
class Stored:
    """The weights of a file in bytes, as its header lists them."""

    always: float
    """Of layers, without experts that are chosen among."""
    experts: float
    head: float
    other: float
    """Looked up or run once a prompt: embedding that is not the head, encoder."""
    parameters: int
    """0 where the file packs them so that it does not tell: then by the shape."""
    parameters_of_experts: int
    parameters_looked_up: int


class LanguageModel(Named):
    """The shape of a decoder; norms and biases are left out of all counts."""

    name: str
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_size: int
    intermediate: int
    """Width of the feed-forward layer; of one expert where there are several."""
    gated: bool = True
    """Whether the feed-forward layer has a gate: three matrices rather than two."""
    vocabulary: int
    tied: bool
    """Whether the head is the embedding."""
    context: int
    """Tokens that it was made for."""
    experts: int = 1
    active_experts: int = 1
    """That compute each token."""
    shared_intermediate: int = 0
    """Width of the experts that compute every token."""
    dense_layers: int = 0
    """Layers without experts, in a model that has them."""
    dense_intermediate: int = 0
    window: int = 0
    """Tokens that some layers look back at."""
    windowed_layers: int = 0
    convolution_layers: int = 0
    """With a short convolution, a state space or a delta net in place of attention: no cache that grows."""
    convolution_weights: int = 0
    """Of one such layer; 0: the 4 hidden² of LFM2's convolution."""
    latent: Latent | None = None
    encoder_parameters: int = 0
    """Of images or sound: run once, before the first token."""
    encoder_positions: int = 0
    """That every layer of the decoder attends to beside its tokens (Whisper); 0: it reads them as tokens."""
    trained_in: str = ""
    """Format that it was published in, where that is narrower than 16 bits."""
    completes: bool = False
    """Whether it was trained to go on with a text alone, and not to follow instructions."""
    stored: Stored | None = None
    """Where it is a file."""

    @property
    def encoder_operations(self) -> float:
        """Of sound, once: 2 for each parameter and position, attention among all positions, and the keys and
        values that the decoder attends to. A layer has 12 hidden² parameters; 1 MAC is 2."""
        positions, hidden = self.encoder_positions, self.hidden
        own = 2.0 * positions * self.encoder_parameters * (1 + positions / (6 * hidden))
        return own + 4.0 * self.layers * positions * hidden**2

    @property
    def attention_layers(self) -> int:
        return self.layers - self.convolution_layers

    @property
    def _attention(self) -> int:
        """Weights of one layer's attention, of the encoder's positions too."""
        if self.latent is not None:
            a = self.latent
            made = self.heads * (a.nope + a.rope)
            queries = a.query_rank * (self.hidden + made) if a.query_rank else self.hidden * made
            keys = self.hidden * (a.kv_rank + a.rope) + a.kv_rank * self.heads * (a.nope + a.value)
            return queries + keys + self.heads * a.value * self.hidden
        own = 2 * self.hidden * self.head_size * (self.heads + self.kv_heads)
        return 2 * own if self.encoder_positions else own

    def _feed_forward(self, width: int) -> int:
        return (3 if self.gated else 2) * self.hidden * width

    @property
    def _always(self) -> int:
        """Weights of layers that compute every token."""
        other = self.convolution_weights or 4 * self.hidden**2
        mixing = self.attention_layers * self._attention + self.convolution_layers * other
        dense = self.dense_layers * self._feed_forward(self.dense_intermediate)
        shared = self._expert_layers * self._feed_forward(self.shared_intermediate)
        whole = self.layers * self._feed_forward(self.intermediate) if self.experts == 1 else 0
        return mixing + dense + shared + whole

    @property
    def _expert_layers(self) -> int:
        return self.layers - self.dense_layers if self.experts > 1 else 0

    @property
    def _experts(self) -> int:
        return self._expert_layers * self.experts * self._feed_forward(self.intermediate)

    @property
    def _table(self) -> int:
        return self.vocabulary * self.hidden

    @property
    def parameters(self) -> int:
        if self.stored is not None and self.stored.parameters:
            return self.stored.parameters
        tables = 1 if self.tied else 2
        return self._always + self._experts + tables * self._table + self.encoder_parameters

    @property
    def active_parameters(self) -> int:
        """What each token is multiplied with: an embedding is looked up, not multiplied."""
        if self.stored is not None and self.stored.parameters:
            idle = self.stored.parameters_of_experts * (1 - self.active_experts / self.experts)
            return self.stored.parameters - self.stored.parameters_looked_up - round(idle)
        return self._always + round(self._experts * self.active_experts / self.experts) + self._table

    def shared_out(self, size: float) -> Stored:
        """So many bytes of a file that does not say whose they are, by each part's share of the weights."""
        parts = self._parts(Format(id="even", bits=_BITS_PER_BYTE, source="shape"))
        always, experts, head, other = (size * part / sum(parts) for part in parts)
        return Stored(always, experts, head, other, 0, 0, 0)

    def weights_bytes(self, weights: Format) -> float:
        """Of the whole model, as it lies in memory."""
        return sum(self._parts(weights))

    def read_bytes(self, weights: Format, sessions: int = 1) -> float:
        """Of the weights that one step reads when each of some sessions gets a token.

        Of E experts, k of which compute a token, s tokens touch E × (1 − (1 − k/E)^s) on average.
        """
        touched = 1 - (1 - self.active_experts / self.experts) ** sessions
        always, experts, head, _ = self._parts(weights)
        return always + experts * touched + head

    def kv_bytes(self, kv: Format, tokens: float) -> float:
        """Of a session with this many tokens: what layers with a window have seen before it is dropped."""
        seen = self.attention_layers * tokens - self.windowed_layers * max(0.0, tokens - self.window)
        return (seen + self.layers * self.encoder_positions) * self._cached * kv.bits / _BITS_PER_BYTE

    def tokens_in(self, kv: Format, room: float) -> int:
        """The most tokens of a session whose cache fits in so many bytes, at most what it was made for."""
        for tokens in self._candidates(kv, room):
            if self.kv_bytes(kv, tokens) <= room:
                return max(0, min(self.context, tokens))
        return 0

    def attention_operations(self, tokens: int) -> float:
        """Of a prompt that is read from its first token on, beside those of the weights: each query with the
        key of its own token and of all before it that its layer sees, and each weight with a value.

        1 MAC is 2. That is 2 × layers × tokens × width of attention for each token, which table 1 of "Scaling
        laws for neural language models" (arxiv.org/abs/2001.08361) adds to 2 for each parameter.
        """
        a, seen = self.latent, min(self.window, tokens)
        widths = a.nope + a.rope + a.value if a else 2 * self.head_size
        whole, cut = tokens * (tokens + 1) / 2, seen * (seen + 1) / 2 + (tokens - seen) * seen
        pairs = (self.attention_layers - self.windowed_layers) * whole + self.windowed_layers * cut
        return 2.0 * self.heads * widths * (pairs + self.layers * tokens * self.encoder_positions)

    def _candidates(self, kv: Format, room: float) -> Iterator[int]:
        """With all windows full, then with none of them."""
        value = self._cached * kv.bits / _BITS_PER_BYTE
        if not value:  # without attention nothing grows
            yield self.context
            return
        values = room / value - self.layers * self.encoder_positions
        growing = self.attention_layers - self.windowed_layers
        if growing:
            yield max(self.window, int((values - self.windowed_layers * self.window) / growing))
        elif values >= self.windowed_layers * self.window:
            yield self.context
        yield int(values / self.attention_layers) if self.attention_layers else self.context

    @property
    def _cached(self) -> int:
        """Values of one token in one layer."""
        if self.latent is not None:
            return self.latent.kv_rank + self.latent.rope
        return 2 * self.kv_heads * self.head_size

    def _parts(self, weights: Format) -> tuple[float, float, float, float]:
        """Bytes of what computes every token, of experts, of the head, and of the rest."""
        if self.stored is not None:
            return self.stored.always, self.stored.experts, self.stored.head, self.stored.other
        layer, head, embedding = self._bits(weights)
        dense = layer if weights.dense_bits is None or self.experts == 1 else weights.dense_bits
        encoder = self.encoder_parameters * (layer if self.encoder_positions else _ENCODER_BITS)
        other = encoder + (0.0 if self.tied else embedding * self._table)
        parts = (self._always * dense, self._experts * layer, self._table * head, other)
        always, experts, read, rest = (bits / _BITS_PER_BYTE for bits in parts)
        return always, experts, read, rest

    def _bits(self, weights: Format) -> tuple[float, float, float]:
        """Of a weight of a layer, of the head, of the embedding."""
        if weights.odd_bits is not None and self.hidden % weights.block:
            layer, table = weights.odd_bits
            return layer, table, table
        head = weights.bits if weights.head_bits is None else weights.head_bits
        return weights.bits, head, weights.bits if weights.embedding_bits is None else weights.embedding_bits


class Catalogue(Closed):
    sources: dict[str, Source]
    models: tuple[LanguageModel, ...]


def language_model(name: str) -> LanguageModel:
    """The model that a name means.

    Raises:
        UnknownNameError: no model of that name, with the nearest.
    """
    try:
        return named(name, load_catalogue().models, "language model")
    except UnknownNameError:
        names = spoken_names()
        meaning = names.meaning(names.words(name))
        if meaning.more or len(meaning.ids) != 1:
            raise
        return language_model(meaning.ids[0])


def language_model_meant(name: str) -> str:
    """The id of the model that a name means; of several that its words fit alike, the latest.

    Raises:
        UnknownNameError: no model has all of its words, with the nearest.
    """
    with contextlib.suppress(UnknownNameError):
        return language_model(name).id
    names = spoken_names()
    words = names.words(name)
    meaning = names.meaning(words)
    own = [one for one in meaning.ids if len(meaning.ids) == 1 or one.startswith(words[0])]
    if not own or meaning.more > 1 or not any(map(is_number, words)):
        raise UnknownNameError("language model", name, names.nearest(words, 3))
    return max(own, key=lambda one: [float(n) for n in re.findall(r"\d+(?:\.\d+)?", one)])


_OF_CONTEXT = re.compile(r"-\d+k(?:-|$)")


@functools.cache
def spoken_names() -> TokenNames:
    """All language models by the words of their names, without those that end in a context (4k)."""
    names = {name: model.id for model in load_catalogue().models for name in (model.id, *model.aliases)}
    names = {name: one for name, one in names.items() if not _OF_CONTEXT.search(name)}
    return TokenNames(names, dict.fromkeys(("instruct", "it", "chat", "hf", "gguf", "latest"), "model"))


def language_model_names() -> tuple[str, ...]:
    return tuple(model.id for model in load_catalogue().models)


def is_language_model(name: str) -> bool:
    """Whether it is the id of one, or a GGUF file of one. Reads the catalogue where nothing else tells."""
    name = name.lower()
    if name.endswith((".tflite", ".onnx")) or is_architecture(name):
        return False
    return name.endswith(".gguf") or name in language_model_names()


@functools.cache
def load_catalogue() -> Catalogue:
    """The shipped models, each figure with its source."""
    return Catalogue.model_validate(yaml_in(FILE))
