"""Constants of the transformer that decodes, fitted from published speeds: `decode.json`, generated."""

from __future__ import annotations

import functools

from pydantic import BaseModel, ConfigDict

from .. import figures


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class LeftOut(_Closed):
    """Errors on devices that the constants had not seen; each device has one vote."""

    median_factor: float
    """Measured over estimated or the other way round, the larger one."""
    coverage: float
    """Share of the rows within the 90 % interval that the other devices give."""
    devices: int
    rows: int


class DecodeNode(_Closed):
    """Of a kind of processor, or of a runtime on it."""

    seconds_per_ideal_second: float
    """What a step takes for each second that its bytes take at the full bandwidth."""
    seconds_per_layer: float
    """What each layer costs beside its bytes."""
    seconds_per_shader_second: float
    """Likewise for each second of a token's arithmetic on a GPU's shaders, of llama.cpp."""
    interval_factor: float
    left_out: LeftOut


class PrefillNode(_Closed):
    """Likewise; of a runtime where at least three devices were measured."""

    share_of_peak: float
    interval_factor: float
    left_out: LeftOut


class DecodeFit(_Closed):
    schema_version: str
    data_sha256: str
    shader_operations_per_byte: float
    """The GPUs' median, for those whose float32 is not known."""
    decode: dict[str, DecodeNode]
    """By kind, and by kind/runtime."""
    prefill: dict[str, PrefillNode]
    """By kind, and by kind/runtime."""
    sessions: LeftOut
    """Of whole requests of several sessions at once, by constants of one session."""
    sessions_interval_factor: float


@functools.cache
def load_decode_fit() -> DecodeFit:
    """The constants of the figures in use."""
    return DecodeFit.model_validate_json(figures.read("coefficients/decode.json"))
