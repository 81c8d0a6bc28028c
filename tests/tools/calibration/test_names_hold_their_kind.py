import pytest

from edgewright.hardware_db.coefficients import load_coefficients
from edgewright.tools.calibration.fit.disjoint import disjoint_union
from edgewright.tools.calibration.records import read_records
from edgewright.tools.calibration.validation.samples import device_class
from edgewright.tools.cost_model.hierarchy import ProcessorKind, amount, calibration_path


def test_a_board_and_a_library_are_other_nodes_for_the_cpu_than_for_the_gpu_beside_it() -> None:
    on = {"target": "rk3588", "chip_mhz": 2400.0, "threads": 4}
    cpu = calibration_path(ProcessorKind.CPU, "cortex-a76", "int8", "ncnn", **on)
    gpu = calibration_path(ProcessorKind.UNIT, "mali", "int8", "ncnn", **on)
    assert {"board:cpu/rk3588", "software:cpu/ncnn"} <= set(cpu)
    assert {"board:gpu/rk3588", "software:gpu/ncnn"} <= set(gpu)
    assert not set(cpu) & set(gpu)


def test_no_measurement_counts_towards_a_node_of_another_class_of_processor() -> None:
    astray = {
        step
        for record in read_records()
        for step in record.path
        if not step.partition(":")[2].startswith(f"{device_class(record.kind, record.row['processor'])}/")
    }
    assert not astray


def test_every_measurement_finds_all_its_nodes_in_what_ships() -> None:
    known = load_coefficients().nodes.keys()
    missing = {name for record in read_records() for name, _ in map(amount, record.path)} - known
    assert not missing


def test_fits_that_share_a_name_are_not_stored_over_each_other() -> None:
    assert disjoint_union([{"board:cpu/a": 1}, {"board:unit/a": 2}]) == {"board:cpu/a": 1, "board:unit/a": 2}
    with pytest.raises(ValueError, match="board:a"):
        disjoint_union([{"board:a": 1}, {"board:a": 2}])
