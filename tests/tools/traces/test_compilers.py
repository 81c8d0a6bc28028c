"""What vendors' compilers made of a model, told from their own reports."""

import json
from pathlib import Path
from typing import Any

import pytest

from edgewright.tools import InputError, TraceReport, explain_trace


def explained(folder: Path, content: str, name: str = "report.txt") -> TraceReport:
    (folder / name).write_text(content)
    return explain_trace(folder / name)


EPOCHS = """\
ST Edge AI Core v3.0.0-20426 123672867
Created date          : 2026-02-03 11:06:47
Parameters            : generate -m net.onnx --target stm32n6 --st-neural-art

Model name - net
Memory usage information  (input/output buffers are included in activations)
\tnpuRAM5    [0x342E0000 - 0x34350000]:    240.000 kB /    448.000 kB  ( 53.57 % used) -- weights:  0  B
\tnpuRAM6    [0x34350000 - 0x343C0000]:          0  B /    448.000 kB  (  0.00 % used) -- weights:  0  B
\toctoFlash  [0x71000000 - 0x78000000]:    207.626 kB /    112.000 MB  (  0.18 % used) -- weights:  1  B

Epochs details
------------------------------------------------------------------------------------
Total number of epochs                               3
>> pure software (SW) epochs                          1
---
+----------+------+---------+
| epoch ID | Type | Details |
+----------+------+---------+
| epoch_1  |  HW  |         |
| epoch_2  |  HW  |         |
| epoch_3  |  SW  | Softmax |
+----------+------+---------+
"""
"""In the form of github.com/AlexGraefe/STM32N6Example st_ai_output/network_generate_report.txt, commit 8becbb2, which
has 56 epochs of which one runs in software; its figures of the memories."""


def test_epochs_in_hardware_and_in_software_are_told_apart(tmp_path: Path) -> None:
    found = explained(tmp_path, EPOCHS)
    assert found.engines == {"NPU": 2, "CPU": 1}
    assert [row.op_untrusted for row in found.compiled if row.engine == "CPU"] == ["Softmax"]
    assert found.facts["in octoFlash"] == "207.626 kB of 112.000 MB"
    assert "in npuRAM6" not in found.facts


def network() -> dict[str, Any]:
    """Epochs 1, 6 and 56 of the network above, by their figures."""
    nodes = [
        {"id": 201, "name": "epoch_1", "mapping": "NODE_HW", "macc": 0, "type": "",
         "subgraph_nodes": [{"type": "Identity", "mapping": "NODE_HW"}]},
        {"id": 214, "name": "epoch_6", "mapping": "NODE_HW", "macc": 0, "type": "",
         "subgraph_nodes": [{"type": "Conv"}, {"type": "Add"}, {"type": "Sub"}]},
        {"id": 447, "name": "epoch_56", "mapping": "NODE_SW", "macc": 0, "type": "",
         "subgraph_nodes": [{"type": "Softmax"}]},
        {"id": 449, "name": "epoch_57", "mapping": "NODE_NO_X", "subgraph_nodes": [{"type": "Return"}]},
    ]  # fmt: skip
    return {
        "buffers": [], "graphs": [{"nodes": nodes}], "json_schema_version": "2.0",
        "environment": {"tools": [{"name": "ST.EdgeAI.Core", "version": "3.0.0", "arguments": "generate"}]},
        "memory_footprint": {"activations": 245760, "weights": 212609},
        "memory_pools": [
            {"id": 2, "name": "npuRAM5", "used_size_bytes": 245760, "size_bytes": 458752},
            {"id": 9, "name": "octoFlash", "used_size_bytes": 212609, "size_bytes": 117440512},
        ],
        "memory_accesses": [
            {"mpool_id": 2, "node_id": 201, "read_cycles": 7680, "write_cycles": 61440},
            {"mpool_id": 2, "node_id": 214, "read_cycles": 245760, "write_cycles": 30720},
            {"mpool_id": 9, "node_id": 214, "read_cycles": 5184, "write_cycles": 0},
            {"mpool_id": 9, "node_id": 447, "read_cycles": 24, "write_cycles": 0},
        ],
        "power_estimates": [
            {"node_id": 201, "compute_cycles": 0, "max_cycles": 61440},
            {"node_id": 214, "compute_cycles": 98304, "max_cycles": 245760},
            {"node_id": 447, "compute_cycles": 522, "max_cycles": 522},
        ],
    }  # fmt: skip


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


EDGE_TPU = """\
Edge TPU Compiler version 16.0.384591198
Model compiled successfully in 3173 ms.

Input model: net.tflite
Input size: 7.37MiB
On-chip memory used for caching model parameters: 6.08MiB
Off-chip memory used for streaming uncached model parameters: 1.70MiB
Number of Edge TPU subgraphs: 2
Total number of operations: 294
Number of operations that will run on Edge TPU: 289
Number of operations that will run on CPU: 5

Operator                       Count      Status

CONV_2D                        289        Mapped to Edge TPU
CONCATENATION                  1          Operation is otherwise supported, but not mapped due to some limitation
FULLY_CONNECTED                4          Operation version not supported
"""
"""Lines as edgetpu_compiler 16.0 prints them; figures of a YOLOv5s at 224 pixels that was published."""


def test_operators_that_the_edge_tpu_did_not_take_are_named_with_its_reason(tmp_path: Path) -> None:
    found = explained(tmp_path, EDGE_TPU, "compile.log")
    assert found.engines == {"Edge TPU": 289, "CPU": 5}
    left = {
        row.name_untrusted: (row.times, row.why_untrusted) for row in found.compiled if row.engine == "CPU"
    }
    assert left["FULLY_CONNECTED"] == (4, "Operation version not supported")
    assert found.facts["number of edge tpu subgraphs"] == "2"


def test_contexts_of_hailo_are_those_of_the_last_partition(tmp_path: Path) -> None:
    lines = (
        "[info] Translation completed on ONNX model yolov11n", "[info] Using Multi-context flow",
        "Found valid partition to 4 contexts", "Found valid partition to 5 contexts, Performance improved by 12.1%",
        "[info] Successful Mapping (allocation time: 32m 55s)",
    )  # fmt: skip
    found = explained(tmp_path, "\n".join(lines), "hailo.log")
    assert (found.facts["contexts"], found.facts["partitions tried"]) == ("5", "2")
    assert any("several contexts" in line for line in found.assumptions)


MLTK = """\
    Profiling Summary
    Name: fingerprint
    Accelerator: MVP
    Accelerator Cycle Count: 4.1M
    CPU Cycle Count: 5.4M
    CPU Utilization (%): 57.4
    Clock Rate (hz): 78.0M
    Time (s): 119.7m
    Inference/s: 8.4

    Model Layers
    +-------+-------------------+-------+--------+------------+------------+----------+-----------+
    | Index | OpCode            | # Ops | # MACs | Acc Cycles | CPU Cycles | Time (s) | Options   |
    +-------+-------------------+-------+--------+------------+------------+----------+-----------+
    | 0     | depthwise_conv_2d | 3.3M  | 1.5M   | 2.5M       | 33.2k      | 31.5m    | stride:2x2|
    |       |                   |       |        |            |            |          | more      |
    | 1     | average_pool_2d   | 77.4k | 0      | 54.3k      | 1.8M       | 23.8m    |           |
    | 2     | conv_2d           | 4.1M  | 2.0M   | 1.6M       | 10.6k      | 20.4m    |           |
    | 3     | mean              | 0     | 0      | 0          | 3.5M       | 43.9m    |           |
    | 4     | fully_connected   | 528.0 | 256.0  | 496.0      | 2.2k       | 30.0u    |           |
    +-------+-------------------+-------+--------+------------+------------+----------+-----------+

    after the table
"""
"""In the form, and with the figures, of github.com/SiliconLabs/mltk mltk/models/siliconlabs/
fingerprint_signature_generator.py."""


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


NSYS = """\
Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name
75.0,3000000,30,100000.0,99000.0,90000,120000,800.0,"implicit_convolve(float *, int, int)"
25.0,1000000,10,100000.0,99000.0,90000,120000,800.0,"softmax"
"""


def test_kernels_of_nsight_systems_are_ranked_by_all_their_launches(tmp_path: Path) -> None:
    found = explained(tmp_path, NSYS, "cuda_gpu_kern_sum.csv")
    assert [(row.name_untrusted, row.times, row.time_ms) for row in found.operators] == [
        ("implicit_convolve(float *, int, int)", 30, pytest.approx(3.0)), ("softmax", 10, pytest.approx(1.0)),
    ]  # fmt: skip
    assert [row.share for row in found.operators] == pytest.approx([0.75, 0.25])
