"""Widths and input sizes that were published, written and run: the file is the published variant."""

import importlib.util
from pathlib import Path

import pytest
from corpora.litert_agreement import interpreted

from edgewright.tools import apply_optimization, parse_model, summarize_model
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.optimization_simulator.applied import process

pytestmark = [
    pytest.mark.skipif(importlib.util.find_spec(package) is None, reason=f"{package} is not installed")
    for package in ("ai_edge_quantizer", "ai_edge_litert")
]
TARGET = "raspberry-pi-5"


@pytest.mark.parametrize(
    ("base", "technique", "variant"),
    [
        ("mobilenet_v1:1.0:64", "width-75", "mobilenet_v1:0.75:64"),
        ("mobilenet_v1:1.0:64", "width-50", "mobilenet_v1:0.5:64"),
        ("mobilenet_v1:1.0:64", "width-25", "mobilenet_v1:0.25:64"),
        ("mobilenet_v1:0.25:224", "input-192x192", "mobilenet_v1:0.25:192"),
        ("mobilenet_v1:0.25:224", "input-160x160", "mobilenet_v1:0.25:160"),
        ("mobilenet_v2:0.35:224", "input-128x128", "mobilenet_v2:0.35:128"),
        ("mobilenet_v2:0.35:224", "input-96x96", "mobilenet_v2:0.35:96"),
    ],
)
def test_a_published_width_or_size_is_written_as_it_was_published(
    base: str, technique: str, variant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "MEASURE_SECONDS", 0.0)
    source, out = tmp_path / "base.tflite", tmp_path / "out.tflite"
    source.write_bytes(write_tflite(parse_model(f"{base}:float32")))
    made = apply_optimization(source, technique, out, deployment=TARGET)
    written, published = parse_model(out), parse_model(f"{variant}:float32")
    got, wanted = summarize_model(written), summarize_model(published)
    assert (got.macs, got.parameter_count) == (wanted.macs, wanted.parameter_count)
    assert written.inputs[0].shape == published.inputs[0].shape
    assert made.obtained.macs == made.predicted.macs == wanted.macs
    assert made.errors["arena_bytes"] == 0
    assert abs(made.errors["file_bytes"]) < 0.02
    assert [ran for _, ran, _ in interpreted([out])] == [True]
