"""What vendors' compilers made of a model, told from their own reports."""

import json
from pathlib import Path

import pytest

from edgewright.tools import InputError, TraceReport, explain_trace
from stubs.vendor_reports import EDGE_TPU, EPOCHS, HAILO, MLTK, NSYS, network


def explained(folder: Path, content: str, name: str = "report.txt") -> TraceReport:
    (folder / name).write_text(content)
    return explain_trace(folder / name)


def test_epochs_in_hardware_and_in_software_are_told_apart(tmp_path: Path) -> None:
    found = explained(tmp_path, EPOCHS)
    assert found.engines == {"NPU": 2, "CPU": 1}
    assert [row.op_untrusted for row in found.compiled if row.engine == "CPU"] == ["Softmax"]
    assert found.facts["in octoFlash"] == "207.626 kB of 112.000 MB"
    assert "in npuRAM6" not in found.facts


def test_each_epoch_of_st_edge_ai_has_its_engine_its_cycles_and_what_binds_it(tmp_path: Path) -> None:
    found = explained(tmp_path, json.dumps(network(), indent=2), "network_c_info.json")
    assert [
        (row.name_untrusted, row.op_untrusted, row.engine, row.cycles, row.bound) for row in found.compiled
    ] == [
        ("epoch_1", "Identity", "NPU", 61440, "npuRAM5"),
        ("epoch_6", "Conv + Add + Sub", "NPU", 245760, "npuRAM5"),
        ("epoch_56", "Softmax", "CPU", 522, "CPU"),
    ]
    assert found.facts["epochs"] == "2 on NPU, 1 on CPU"
    assert found.facts["weights"] == "212,609 B"


def test_json_of_st_edge_ai_that_is_cut_off_is_refused_with_its_line(tmp_path: Path) -> None:
    whole = json.dumps(network(), indent=2)
    with pytest.raises(InputError, match=r"Line \d+: the JSON ends there"):
        explained(tmp_path, whole[: int(len(whole) * 0.9)], "network_c_info.json")


@pytest.mark.parametrize(
    "key", ["graphs", "memory_pools", "memory_accesses", "power_estimates", "environment"]
)
def test_json_with_another_content_is_no_crash(tmp_path: Path, key: str) -> None:
    for other in (None, 7, "x", [1, None], {"a": [{}]}):
        document = network() | {key: other}
        (tmp_path / "odd.json").write_text(json.dumps(document))
        if key in ("graphs", "environment") and not isinstance(other, list if key == "graphs" else dict):
            with pytest.raises(InputError):
                explain_trace(tmp_path / "odd.json")
        else:
            explain_trace(tmp_path / "odd.json")


def test_operators_that_the_edge_tpu_did_not_take_are_named_with_its_reason(tmp_path: Path) -> None:
    found = explained(tmp_path, EDGE_TPU, "compile.log")
    assert found.engines == {"Edge TPU": 289, "CPU": 5}
    left = {
        row.name_untrusted: (row.times, row.why_untrusted) for row in found.compiled if row.engine == "CPU"
    }
    assert left["FULLY_CONNECTED"] == (4, "Operation version not supported")
    assert found.facts["number of edge tpu subgraphs"] == "2"


def test_contexts_of_hailo_are_those_of_the_last_partition(tmp_path: Path) -> None:
    found = explained(tmp_path, HAILO, "hailo.log")
    assert (found.facts["contexts"], found.facts["partitions tried"]) == ("5", "2")
    assert any("several contexts" in line for line in found.assumptions)


def test_a_profile_of_mltk_tells_what_ran_on_the_accelerator_and_what_takes_the_time(tmp_path: Path) -> None:
    found = explained(tmp_path, MLTK, "mltk.txt")
    assert [(row.name_untrusted, row.time_ms) for row in found.operators[:2]] == [
        ("mean", pytest.approx(43.9)), ("depthwise_conv_2d", pytest.approx(31.5)),
    ]  # fmt: skip
    assert sum(row.time_ms or 0 for row in found.operators) == pytest.approx(119.63)
    assert found.engines == {"accelerator": 4, "CPU": 1}
    assert [row.bound for row in found.compiled] == ["accelerator", "CPU", "accelerator", "CPU", "CPU"]
    assert found.facts["cpu utilization (%)"] == "57.4"
    assert found.sources[0].basis == "simulated"


def test_kernels_of_nsight_systems_are_ranked_by_all_their_launches(tmp_path: Path) -> None:
    found = explained(tmp_path, NSYS, "cuda_gpu_kern_sum.csv")
    assert [(row.name_untrusted, row.times, row.time_ms) for row in found.operators] == [
        ("implicit_convolve(float *, int, int)", 30, pytest.approx(3.0)), ("softmax", 10, pytest.approx(1.0)),
    ]  # fmt: skip
    assert [row.share for row in found.operators] == pytest.approx([0.75, 0.25])
