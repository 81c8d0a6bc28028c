"""Published speeds of language models as the fit sees them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ....hardware_db import load_target
from ....hardware_db.measurements.decode import DecodeRow, decode_rows
from ...core.records import replace
from ...cost_model.decode import DecodePlace, Sessions, engine_of, unpack_rate, unpacks
from ...cost_model.decode_place import decode_place
from ...model_zoo.language_model import language_model
from ...model_zoo.weight_format import kv_format, weight_format

USUAL_PROMPT = 512


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
    def source(self) -> str:
        return self.row.source

    @property
    def ideal_s(self) -> float:
        """Bytes of a step over the bandwidth."""
        return self.work.step_bytes / (self.place.bytes_per_s or math.inf)

    @property
    def is_behind_slow_host(self) -> bool:
        """Whether a card's work was started by a board that is none of those people have it in."""
        return bool(self.row.host)

    def unpack_s(self, operations_per_byte: dict[str, float]) -> float:
        """Of a token's arithmetic where its weights are unpacked, if that takes time; else 0."""
        if not unpacks(self.place):
            return 0.0
        return self.work.operations(1) / unpack_rate(self.place, operations_per_byte)

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
    def prefill_s(self) -> float | None:
        """Measured, of the whole prompt; None where the peak is not known."""
        if self.row.prefill_tokens_per_s is None or not self.place.peak_ops_per_s:
            return None
        return self.prompt_tokens / self.row.prefill_tokens_per_s

    @property
    def prompt_tokens(self) -> int:
        """Of the prefill; llama-bench's where none is named."""
        return self.row.prefill_prompt_tokens or USUAL_PROMPT

    @property
    def prompt_operations(self) -> float:
        return replace(self.work, sessions=1).prompt_operations(self.prompt_tokens, self.place)


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
        units = row.float32_tops * 1e12 if row.float32_tops else None
        place = DecodePlace(row.kind, row.runtime, cited, None, row.backend, units)
    context = row.prompt_tokens + row.generated_tokens // 2
    return Speed(row, place, Sessions(model, weights, kv_format(row.kv), context, row.batch))
