"""What vendors' compilers and profilers print of a network."""

from collections.abc import Sequence
from typing import Any

import flatbuffers

TENSORRT = """\
[
  { "count" : 4216 }
, { "name" : "features.14.conv.2.weight + QuantizeLinear_674 + Conv_678", "timeMs" : 56.3423, "averageMs" : 0.0133639, "percentage" : 2.06532 }
, { "name" : "Reformatting CopyNode for Input Tensor 0 to QuantizeLinear_682", "timeMs" : 19.7622, "averageMs" : 0.00468743, "percentage" : 0.724416 }
, { "name" : "QuantizeLinear_682", "timeMs" : 30.5444, "averageMs" : 0.00724487, "percentage" : 1.11966 }
, { "name" : "GlobalAveragePool_843", "timeMs" : 25.7243, "averageMs" : 0.00610158, "percentage" : 0.942966 }
]
"""
"""Four layers of github.com/NVIDIA/TensorRT tools/experimental/trt-engine-explorer/tests/inputs/
mobilenet.qat.onnx.engine.profile.json, commit 26210e9; the count is 56.3423 / 0.0133639."""


GENERATE = """\
ST Edge AI Core v2.2.0-20266 2adc00962
Created date          : 2026-05-17 20:45:41
Parameters            : generate --target stm32f4 --name network -m model.tflite

Exec/report summary (generate)
------------------------------------------------------------------------
type               :   tflite
optimization       :   balanced
target/series      :   stm32f4
macc               :   23,186
weights (ro)       :   86,168 B (84.15 KiB) (1 segment)
activations (rw)   :   856 B (856 B) (1 segment) *
------------------------------------------------------------------------

C-Layers (2)
------ ---------------- ---- --------------- ------ ------- ---------------------------- ------------------
c_id   name (*_layer)   id   layer_type      macc   rom     tensors                      shape (array id)
------ ---------------- ---- --------------- ------ ------- ---------------------------- ------------------
0      gemm_4           4    Dense           9664   38656   I: serving_default_output    f32(1x50x3) (16)
                                                            W: gemm_4_weights            f32(64x150) (2)
------ ---------------- ---- --------------- ------ ------- ---------------------------- ------------------
1      nl_4_nl          4    Nonlinearity    64     0       I: gemm_4_output             f32(1x64) (1)
"""
"""Two layers of github.com/he451313/STM32-TinyML-Vibration-Detector X-CUBE-AI/App/network_generate_report.txt,
commit dd5bf28."""


def etdump(events: Sequence[tuple[str, int, int]]) -> bytes:
    """As flatcc writes it by etdump_schema_flatcc.fbs of pytorch/executorch, commit a7a24d2; made up."""
    builder = flatbuffers.Builder(0)
    made = []
    for name, start, end in events:
        text = builder.CreateString(name)
        builder.StartObject(8)
        builder.PrependUOffsetTRelativeSlot(0, text, 0)
        builder.PrependUint64Slot(6, start, 0)
        builder.PrependUint64Slot(7, end, 0)
        profile = builder.EndObject()
        builder.StartObject(3)
        builder.PrependUOffsetTRelativeSlot(0, profile, 0)
        made.append(builder.EndObject())
    builder.StartVector(4, len(made), 4)
    for offset in reversed(made):
        builder.PrependUOffsetTRelative(offset)
    vector = builder.EndVector()
    builder.StartObject(4)
    builder.PrependUOffsetTRelativeSlot(3, vector, 0)
    run = builder.EndObject()
    builder.StartVector(4, 1, 4)
    builder.PrependUOffsetTRelative(run)
    runs = builder.EndVector()
    builder.StartObject(2)
    builder.PrependUOffsetTRelativeSlot(1, runs, 0)
    builder.Finish(builder.EndObject(), b"ED00")
    return bytes(builder.Output())


ETDUMP = (
    ("Method::execute", 5, 1000), ("native_call_aten::convolution.out", 10, 700),
    ("native_call_aten::relu.out", 700, 760),
)  # fmt: skip


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


NSYS = """\
Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name
75.0,3000000,30,100000.0,99000.0,90000,120000,800.0,"implicit_convolve(float *, int, int)"
25.0,1000000,10,100000.0,99000.0,90000,120000,800.0,"softmax"
"""


VELA = (
    "Original Operator,NNG Operator,Target,Staging Usage,Peak% (Staging),Op Cycles,Network% (cycles),NPU,SRAM AC,DRAM AC,"
    "OnFlash AC,OffFlash AC,MAC Count,Network% (MAC),Util% (MAC),Name\n"
)

HAILO = "\n".join((
    "[info] Translation completed on ONNX model yolov11n", "[info] Using Multi-context flow",
    "Found valid partition to 4 contexts", "Found valid partition to 5 contexts, Performance improved by 12.1%",
    "[info] Successful Mapping (allocation time: 32m 55s)",
))  # fmt: skip
