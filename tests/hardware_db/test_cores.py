"""Facts about cores and accelerators that stand outside the targets' files."""

import csv
from pathlib import Path

from edgewright import hardware_db
from edgewright.hardware_db import load_target
from edgewright.hardware_db.cores import FILE, float32_macs_per_cycle
from edgewright.hardware_db.measurements import rows
from edgewright.hardware_db.measurements.units import FILE as UNITS
from edgewright.hardware_db.measurements.units import measured_bandwidths, measured_units

HERE = Path(hardware_db.__file__).parent


def lines(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as source:
        return list(csv.DictReader(source))


def test_every_width_of_a_core_says_where_it_was_read() -> None:
    for line in lines(HERE / FILE):
        assert all((line["where"], line["version"], line["locator"])), line["core"]


def test_a_core_is_as_wide_as_a_source_of_its_target_says() -> None:
    for name, core in (
        ("rk3588", "cortex-a76"),
        ("raspberry-pi-4b", "cortex-a72"),
        ("jetson-nano", "cortex-a57"),
    ):
        leaf = next(c for c in load_target(name).cores if c.isa.value == core).macs_per_cycle["float32"]
        assert float32_macs_per_cycle()[core] in {leaf.value, *(other.value for other in leaf.others)}


def test_every_peak_of_an_accelerator_beside_the_targets_says_where_it_was_read() -> None:
    for line in lines(HERE / "measurements" / UNITS):
        assert all((line["where"], line["date"], line["locator"])), line["device"]


def test_accelerators_beside_the_targets_were_measured() -> None:
    measured = {(row["device"], row["processor"]) for row in rows() if not row["target"]}
    assert set(measured_units()) <= measured
    assert set(measured_bandwidths()) <= {device for device, _ in measured}
