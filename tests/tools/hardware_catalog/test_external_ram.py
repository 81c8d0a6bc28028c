"""A target of the user's own with RAM beside the chip."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.hardware_db import load_target
from edgewright.hardware_db.errors import UsageError
from edgewright.tools.hardware_catalog.additions import OwnFigures, add_target


def added(folder: Path, like: str, **figures: float) -> Path:
    return add_target("mine", like=like, directory=folder, source="manual", figures=OwnFigures(**figures))


@pytest.mark.parametrize("like", ["stm32u585ai", "ra8d1", "stm32h743zi"])
def test_it_is_a_region_of_its_own(tmp_path: Path, like: str) -> None:
    target = load_target(
        added(tmp_path, like, external_ram_bytes=2**23, external_bytes_per_s=1e8).stem, (tmp_path,)
    )
    outside = [region for region in target.memories if region.external and region.kind in ("psram", "dram")]
    assert [region.size_bytes.value for region in outside] == [2**23]
    assert outside[0].bandwidth_bytes_per_s is not None


@pytest.mark.parametrize("figures", [{"external_ram_bytes": 0.0}, {"external_ram_bytes": -8.0},
                                     {"external_ram_bytes": 1024.0, "external_bytes_per_s": 0.0}])  # fmt: skip
def test_a_size_or_a_bandwidth_of_nothing_is_refused(tmp_path: Path, figures: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        added(tmp_path, "stm32u585ai", **figures)
