"""What int8 does to each layer, and int8 but for the layers that lose the most."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools import apply_optimization, parse_model, simulate_optimizations
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.model_formats.tflite.stored import stored_in
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.optimization_simulator.applied import process

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("ai_edge_quantizer") is None, reason="ai-edge-quantizer is not installed"
)
BAD = 2
"""The layer with weights that dwarf the others, for a channel that is always 0."""


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(process, "MEASURE_SECONDS", 0.0)
    b = GraphBuilder("uneven")
    x = b.input((1, 12, 12, 3))
    for _ in range(4):
        x = b.conv2d(x, 8, 3, activation="RELU")
    graph = b.build([b.fully_connected(b.flatten(x), 10)])
    stored = stored_in(write_tflite(graph))
    read = parse_model(write_tflite(graph))
    held = {(0, t.index): stored(t.buffer) for t in read.tensors if t.is_constant and t.buffer is not None}
    weights, dead = read.ops[BAD].inputs[1], read.ops[BAD - 1].inputs[2]
    uneven, biases = (held[0, index].view(np.float32).copy() for index in (weights, dead))
    uneven.reshape(-1, 8)[:, 0] = 60 * np.abs(uneven).max()
    biases[0] = -1000
    held[0, weights], held[0, dead] = uneven.view(np.uint8), biases.view(np.uint8)
    path = tmp_path / "uneven.tflite"
    path.write_bytes(write_tflite(read, contents=held))
    return path


def test_the_layer_with_uneven_weights_adds_the_most_noise(model: Path, tmp_path: Path) -> None:
    made = apply_optimization(model, "int8", tmp_path / "out.tflite")
    assert made.layers[0].index == BAD
    assert made.layers[0].op == "CONV_2D"
    assert made.layers[0].own_sqnr_db is not None
    assert made.layers[0].own_sqnr_db < min(
        each.own_sqnr_db for each in made.layers[1:] if each.own_sqnr_db is not None
    )


def test_mixed_leaves_as_few_layers_in_float_as_the_wanted_signal_takes(model: Path, tmp_path: Path) -> None:
    whole = apply_optimization(model, "int8", tmp_path / "int8.tflite")
    made = apply_optimization(model, "mixed", tmp_path / "out.tflite", deployment="stm32h743zi")
    assert made.technique == f"int8-except@{BAD}"
    assert whole.drift is not None
    assert made.drift is not None
    assert whole.drift.sqnr_db is not None
    assert made.drift.sqnr_db is not None
    assert made.drift.sqnr_db > whole.drift.sqnr_db + 6
    assert made.errors["macs"] == 0
    assert abs(made.errors["file_bytes"]) < 0.05
    assert abs(made.errors["arena_bytes"]) < 0.02
    kinds = {op.kind for op in parse_model(tmp_path / "out.tflite").ops}
    assert {"QUANTIZE", "DEQUANTIZE"} <= kinds


def test_a_signal_that_int8_reaches_alone_leaves_no_layer_and_one_beyond_reach_is_refused(
    model: Path, tmp_path: Path
) -> None:
    assert apply_optimization(model, "mixed-1dB", tmp_path / "easy.tflite").technique == "int8"
    with pytest.raises(UsageError, match="not 300"):
        apply_optimization(model, "mixed-300", tmp_path / "out.tflite")
    with pytest.raises(UsageError, match="There is no layer 99"):
        apply_optimization(model, "int8-except@99", tmp_path / "out.tflite")


def test_layers_left_in_float_can_be_simulated_first(model: Path) -> None:
    report = simulate_optimizations(
        model, "stm32h743zi", technique=["int8", f"int8-except@{BAD}"], limits=None
    )
    whole, part = (
        next(option for option in report.options if option.technique == name)
        for name in ("int8", f"int8-except@{BAD}")
    )
    assert whole.after is not None
    assert part.after is not None
    assert part.after.flash_bytes > whole.after.flash_bytes
