"""Constants of the transformer that decodes, fitted from published speeds: `decode.json`, generated."""

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
    seconds_per_unpack_second: float
    """Likewise for each second of a token's arithmetic where weights are unpacked: on a GPU's shaders with
    llama.cpp, on cores in int8."""
    interval_factor: float
    left_out: LeftOut
    sources_left_out: LeftOut
    """Of sources instead of devices; the coverage is that of the interval above."""


class PrefillNode(_Closed):
    """Likewise."""

    share_of_peak: float
    share_of_shaders: float
    """Of llama.cpp on GPUs; 0 where none."""
    interval_factor: float
    left_out: LeftOut
    sources_left_out: LeftOut


class EncodeNode(_Closed):
    """Of what an encoder of sound computes, on a kind of processor."""

    share_of_peak: float
    interval_factor: float
    left_out: LeftOut


class DecodeFit(_Closed):
    schema_version: str
    data_sha256: str
    unpack_operations_per_byte: dict[str, float]
    """By kind, for processors whose rate is not known: the median of the known ones."""
    decode: dict[str, DecodeNode]
    """By kind, and by kind/runtime."""
    prefill: dict[str, PrefillNode]
    """By kind, and by kind/runtime."""
    encode: dict[str, EncodeNode]
    """By kind."""
    sessions: LeftOut
    """Of whole requests of several sessions at once, by constants of one session."""
    sessions_interval_factor: float


@functools.cache
def load_decode_fit() -> DecodeFit:
    """The constants of the figures in use."""
    return DecodeFit.model_validate_json(figures.read("coefficients/decode.json"))
