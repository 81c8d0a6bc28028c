"""What a user says of a board of their own, in energy and in an accelerator, is what estimates go by."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.tools import (
    Deployment,
    OwnAccelerator,
    OwnFigures,
    Settings,
    UsageError,
    add_target,
    compare_deployments,
    deployment,
    estimate_many,
    estimate_performance,
    score_compatibility,
)

NPU = OwnAccelerator(("conv_2d", "DEPTHWISE_CONV_2D"), macs_per_cycle=64, clock_mhz=200)


def own(folder: Path, figures: OwnFigures, like: str = "stm32h743zi") -> Deployment:
    add_target("mine", like=like, directory=folder, source="bench", figures=figures, force=True)
    return deployment("mine", settings=Settings(hardware_directories=(folder,)))


def test_energy_per_mac_makes_the_energy_and_the_time_the_mean_power(tmp_path: Path) -> None:
    place = own(tmp_path, OwnFigures(energy_per_mac_pj=20))
    macs = sum(layer.macs or 0 for layer in estimate_performance("kws", place).layers)
    estimate = estimate_performance("kws", place)
    assert estimate.energy_uj.value == pytest.approx(macs * 20e-6)
    assert (estimate.energy_uj.low, estimate.energy_uj.high) == (estimate.energy_uj.value,) * 2
    power, latency = estimate.power_mw.value, estimate.latency_ms.value
    assert power is not None
    assert latency is not None
    assert power * latency == pytest.approx(estimate.energy_uj.value)
    assert any("20 pJ" in line for line in estimate.stands_on)


def test_layers_share_the_energy_by_their_macs_and_add_up_to_it(tmp_path: Path) -> None:
    estimate = estimate_performance("kws", own(tmp_path, OwnFigures(energy_per_mac_pj=20)))
    for layer in estimate.layers:
        assert layer.energy_uj == pytest.approx((layer.macs or 0) * 20e-6)
    assert sum(layer.energy_uj or 0 for layer in estimate.layers) == pytest.approx(estimate.energy_uj.value)
    assert len({layer.power_mw for layer in estimate.layers}) > 2


def test_a_table_of_deployments_says_the_same_energy_as_one_estimate(tmp_path: Path) -> None:
    place = own(tmp_path, OwnFigures(energy_per_mac_pj=20))
    both = estimate_many("kws:int8", [deployment("stm32h743zi"), place])
    alone = estimate_performance("kws", place)
    assert both.energy_uj.value[1] == pytest.approx(alone.energy_uj.value)
    assert both.power_mw.value[1] == pytest.approx(alone.power_mw.value)
    assert both.energy_uj.value[0] > both.energy_uj.value[1]


def test_a_power_of_ones_own_goes_before_what_was_measured_and_before_energy_per_mac(tmp_path: Path) -> None:
    both = own(tmp_path, OwnFigures(active_mw=30, energy_per_mac_pj=20), like="stm32l4r5zi")
    estimate = estimate_performance("kws", both)
    assert estimate.power_mw.value == 30
    assert estimate.energy_uj.value == pytest.approx(30 * (estimate.latency_ms.value or 0))


def test_an_own_accelerator_runs_its_operators_and_the_core_the_others(tmp_path: Path) -> None:
    place = own(tmp_path, OwnFigures(accelerator=NPU))
    assert place.runtime.id == "mine-accelerator"
    assert place.clock_mhz == 200
    estimate = estimate_performance("kws", place)
    assert {layer.op for layer in estimate.layers if layer.accelerated} == {"CONV_2D", "DEPTHWISE_CONV_2D"}
    assert estimate.latency_ms.known
    assert estimate.latency_ms.basis == "assumed"
    others = [op for op in score_compatibility("kws", place).ops if op.op == "SOFTMAX"]
    assert [(op.supported, op.processor) for op in others] == [(True, "cm7")]


def test_twice_the_macs_a_cycle_are_no_slower(tmp_path: Path) -> None:
    fast = OwnAccelerator(NPU.operators, macs_per_cycle=128, clock_mhz=200)
    times = [
        estimate_performance("ic", own(tmp_path / str(n), OwnFigures(accelerator=each))).latency_ms.value
        for n, each in enumerate((NPU, fast))
    ]
    assert times[1] is not None
    assert times[0] is not None
    assert times[1] < times[0]


def test_an_own_board_stands_beside_others_at_once(tmp_path: Path) -> None:
    place = own(tmp_path, OwnFigures(accelerator=NPU, energy_per_mac_pj=4.6))
    compared = compare_deployments("kws", [place, deployment("stm32h743zi")])
    assert all(row.energy_uj.known for row in compared.ranking)


def test_an_operator_that_there_is_not_names_its_neighbours(tmp_path: Path) -> None:
    wrong = OwnFigures(accelerator=OwnAccelerator(("CONV2D",), 64))
    with pytest.raises(UsageError) as refused:
        own(tmp_path, wrong)
    assert "CONV_2D" in refused.value.hint
    assert not list(tmp_path.iterdir())


def test_a_target_without_cores_that_could_take_the_rest_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="kernels for the cores"):
        own(tmp_path, OwnFigures(accelerator=NPU), like="t4")


def test_a_board_that_was_added_or_changed_is_known_in_the_same_process(tmp_path: Path) -> None:
    own(tmp_path, OwnFigures(active_mw=30))
    assert estimate_performance("kws", own(tmp_path, OwnFigures(active_mw=40))).power_mw.value == 40
    add_target(
        "second",
        like="mine",
        directory=tmp_path,
        source="bench",
        settings=Settings(hardware_directories=(tmp_path,)),
    )
    place = deployment("second", settings=Settings(hardware_directories=(tmp_path,)))
    assert estimate_performance("kws", place).power_mw.value == 40
