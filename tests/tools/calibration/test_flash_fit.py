from __future__ import annotations

import csv
import functools
from importlib import resources

import numpy as np
import pytest

from edgewright.hardware_db import coefficients
from edgewright.hardware_db.coefficients.flash import load_flash_fit
from edgewright.tools.calibration.fit.flash_fit import fit_nodes, interval_factors, left_out, predicted_kib
from edgewright.tools.calibration.flash_records import (
    FlashRecord,
    by_network,
    by_target,
    flash_record_of,
    read_flash_records,
    structure_name,
)
from edgewright.tools.memory_planner.flash.code_family import Build, Family
from edgewright.tools.memory_planner.flash.code_size import Need, Tier


def program(network: str, kinds: tuple[str, ...], code_kib: float, target: str = "board") -> FlashRecord:
    build = Build("kit", Family.INTERPRETER, "cortex-m4", target)
    needs = (
        Need("runtime", tuple(f"base:{place}" for place in build.places)),
        *(Need(k, ("kernel:*", f"kernel:{k}", f"kernel:interpreter/{k}", f"kernel:kit/{k}")) for k in kinds),
    )
    row = {"flash_code_kib": ""}
    return FlashRecord(network, row, build, network, kinds, needs, code_kib, 10.0, code_kib + 10.0)


MADE = [
    program("a", ("X",), 30.0),
    program("b", ("X", "Y"), 45.0),
    program("c", ("X", "Z"), 35.0),
    program("d", ("X", "Y", "Z"), 50.0),
]
"""A runtime and X take 30 KiB, Y 15, Z 5."""


def test_sizes_that_add_up_are_found_again() -> None:
    nodes = fit_nodes(MADE, 1e-4)
    assert nodes["kernel:kit/Y"] == pytest.approx(15, rel=0.01)
    assert nodes["kernel:kit/Z"] == pytest.approx(5, rel=0.02)
    for record in MADE:
        assert predicted_kib(record.needs, nodes) == pytest.approx(record.code_kib, rel=0.01)


def test_no_size_is_negative_even_where_that_would_fit_better() -> None:
    nodes = fit_nodes([program("a", ("X",), 30.0), program("b", ("X", "Y"), 20.0)], 1e-3)
    assert min(nodes.values()) >= 0


def test_a_strong_pull_gives_a_kernel_the_size_of_others() -> None:
    weak, strong = fit_nodes(MADE, 1e-4), fit_nodes(MADE, 1.0)
    apart = weak["kernel:kit/Y"] - weak["kernel:kit/Z"]
    assert strong["kernel:kit/Y"] - strong["kernel:kit/Z"] < apart / 2


def test_a_network_left_out_is_predicted_from_the_others_alone() -> None:
    errors, tiers = left_out([*MADE, program("odd", ("X", "Y"), 90.0)], 1e-4, by_network, folds=False)
    assert errors[-1] == pytest.approx(np.log(45 / 90), abs=0.02)
    assert set(tiers) == {Tier.TARGET}


def test_a_target_left_out_is_predicted_from_others_with_such_a_core() -> None:
    _, tiers = left_out([*MADE, program("a", ("X",), 30.0, target="other")], 1e-4, by_target, folds=False)
    assert tiers == [Tier.ISA] * 5


def test_an_interval_holds_nine_of_ten_and_the_estimate_itself() -> None:
    errors = np.linspace(-0.1, 0.3, 41)
    low, high = interval_factors(errors, [MADE[0]] * 41)
    inside = (np.exp(-errors) >= low) & (np.exp(-errors) <= high)
    assert 0.88 <= inside.mean() <= 0.96
    assert low < 1 < high


@functools.cache
def shipped() -> list[FlashRecord]:
    return read_flash_records()


def test_the_shipped_fit_comes_out_again() -> None:
    nodes = fit_nodes(shipped(), 0.008)
    for name, kib in load_flash_fit().nodes.items():
        assert nodes[name] == pytest.approx(kib, abs=0.01)


def test_every_record_has_its_stored_error() -> None:
    text = resources.files(coefficients).joinpath("flash_errors.csv").read_text(encoding="utf-8")
    assert {row["id"] for row in csv.DictReader(text.splitlines())} == {record.id for record in shipped()}


def test_types_trainings_and_input_sizes_of_a_structure_go_by_one_name() -> None:
    same = ["x/CNN_2__basic.tflite", "x/CNN_2__q_full_int.tflite"]
    assert {structure_name(name) for name in same} == {"CNN_2"}
    same = ["m/mobilenet_v2_0.35_224_fft_int8.tflite", "n/mobilenet_v2_0.35_128_int8.tflite"]
    assert {structure_name(name) for name in same} == {"mobilenet_v2_0.35"}
    assert structure_name("x/FC_1__basic.tflite") != structure_name("x/FC_10__basic.tflite")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"flash_total_kib": "", "flash_code_kib": ""}, "no code size"),
        ({"network": "nobody's"}, "network is not known"),
        ({"runtime": "renesas-eai-ccrx"}, "no runtime of the database"),
        ({"flag": "vww_dead_channels_removed"}, "dead_channels"),
        ({"flash_total_kib": "1", "flash_code_kib": ""}, "smaller than its model"),
    ],
)
def test_what_tells_no_code_size_is_left_out_with_the_reason(change: dict[str, str], why: str) -> None:
    row = dict(shipped()[0].row)
    found = flash_record_of(row | change)
    assert isinstance(found, str)
    assert why in found
