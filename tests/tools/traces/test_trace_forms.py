"""Each form as its writer prints it: the sources are named in the readers."""

import json
from pathlib import Path

import pytest

from edgewright.tools import Basis, UsageError, deployment, explain_trace, import_profile, parse_model
from stubs.onnx_models import small_onnx
from stubs.traces import FORMS, KWS_MS, KWS_TICKS, TOTAL_MS, Import, inspector, ort_profile, run_order, table
from stubs.vendor_reports import VELA


@pytest.mark.parametrize("form", FORMS)
def test_each_form_tells_the_same_total_and_the_same_slow_layer(imported: Import, form: str) -> None:
    report = imported(FORMS[form])
    assert report.latency_ms.value == pytest.approx(TOTAL_MS, rel=1e-3)
    assert [layer.index for layer in report.residuals if layer.twins_ratio and layer.twins_ratio > 6] == [6]


def test_a_table_of_indices_alone_needs_no_names(imported: Import) -> None:
    report = imported(
        "layer,duration_us\n" + "".join(f"{at},{ms * 1e3:.1f}\n" for at, (_, ms) in enumerate(KWS_MS))
    )
    assert report.layers[6].measured_ms == pytest.approx(KWS_MS[6][1], rel=1e-3)


def test_prefixes_of_units_are_read(imported: Import) -> None:
    """As Silicon Labs' profiler prints them: 6.3M cycles, 80.0m seconds."""
    rows = "".join(f"{at},{tag.lower()},{ms:.3f}m\n" for at, (tag, ms) in enumerate(KWS_MS))
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


def test_decimals_of_another_locale_are_those_of_ours(imported: Import) -> None:
    text = table("index|op|time_ms", ";").replace(".", ",")
    found = imported(text.replace("\n", "\r\n").encode("utf-8-sig"))
    assert found.latency_ms.value == pytest.approx(TOTAL_MS, rel=1e-3)


def test_a_table_by_itself_says_that_its_unit_is_not_stated(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text(table("index|op|time"))
    assert "does not say what its times count in" in explain_trace(tmp_path / "log.csv").warnings[0]
