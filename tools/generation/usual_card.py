"""A card that stands for those of which only the memory is said, and the runtime of a chip's NPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...hardware_db import load_target
from ...hardware_db.later import Later

if TYPE_CHECKING:
    from . import engine
else:
    engine = Later(".engine", __package__)

ON_CORES = "llama.cpp"
"""The runtime that is taken on cores."""
_BY_GB = {
    4: "gtx-1650", 6: "rtx-2060", 8: "rtx-4060", 10: "rtx-3080", 11: "rtx-2080-ti", 12: "rtx-3060",
    16: "rtx-4060-ti-16gb", 20: "rx-7900-xt", 24: "rtx-3090", 32: "rtx-5090", 40: "a100-pcie-40gb",
    48: "rtx-a6000", 80: "a100-sxm4-80gb",
}  # fmt: skip
"""One that many people have, by the GB that people call its memory."""


def usual_card(gb: int) -> str | None:
    """The id of a target; None where no card has so much."""
    return _BY_GB.get(gb)


def npu_engine(target: str) -> str | None:
    """The runtime of language models on a chip's NPU; None where there is none."""
    chip = load_target(target)
    engines = (one for one in engine.engines_on(chip) if engine.kind_on(chip, one) == "npu")
    return next((one.id for one in engines), None)
