"""Which GPUs skip zeros in a pattern follows from stated peaks and from their architecture."""

import pytest

from edgewright.hardware_db.loader import load_target, target_ids
from edgewright.hardware_db.structured_sparsity import skips_zeros


@pytest.mark.parametrize(
    ("target", "skips"),
    [
        ("jetson-orin-nano-8gb", True), ("rtx-4070", True), ("a10", True), ("rtx-5080", True), ("h100-pcie", True),
        ("jetson-xavier-nx", False), ("jetson-nano", False), ("t4", False), ("v100-pcie", False),
        ("rtx-2080-ti", False), ("stm32h743zi", None), ("raspberry-pi-4b", None), ("coral-usb", None),
    ],
)  # fmt: skip
def test_it_is_known_of_named_hardware(target: str, skips: bool | None) -> None:
    assert skips_zeros(target) is skips


def test_every_stated_sparse_peak_counts_and_no_older_architecture_has_one() -> None:
    for target in target_ids():
        stated = any(
            rate.sparse is not None
            for unit in load_target(target).accelerators
            for rate in unit.peak.values()
        )
        if stated:
            assert skips_zeros(target) is True
            names = " ".join(unit.name for unit in load_target(target).accelerators)
            assert not any(old in names for old in ("Volta", "Turing", "Pascal", "Maxwell"))
