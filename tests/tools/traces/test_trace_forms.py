"""Each form as its writer prints it: the sources are named in the readers."""

import json
from pathlib import Path

import pytest

from edgewright.tools import Basis, UsageError, deployment, import_profile, parse_model
from stubs.onnx_models import small_onnx
from stubs.traces import KWS_TICKS, TOTAL_MS, Import, events, sentences

_MS = [(tag, ticks / 120e3) for tag, ticks in KWS_TICKS]
_ST_NAMES = {
    "CONV_2D": "CONV2D", "DEPTHWISE_CONV_2D": "CONV2D", "AVERAGE_POOL_2D": "POOL", "FULLY_CONNECTED": "DENSE", "SOFTMAX": "SM",
}  # fmt: skip
_HEADER = "\t [node type]\t [start]\t [first]\t [avg ms]\t [%]\t [cdf%]\t [mem KB]\t[times called]\t[Name]\n"


def run_order(rows: str, header: str = _HEADER) -> str:
    rule = "=" * 30
    return (
        "INFO: Loaded model\nProfiling Info for Benchmark Initialization:\n"
        f"{rule} Run Order {rule}\n{_HEADER}\t AllocateTensors\t 0.0\t 1.3\t 1.3\t100.0%\t100.0%\t 0.0\t 1\tAllocateTensors/0\n\n"
        f"Operator-wise Profiling Info for Regular Benchmark Runs:\n{rule} Run Order {rule}\n{header}{rows}\n"
        f"{rule} Top by Computation Time {rule}\n{_HEADER}\t CONV_2D\t 0.0\t 99\t 99.0\t 1%\t 1%\t 0.0\t 1\t[x]:0\n"
        "Timings (microseconds): count=50 first=1 curr=1\n"
    )


def benchmark_text() -> str:
    return run_order(
        "".join(
            f"\t {tag}\t 0.1\t 9.9\t {ms:.4f}\t 2%\t 2%\t 0.0\t 1\t[n]:{at}\n"
            for at, (tag, ms) in enumerate(_MS)
        )
    )


def benchmark_csv() -> str:
    header = "node type, first, avg_ms, %, cdf%, mem KB, times called, name\n"
    rows = (f"{tag}, 9.9, {ms:.4f}, 2%, 2%, 0, 1, [n]:{at}\n" for at, (tag, ms) in enumerate(_MS))
    return run_order("".join(rows), header)


def c_nodes() -> str:
    rows = [(tag, ms) for tag, ms in _MS if tag != "RESHAPE"]
    body = "".join(
        f" {at:<6}{_ST_NAMES[tag]:<20}{at:<5} {ms:10.4f}   8.00 %\r\n" for at, (tag, ms) in enumerate(rows)
    )
    head = " c_id  type                id       time (ms)\r\n -----------------\r\n"
    return f" Inference time by c-node\r\n  kernel  : 140.171ms (time passed in the c-kernel fcts)\r\n\r\n{head}{body} -----\r\n"


def c_nodes_of_tflm() -> str:
    body = "".join(f" {at:<6}{tag:<25} {ms:10.4f}   8.00 %\r\n" for at, (tag, ms) in enumerate(_MS))
    return f" idx   name                      time (ms)\r\n ------\r\n{body}"


def inspector() -> str:
    rows = [(tag, ms) for tag, ms in _MS if tag != "RESHAPE"]
    body = "".join(
        f"{at:<8}{at:<4}10011/({_ST_NAMES[tag]})  (10, 15, 15, 16)  {ms:.4f}\n"
        for at, (tag, ms) in enumerate(rows)
    )
    return f"Clayer  id  desc                          oshape            ms        \n----\n{body}     99.405 (total)\n"


def table(header: str, separator: str = ",", first: int = 0) -> str:
    rows = (f"{at}{separator}{tag}{separator}{ms:.5f}\n" for at, (tag, ms) in enumerate(_MS, first))
    return separator.join(header.split("|")) + "\n" + "".join(rows)


FORMS = {
    "LogCsv": events(),
    "LogCsv with percentages": '"Event","Tag","Ticks", "Percentage"\n'
    + "".join(f"{at:<5},{tag:<16},{ticks:<16},1.00%\n" for at, (tag, ticks) in enumerate(KWS_TICKS)),
    "Log": sentences(),
    "Log with time stamps": "[00000007] boot\n"
    + "".join(f"[{at:08}] {line}\n" for at, line in enumerate(sentences().splitlines())),
    "serial line": "\x1b[2J\x1b[32mI (312) boot: ok\x1b[0m\r\nheap, 12, free\r\n"
    + "".join(f"12:00:01.{at:03} -> {line}\r\n" for at, line in enumerate(events().splitlines()))
    + "done, bye\r\n",
    "benchmark_model text": benchmark_text(),
    "benchmark_model CSV": benchmark_csv(),
    "c-nodes": c_nodes(),
    "c-nodes of TFLM": c_nodes_of_tflm(),
    "inspector report": inspector(),
    "CSV": table("index|op|time_ms"),
    "CSV counted from one": table("Layer|Type|Latency (ms)", ";", first=1),
    "UTF-16 of a Windows console": events().encode("utf-16"),
}


@pytest.mark.parametrize("form", FORMS)
def test_each_form_tells_the_same_total_and_the_same_slow_layer(imported: Import, form: str) -> None:
    report = imported(FORMS[form])
    assert report.latency_ms.value == pytest.approx(TOTAL_MS, rel=1e-3)
    assert [layer.index for layer in report.residuals if layer.twins_ratio and layer.twins_ratio > 6] == [6]


def test_a_table_of_indices_alone_needs_no_names(imported: Import) -> None:
    report = imported(
        "layer,duration_us\n" + "".join(f"{at},{ms * 1e3:.1f}\n" for at, (_, ms) in enumerate(_MS))
    )
    assert report.layers[6].measured_ms == pytest.approx(_MS[6][1], rel=1e-3)


def test_prefixes_of_units_are_read(imported: Import) -> None:
    """As Silicon Labs' profiler prints them: 6.3M cycles, 80.0m seconds."""
    rows = "".join(f"{at},{tag.lower()},{ms:.3f}m\n" for at, (tag, ms) in enumerate(_MS))
    assert imported(f"Index,OpCode,Time (s)\n{rows}").latency_ms.value == pytest.approx(TOTAL_MS, rel=1e-3)


def test_a_time_without_a_unit_is_asked_for(imported: Import) -> None:
    bare = table("index|op|time")
    with pytest.raises(UsageError, match="--unit ms"):
        imported(bare)
    assert imported(bare, unit="ms").latency_ms.value == pytest.approx(TOTAL_MS, rel=1e-3)


def test_what_a_delegate_sums_up_is_compared_by_kind(imported: Import) -> None:
    rows = (
        "\t Convolution (NHWC, QC8) IGEMM\t 0\t 0.4\t 0.407\t 2%\t 3%\t 0\t 1\tDelegate/Convolution (NHWC, QC8) IGEMM:0\n"
        "\t Convolution (NHWC, QC8) DWConv\t 0\t 0.4\t 0.051\t 4%\t 8%\t 0\t 4\tDelegate/Convolution (NHWC, QC8) DWConv:1\n"
        "\t Convolution (NHWC, QC8) GEMM\t 0\t 0.1\t 0.023\t 1%\t 10%\t 0\t 4\tDelegate/Convolution (NHWC, QC8) GEMM:2\n"
        "\t TfLiteXNNPackDelegate\t 0\t 0.8\t 0.8\t 1%\t 10%\t 0\t 1\t[Identity]:13\n"
        "\t SOFTMAX\t 0\t 0.001\t 0.002\t 1%\t 10%\t 0\t 1\t[Identity]:12\n"
    )
    report = imported(run_order(rows), deployment("rpi4", "litert-xnnpack"))
    assert report.layers[0].measured_ms == pytest.approx(0.407 + 4 * 0.023)
    assert report.layers[1].measured_ms == pytest.approx(4 * 0.051)
    assert report.latency_ms.value == pytest.approx(0.407 + 4 * 0.023 + 4 * 0.051 + 0.002)


VELA = (
    "Original Operator,NNG Operator,Target,Staging Usage,Peak% (Staging),Op Cycles,Network% (cycles),NPU,SRAM AC,DRAM AC,"
    "OnFlash AC,OffFlash AC,MAC Count,Network% (MAC),Util% (MAC),Name\n"
)


def test_what_vela_expects_is_no_measurement(imported: Import) -> None:
    rows = "".join(
        f"{tag.replace('_', '')},{tag},NPU,1,1,{ticks},1,{ticks},0,0,0,0,1,1,1,t{at}\n"
        for at, (tag, ticks) in enumerate(KWS_TICKS)
    )
    relu = "Conv2D,Relu,NPU,0,0,0,0,0,0,0,0,0,0,0,100,t0\n"
    report = imported(VELA + relu + rows)
    assert report.latency_ms.basis is Basis.SIMULATED
    assert not any(layer.hypotheses for layer in report.residuals)
    assert any("nothing in this file was measured" in line for line in report.assumptions)


def ort_profile(runs: list[list[tuple[str, str, int]]]) -> str:
    """Events as onnxruntime 1.31 writes them, one to a line."""
    lines = []
    for nodes in runs:
        lines += [
            {
                "cat": "Node",
                "dur": us,
                "ph": "X",
                "name": f"{name}_kernel_time",
                "args": {"op_name": op, "node_index": "1"},
            }
            for name, op, us in nodes
        ]
        lines.append(
            {
                "cat": "Session",
                "dur": sum(us for *_, us in nodes) + 7,
                "ph": "X",
                "name": "model_run",
                "args": {},
            }
        )
    return "[\n" + ",\n".join(json.dumps(line) for line in lines) + "\n]\n"


def test_the_first_run_of_onnxruntime_warms_up_and_does_not_count(tmp_path: Path) -> None:
    model = small_onnx(tmp_path / "m.onnx")
    nodes = [
        ("c1", "Conv", 30),
        ("s1", "Sigmoid", 5),
        ("c2", "Conv", 10),
        ("ReorderOutput", "ReorderOutput", 2),
    ]
    first = [(name, op, 9 * us) for name, op, us in nodes]
    (tmp_path / "p.json").write_text(ort_profile([first, nodes, nodes]))
    report = import_profile(tmp_path / "p.json", model, deployment("rpi4", "onnxruntime"))
    assert report.runs == 2
    assert report.latency_ms.value == pytest.approx((30 + 5 + 10 + 2 + 7) / 1e3)
    assert report.layers[0].measured_ms == pytest.approx(0.030)
    assert [event.tag_untrusted for event in report.unmatched_events] == ["ReorderOutput"]


def test_an_operator_that_the_runtime_joins_is_counted_with_the_one_before(tmp_path: Path) -> None:
    model = small_onnx(tmp_path / "m.onnx")
    (tmp_path / "p.json").write_text(ort_profile([[("c1", "FusedConv", 30), ("c2", "Conv", 10)]]))
    report = import_profile(tmp_path / "p.json", model, deployment("rpi4", "onnxruntime"))
    alone = parse_model(model)
    joined = next(op.index for op in alone.ops if op.kind == "LOGISTIC")
    assert report.layers[0].covers == (joined,)
    assert report.unmatched_layers == ()


def test_a_profile_of_onnxruntime_cut_short_still_counts(tmp_path: Path) -> None:
    model = small_onnx(tmp_path / "m.onnx")
    nodes = [("c1", "Conv", 30), ("s1", "Sigmoid", 5), ("c2", "Conv", 10)]
    text = ort_profile([nodes, nodes])
    (tmp_path / "p.json").write_text(text[: text.rindex('{"cat"')] + '{"cat" : "Sess')
    report = import_profile(tmp_path / "p.json", model, deployment("rpi4", "onnxruntime"))
    assert report.layers[0].measured_ms == pytest.approx(0.030)


@pytest.mark.parametrize("indent", [None, 1])
def test_a_profile_of_onnxruntime_may_have_been_written_anew(tmp_path: Path, indent: int | None) -> None:
    model = small_onnx(tmp_path / "m.onnx")
    nodes = [("c1", "Conv", 30), ("s1", "Sigmoid", 5), ("c2", "Conv", 10)]
    anew = json.dumps({"traceEvents": json.loads(ort_profile([nodes, nodes]))}, indent=indent)
    (tmp_path / "p.json").write_text(anew)
    report = import_profile(tmp_path / "p.json", model, deployment("rpi4", "onnxruntime"))
    assert report.runs == 2
    assert report.layers[0].measured_ms == pytest.approx(0.030)


def test_branches_may_run_in_another_order_than_the_model_lists_them(tmp_path: Path) -> None:
    """Sizes tell which is which: the second convolution has another kernel than the first."""
    model = small_onnx(tmp_path / "m.onnx")
    shapes = {"c1": ([1, 8, 14, 14], [8, 3, 3, 3]), "c2": ([1, 8, 14, 14], [8, 8, 1, 1])}
    events = json.loads(ort_profile([[("c2", "Conv", 10), ("s1", "Sigmoid", 5), ("c1", "Conv", 30)]]))
    for event in events[:-1]:
        output, weights = shapes.get(event["name"].removesuffix("_kernel_time"), (None, None))
        if output and weights:
            event["args"]["output_type_shape"] = [{"float": output}]
            event["args"]["input_type_shape"] = [{"float": [1, 3, 16, 16]}, {"float": weights}]
    (tmp_path / "p.json").write_text(json.dumps(events))
    report = import_profile(tmp_path / "p.json", model, deployment("rpi4", "onnxruntime"))
    assert [layer.measured_ms for layer in report.layers] == pytest.approx([0.030, 0.005, 0.010])


def test_a_report_made_at_another_clock_is_warned_of(imported: Import) -> None:
    report = imported("Results for 10 inference(s) @84/84MHz (macc:950717)\n" + inspector())
    assert any("made at 84 MHz" in line for line in report.warnings)
    assert report.runs == 10
