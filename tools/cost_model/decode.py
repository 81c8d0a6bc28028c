"""Speed of a language model: seconds of a decode step and of a prefill, from bytes, layers and operations.

A step gives every session one token. It reads the active weights once and each session's KV cache:

    seconds = c1 × (bytes of active weights + KV) / bandwidth + c2 × layers + c3 × operations / shaders

llama.cpp unpacks and multiplies every weight on a GPU's shaders, in part while nothing is read: 2 operations
for each active parameter, at their rate in float32; elsewhere c3 is none. A step is never faster than its
arithmetic, 2 × active parameters × sessions / (c4 × peak). A prefill is that arithmetic over all tokens of
the prompt, and never faster than a step. The constants are fitted to published speeds, by kind of processor
and by runtime.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...hardware_db.coefficients.decode import DecodeFit, DecodeNode, PrefillNode, load_decode_fit
from ..core.quantity import Basis, Quantity
from ..model_zoo.language_model import LanguageModel
from ..model_zoo.weight_format import Format

RATE = "tokens/s"
GPU, _ON_SHADERS = "gpu", "llama.cpp"
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
    shader_ops_per_s: float | None = None
    """Of a GPU in float32, without its matrix units."""


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


def node_of(place: DecodePlace, fit: DecodeFit) -> DecodeNode | None:
    """The constants of a runtime by its backend, else of the runtime, else of the kind of processor."""
    return next((fit.decode[name] for name in _names(place) if name in fit.decode), None)


def prefill_node_of(place: DecodePlace, fit: DecodeFit) -> PrefillNode | None:
    """Likewise of the prefill."""
    return next((fit.prefill[name] for name in _names(place) if name in fit.prefill), None)


def unpacks_on_shaders(place: DecodePlace) -> bool:
    """Whether a step takes time of a GPU's shaders beside what its bytes take, as llama.cpp's do."""
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
    read = node.seconds_per_ideal_second * work.step_bytes / place.bytes_per_s
    seconds = read + node.seconds_per_layer * work.model.layers
    if unpacks_on_shaders(place):
        shaders = place.shader_ops_per_s or known.shader_operations_per_byte * place.bytes_per_s
        seconds += node.seconds_per_shader_second * work.operations(1) / shaders
    computed = _compute_seconds(work, work.sessions, place, known)
    return seconds if computed is None else max(seconds, computed)


def decode_tokens_per_s(work: Sessions, place: DecodePlace, fit: DecodeFit | None = None) -> Quantity:
    """Of all sessions together, with its 90 % interval on devices that were not measured."""
    known = fit or load_decode_fit()
    seconds, node = step_seconds(work, place, known), node_of(place, known)
    if seconds is None or node is None:
        return Quantity.unknown(RATE)
    factor = node.interval_factor
    if work.sessions > 1:
        factor = max(factor, known.sessions_interval_factor)
    return Quantity.within_factor(work.sessions / seconds, factor, RATE, Basis.FITTED)


def prefill_seconds(
    work: Sessions, prompt_tokens: int, place: DecodePlace, fit: DecodeFit | None = None
) -> float | None:
    """Of the prompts of all sessions, this many tokens each; None where the peak is not known."""
    known = fit or load_decode_fit()
    computed = _compute_seconds(work, work.sessions * prompt_tokens, place, known)
    alone = Sessions(work.model, work.weights, work.kv, 0)
    return None if computed is None else max(computed, step_seconds(alone, place, known) or 0.0)


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


def _compute_seconds(work: Sessions, tokens: int, place: DecodePlace, fit: DecodeFit) -> float | None:
    node = prefill_node_of(place, fit)
    if node is None or not place.peak_ops_per_s:
        return None
    return work.operations(tokens) / (node.share_of_peak * place.peak_ops_per_s)
