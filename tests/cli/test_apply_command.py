import importlib.util
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from edgewright.cli import whole_app
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.optimization_simulator.applied import process

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("ai_edge_quantizer") is None, reason="ai-edge-quantizer is not installed"
)


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(process, "MEASURE_SECONDS", 0.0)
    b = GraphBuilder("small")
    x = b.conv2d(b.input((1, 8, 8, 3)), 16, 3, activation="RELU")
    path = tmp_path / "small.tflite"
    path.write_bytes(write_tflite(b.build([b.fully_connected(b.flatten(x), 10)])))
    return path


def test_a_technique_is_applied_with_the_fields_that_scripts_rely_on(model: Path, tmp_path: Path) -> None:
    out = tmp_path / "int8.tflite"
    words = ["optimize", str(model), "-t", "stm32h743zi", "--apply", "int8", "-o", str(out), "--json"]
    done = CliRunner().invoke(whole_app(), words)
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout)["result"]
    for key in ("file_bytes", "arena_bytes", "macs"):
        assert result["predicted"][key] == pytest.approx(result["obtained"][key], rel=0.02)
    assert {"sqnr_db", "cosine", "top1_agreement"} <= set(result["drift"])
    assert result["technique"] == "int8"
    assert Path(result["output"]) == out
    assert out.stat().st_size == result["obtained"]["file_bytes"]
    assert "running both" in done.stderr
    again = CliRunner().invoke(whole_app(), [*words[:-1]])
    assert "force" in str(again.exception)


def test_the_text_shows_predicted_beside_obtained(model: Path, tmp_path: Path) -> None:
    out = tmp_path / "f16.tflite"
    done = CliRunner().invoke(
        whole_app(), ["optimize", str(model), "-t", "raspberry-pi-4b", "--apply", "float16", "-o", str(out)]
    )
    assert done.exit_code == 0, done.output
    assert "Predicted" in done.stdout
    assert "SQNR" in done.stdout
    assert "synthetic" in done.stdout
