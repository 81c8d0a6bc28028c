"""What vendors' own tools write about an engine or a compiled model."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import flatbuffers
import pytest
from typer.testing import CliRunner

from edgewright.cli import whole_app
from edgewright.tools import InputError, explain_trace, import_profile
from edgewright.tools.ethos_u.process import vela_version
from stubs.onnx_models import small_onnx

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

C-Layers (8)
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


def written(folder: Path, content: str | bytes, name: str = "report.txt") -> Path:
    file = folder / name
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def test_layers_of_an_engine_are_ranked_and_its_copies_are_transfers(tmp_path: Path) -> None:
    found = explain_trace(written(tmp_path, TENSORRT))
    assert found.operators[0].name_untrusted.endswith("Conv_678")
    assert found.operators[0].time_ms == pytest.approx(0.0133639)
    assert {lane.lane_untrusted: lane.doing for lane in found.lanes} == {
        "GPU": "compute",
        "copies": "transfer",
    }
    assert any("4,216 runs" in line for line in found.assumptions)


def test_an_engines_profile_is_compared_with_the_estimate(tmp_path: Path) -> None:
    rows = [("c1 + s1", 0.03), ("Reformatting CopyNode for Input Tensor 0 to c2", 0.01), ("/c2/Conv_2", 0.02)]
    body = "".join(f', {{"name": "{n}", "averageMs": {t}, "timeMs": 1, "percentage": 1}}\n' for n, t in rows)
    text = '[{"count": 10}\n' + body.replace("c1 + s1", "/Conv_1 + PWN(/Sigmoid_1)") + "]"
    report = import_profile(written(tmp_path, text), small_onnx(tmp_path / "m.onnx"), "jetson-orin-nano")
    assert [layer.measured_ms for layer in report.layers if layer.op == "CONV_2D"] == pytest.approx(
        [0.03, 0.02]
    )


def test_the_report_of_st_edge_ai_tells_memory_and_what_each_layer_computes(tmp_path: Path) -> None:
    found = explain_trace(written(tmp_path, GENERATE))
    assert found.facts["tool"] == "ST Edge AI Core v2.2.0-20266"
    assert found.facts["activations (rw)"].startswith("856 B")
    assert [(row.name_untrusted, row.macs, row.rom_bytes) for row in found.compiled] == [
        ("gemm_4", 9664, 38656), ("nl_4_nl", 64, 0),
    ]  # fmt: skip


@pytest.mark.skipif(vela_version() is None, reason="Vela (extra ethos-u) is not installed")
def test_what_vela_itself_writes_tells_what_binds_each_layer(tmp_path: Path) -> None:
    model = tmp_path / "kws.tflite"
    assert CliRunner().invoke(whole_app(), ["models", "write", "kws", "-o", str(model)]).exit_code == 0
    command = [
        sys.executable,
        "-c",
        "import sys; from ethosu.vela.vela import main; main(sys.argv[1:])",
        str(model),
        "--accelerator-config",
        "ethos-u55-128",
    ]
    subprocess.run(
        [*command, "--output-dir", str(tmp_path), "--verbose-performance"],
        check=True,
        capture_output=True,
        timeout=120,
    )
    layers = explain_trace(next(tmp_path.glob("*_per-layer.csv")))
    whole = explain_trace(next(tmp_path.glob("*_summary_*.csv")))
    assert sum(layers.bound_shares.values()) == pytest.approx(1)
    expected = whole.compiled[0].cycles
    assert expected is not None
    assert sum(row.cycles or 0.0 for row in layers.compiled) == pytest.approx(expected, rel=0.02)
    assert whole.facts["accelerator_configuration"] == "Ethos_U55_128"


def vela(folder: Path, rows: Sequence[str]) -> Path:
    header = (
        "Original Operator,NNG Operator,Target,Staging Usage,Peak% (Staging),Op Cycles,Network% (cycles),NPU,SRAM AC,"
        "DRAM AC,OnFlash AC,OffFlash AC,MAC Count,Network% (MAC),Util% (MAC),Name\n"
    )
    return written(folder, header + "".join(f"{row}\n" for row in rows), "kws_per-layer.csv")


def test_the_unit_with_the_most_cycles_binds_and_the_shares_sum_to_one(tmp_path: Path) -> None:
    """Rows of ethos-u-vela 5.2.0 for a keyword spotter on Ethos-U55-128."""
    found = explain_trace(
        vela(
            tmp_path,
            [
                "Conv2D,Conv2D,NPU,12864,58.7,26153,29.1,26153,5984,0,0,5648,320000,12.0,9.55,conv2d",
                "Conv2D,Relu,NPU,0,0.0,0,0.0,0,0,0,0,0,0,0.0,100,conv2d",
                "FullyConnected,FullyConnected,NPU,1,1,1008,1.1,800,20,0,0,1008,768,0.0,1,dense",
            ],
        )
    )
    assert [(row.name_untrusted, row.bound) for row in found.compiled] == [
        ("conv2d", "NPU"), ("dense", "off-chip flash"),
    ]  # fmt: skip
    assert sum(found.bound_shares.values()) == pytest.approx(1)


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


EVENTS = (
    ("Method::execute", 5, 1000), ("native_call_aten::convolution.out", 10, 700),
    ("native_call_aten::relu.out", 700, 760),
)  # fmt: skip


def test_an_etdump_has_the_operators_that_executorch_called(tmp_path: Path) -> None:
    found = explain_trace(written(tmp_path, etdump(EVENTS), "run.etdp"))
    assert [(row.name_untrusted, row.cycles) for row in found.operators] == [
        ("convolution", 690),
        ("relu", 60),
    ]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (TENSORRT[:-60], "Line 6: the JSON ends there"),
        (etdump(EVENTS)[:-40], "broken or cut off"),
        (etdump((("native_call_a", 9, 3),)), "time goes back"),
        (etdump((("Method::execute", 1, 3),)), "no times of operators"),
    ],
)
def test_reports_that_are_cut_off_are_refused(tmp_path: Path, content: str | bytes, told: str) -> None:
    with pytest.raises(InputError, match=told):
        explain_trace(written(tmp_path, content))


def test_no_bytes_of_an_etdump_do_more_than_raise_an_error_of_ours(tmp_path: Path) -> None:
    whole = etdump(EVENTS)
    for at in range(8, len(whole), 3):
        broken = whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]
        try:
            explain_trace(written(tmp_path, broken))
        except InputError:
            continue
