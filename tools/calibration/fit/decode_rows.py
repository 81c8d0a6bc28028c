"""Published speeds of language models as the fit sees them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ....hardware_db import load_target
from ....hardware_db.measurements.decode import DecodeRow, decode_rows
from ...core.records import replace
from ...cost_model.decode import DecodePlace, Sessions, engine_of, unpacks_on_shaders
from ...cost_model.decode_place import decode_place
from ...model_zoo.language_model import language_model
from ...model_zoo.weight_format import kv_format, weight_format


@dataclass(frozen=True)
class Speed:
    """A row whose bandwidth is known."""

    row: DecodeRow
    place: DecodePlace
    work: Sessions

    @property
    def kind(self) -> str:
        return self.row.kind

    @property
    def group(self) -> str:
        return f"{self.kind}/{engine_of(self.row.runtime)}"

    @property
    def backend(self) -> str:
        return f"{self.group}/{self.row.backend}"

    @property
    def device(self) -> str:
        return self.row.device

    @property
    def ideal_s(self) -> float:
        """Bytes of a step over the bandwidth."""
        return self.work.step_bytes / (self.place.bytes_per_s or math.inf)

    def shader_s(self, operations_per_byte: float) -> float:
        """Of a token's arithmetic on the shaders of a GPU, where it takes time there; else 0."""
        if not unpacks_on_shaders(self.place):
            return 0.0
        rate = self.place.shader_ops_per_s or operations_per_byte * (self.place.bytes_per_s or math.inf)
        return self.work.operations(1) / rate

    @property
    def step_s(self) -> float | None:
        """Measured, of one session alone."""
        if self.row.batch > 1 or self.row.decode_tokens_per_s is None:
            return None
        return 1 / self.row.decode_tokens_per_s

    @property
    def request_s(self) -> float | None:
        """Measured, of whole requests of several sessions; None where their lengths are not given."""
        row = self.row
        if row.batch == 1 or row.decode_tokens_per_s is None or not row.generated_tokens:
            return None
        return row.batch * row.generated_tokens / row.decode_tokens_per_s

    @property
    def prefill_share(self) -> float | None:
        """Of the peak, in the prefill."""
        if self.row.prefill_tokens_per_s is None or not self.place.peak_ops_per_s:
            return None
        return self.row.prefill_tokens_per_s * self.work.operations(1) / self.place.peak_ops_per_s


def read_speeds() -> tuple[Speed, ...]:
    """All rows whose bandwidth is known, in the file's order."""
    found = (_speed(row) for row in decode_rows())
    return tuple(speed for speed in found if speed.place.bytes_per_s)


def _speed(row: DecodeRow) -> Speed:
    model, weights = language_model(row.model), weight_format(row.weights, engine_of(row.runtime))
    cited = row.bandwidth_gb_per_s * 1e9 if row.bandwidth_gb_per_s else None
    if row.target:
        place = decode_place(load_target(row.target), row.kind, row.runtime, row.weights, cited)
        place = replace(place, backend=row.backend)
    else:
        shaders = row.float32_tops * 1e12 if row.float32_tops else None
        place = DecodePlace(row.kind, row.runtime, cited, None, row.backend, shaders)
    context = row.prompt_tokens + row.generated_tokens // 2
    return Speed(row, place, Sessions(model, weights, kv_format(row.kv), context, row.batch))
