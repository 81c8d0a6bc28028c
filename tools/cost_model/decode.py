"""Speed of a language model: seconds of a decode step and of a prefill, from bytes, layers and operations.

A step gives every session one token. It reads the active weights once and each session's KV cache:

    seconds = c1 × (bytes of active weights + KV) / bandwidth + c2 × launch × layers + c3 × operations / units

Every weight is unpacked before it is multiplied, in part while nothing is read: with llama.cpp on a GPU's
shaders, at their rate in float32; on cores with their SIMD units, at their rate in int8. Operations are 2 for
each active parameter; elsewhere c3 is none. `launch` is how much slower than a desktop's the cores are that
start the kernels of a board's GPU. A step is never faster than its arithmetic over the sessions,

    arithmetic = operations / (c4 × peak) + operations / (c5 × shaders),

the latter with llama.cpp on a GPU. A prefill is that arithmetic over all tokens of the prompt, with the
attention of each to those before it, and for each chunk of it one reading of the weights and one launch of
the layers; it is never faster than a step. The constants are fitted to published speeds, by kind of
processor, runtime and backend.
"""

from __future__ import annotations

import math

from ...hardware_db.coefficients.decode import DecodeFit, DecodeNode, PrefillNode, load_decode_fit
from ..core.quantity import Basis, Quantity
from ..core.records import dataclass, replace
from ..model_zoo.language_model import LanguageModel
from ..model_zoo.weight_format import Format

RATE = "tokens/s"
INT8_TO_FLOAT32 = 4
"""Operations in int8 for one in float32, of cores."""
GPU, CPU, NPU, _ON_SHADERS = "gpu", "cpu", "npu", "llama.cpp"
CHUNK_TOKENS = {GPU: 512, CPU: 512, NPU: 128}
"""Of a prompt at once: llama.cpp's physical batch, and the block of Qualcomm's graphs."""
_PADDED = ("genie",)
"""Runtimes that compute a whole chunk whatever is left of the prompt."""
_SAME_ENGINE = {"ollama": "llama.cpp"}
"""Runtimes that are another one inside."""


def engine_of(runtime: str) -> str:
    """The runtime whose kernels a runtime has."""
    return _SAME_ENGINE.get(runtime, runtime)


@dataclass(frozen=True)
class DecodePlace:
    """A processor with its memory, and the runtime that decodes on it."""

    kind: str
    """gpu, cpu or npu."""
    runtime: str
    """An unknown one has the constants of the kind."""
    bytes_per_s: float | None
    peak_ops_per_s: float | None
    """1 MAC is 2 operations; None where it is not known: then arithmetic is held to be no bound."""
    backend: str = ""
    """What the runtime drives it by: cuda, metal, vulkan, rocm, cpu, npu."""
    unpack_ops_per_s: float | None = None
    """Of what unpacks weights: a GPU's shaders in float32, without its matrix units; cores in int8."""
    most_ops_per_s: float | None = None
    """In whichever type it is fastest: quantised weights may be multiplied in another than is usual."""
    launch: float = 1.0
    """Times that a layer takes to be started, over those with a desktop's cores."""


@dataclass(frozen=True)
class Sessions:
    """A model in its formats, and how many conversations of which length it holds."""

    model: LanguageModel
    weights: Format
    kv: Format
    context: int
    """Tokens in the cache of each session."""
    sessions: int = 1

    @property
    def step_bytes(self) -> float:
        """What one step reads: active weights once, and each session's cache."""
        cache = self.sessions * self.model.kv_bytes(self.kv, self.context)
        return self.model.read_bytes(self.weights, self.sessions) + cache

    def operations(self, tokens: int) -> float:
        """2 for each active parameter and token."""
        return 2.0 * self.model.active_parameters * tokens

    def prompt_operations(self, tokens: int, place: DecodePlace) -> float:
        """Of the prompts of all sessions, of this many tokens each: also their attention."""
        read = self.operations(padded_tokens(self.sessions * tokens, place))
        return read + self.sessions * self.model.attention_operations(padded_tokens(tokens, place))


def node_of(place: DecodePlace, fit: DecodeFit) -> DecodeNode | None:
    """The constants of a runtime by its backend, else of the runtime, else of the kind of processor."""
    return next((fit.decode[name] for name in _names(place) if name in fit.decode), None)


def prefill_node_of(place: DecodePlace, fit: DecodeFit) -> PrefillNode | None:
    """Likewise of the prefill."""
    return next((fit.prefill[name] for name in _names(place) if name in fit.prefill), None)


def unpacks(place: DecodePlace) -> bool:
    """Whether a step takes time to unpack weights beside what its bytes take."""
    return place.kind == CPU or _is_on_shaders(place)


def unpack_rate(place: DecodePlace, operations_per_byte: dict[str, float]) -> float:
    """Operations a second of what unpacks; where it is not known, by kind of processor from the bandwidth."""
    return place.unpack_ops_per_s or operations_per_byte[place.kind] * (place.bytes_per_s or 0.0)


def _with_usual_peak(work: Sessions, place: DecodePlace, fit: DecodeFit) -> DecodePlace:
    """Of cores of which only the memory is known, what the arithmetic of several sessions is held to."""
    if work.sessions == 1 or place.kind != CPU or place.peak_ops_per_s or not place.bytes_per_s:
        return place
    return replace(place, peak_ops_per_s=unpack_rate(place, fit.unpack_operations_per_byte) / INT8_TO_FLOAT32)


def _is_on_shaders(place: DecodePlace) -> bool:
    return place.kind == GPU and engine_of(place.runtime) == _ON_SHADERS


def _names(place: DecodePlace) -> tuple[str, str, str]:
    group = f"{place.kind}/{engine_of(place.runtime)}"
    return f"{group}/{place.backend}", group, place.kind


def step_seconds(work: Sessions, place: DecodePlace, fit: DecodeFit | None = None) -> float | None:
    """Of one token for every session; None where the bandwidth is not known or nothing alike was measured."""
    known = fit or load_decode_fit()
    node = node_of(place, known)
    if node is None or not place.bytes_per_s:
        return None
    seconds = _read_seconds(node, work.step_bytes, place) + _launch_seconds(node, work, place)
    if unpacks(place):
        units = unpack_rate(place, known.unpack_operations_per_byte)
        seconds += node.seconds_per_unpack_second * work.operations(1) / units
    computed = _compute_seconds(work.operations(work.sessions), _with_usual_peak(work, place, known), known)
    return seconds if computed is None else max(seconds, computed)


def least_step_seconds(work: Sessions, place: DecodePlace) -> float:
    """What no kernel beats: a step's bytes at the full bandwidth, or its operations at the peak."""
    reading = work.step_bytes / (place.bytes_per_s or math.inf)
    return max(reading, work.operations(work.sessions) / (place.most_ops_per_s or math.inf))


def least_prefill_seconds(work: Sessions, prompt_tokens: int, place: DecodePlace) -> float:
    """Likewise of one prompt, which reads the weights at least once; 0 where neither is known."""
    reading = work.model.read_bytes(work.weights) / (place.bytes_per_s or math.inf)
    return max(reading, work.prompt_operations(prompt_tokens, place) / (place.most_ops_per_s or math.inf))


def no_faster(rate: Quantity, most: float) -> Quantity:
    """A rate and its interval, held to what bandwidth and arithmetic allow."""
    if rate.value is None or rate.low is None or rate.high is None or rate.high <= most:
        return rate
    held = {name: min(end, most) for name, end in (("value", rate.value), ("low", rate.low))}
    return rate.model_copy(update=held | {"high": most})


def prefill_seconds(
    work: Sessions, prompt_tokens: int, place: DecodePlace, fit: DecodeFit | None = None
) -> float | None:
    """Of the prompts of all sessions, this many tokens each; None where the peak is not known."""
    known = fit or load_decode_fit()
    computed = _compute_seconds(work.prompt_operations(prompt_tokens, place), place, known)
    if computed is None:
        return None
    tokens = padded_tokens(work.sessions * prompt_tokens, place)
    alone = Sessions(work.model, work.weights, work.kv, 0)
    return max(computed + chunk_seconds(work, tokens, place, known), step_seconds(alone, place, known) or 0.0)


def encode_seconds(model: LanguageModel, place: DecodePlace, fit: DecodeFit | None = None) -> Quantity:
    """Of an encoder of sound, once: its operations over the share of the peak that others reached."""
    node = (fit or load_decode_fit()).encode.get(place.kind)
    if node is None or not place.peak_ops_per_s:
        return Quantity.unknown("s")
    seconds = model.encoder_operations / (node.share_of_peak * place.peak_ops_per_s)
    return Quantity.within_factor(seconds, node.interval_factor, "s", Basis.FITTED)


def padded_tokens(tokens: int, place: DecodePlace) -> int:
    """What is computed for a prompt."""
    chunk = CHUNK_TOKENS[place.kind]
    return chunk * math.ceil(tokens / chunk) if place.runtime in _PADDED else tokens


def chunk_seconds(work: Sessions, tokens: int, place: DecodePlace, fit: DecodeFit) -> float:
    """Of a prompt beside its arithmetic: each chunk reads the weights that its tokens need; 0: unknown."""
    node, chunk = node_of(place, fit), CHUNK_TOKENS.get(place.kind, tokens)
    if node is None or not place.bytes_per_s:
        return 0.0
    read = _read_seconds(node, work.model.read_bytes(work.weights, min(tokens, chunk)), place)
    return math.ceil(tokens / chunk) * (read + _launch_seconds(node, work, place))


def _read_seconds(node: DecodeNode, size_bytes: float, place: DecodePlace) -> float:
    return node.seconds_per_ideal_second * size_bytes / (place.bytes_per_s or math.inf)


def _launch_seconds(node: DecodeNode, work: Sessions, place: DecodePlace) -> float:
    return node.seconds_per_layer * place.launch * work.model.layers


def prefill_tokens_per_s(
    work: Sessions, prompt_tokens: int, place: DecodePlace, fit: DecodeFit | None = None
) -> Quantity:
    """Of one prompt; unknown where the peak is not known, or nothing like it was measured."""
    known = fit or load_decode_fit()
    alone = Sessions(work.model, work.weights, work.kv, 0)
    seconds = prefill_seconds(alone, prompt_tokens, place, known)
    node = prefill_node_of(place, known)
    if seconds is None or node is None:
        return Quantity.unknown(RATE)
    return Quantity.within_factor(prompt_tokens / seconds, node.interval_factor, RATE, Basis.FITTED)


def _compute_seconds(operations: float, place: DecodePlace, fit: DecodeFit) -> float | None:
    node = prefill_node_of(place, fit)
    if node is None or not place.peak_ops_per_s:
        return None
    seconds = operations / (node.share_of_peak * place.peak_ops_per_s)
    if node.share_of_shaders and place.unpack_ops_per_s:
        seconds += operations / (node.share_of_shaders * place.unpack_ops_per_s)
    return seconds
