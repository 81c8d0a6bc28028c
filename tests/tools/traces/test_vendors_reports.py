"""What vendors' own tools write about an engine or a compiled model."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from edgewright.cli import whole_app
from edgewright.tools import InputError, explain_trace, import_profile
from edgewright.tools.ethos_u.process import vela_version
from stubs.onnx_models import small_onnx
from stubs.vendor_reports import ETDUMP, GENERATE, TENSORRT, etdump


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


def test_an_etdump_has_the_operators_that_executorch_called(tmp_path: Path) -> None:
    found = explain_trace(written(tmp_path, etdump(ETDUMP), "run.etdp"))
    assert [(row.name_untrusted, row.cycles) for row in found.operators] == [
        ("convolution", 690),
        ("relu", 60),
    ]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (TENSORRT[:-60], "Line 6: the JSON ends there"),
        (etdump(ETDUMP)[:-40], "broken or cut off"),
        (etdump((("native_call_a", 9, 3),)), "time goes back"),
        (etdump((("Method::execute", 1, 3),)), "no times of operators"),
    ],
)
def test_reports_that_are_cut_off_are_refused(tmp_path: Path, content: str | bytes, told: str) -> None:
    with pytest.raises(InputError, match=told):
        explain_trace(written(tmp_path, content))


def test_no_bytes_of_an_etdump_do_more_than_raise_an_error_of_ours(tmp_path: Path) -> None:
    whole = etdump(ETDUMP)
    for at in range(8, len(whole), 3):
        broken = whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]
        try:
            explain_trace(written(tmp_path, broken))
        except InputError:
            continue
