import csv
import math
from pathlib import Path

import pytest

from edgewright.hardware_db import measurements
from edgewright.hardware_db.measurements import collected_rows, networks
from edgewright.tools.calibration import importer
from edgewright.tools.calibration.collected_networks import described
from edgewright.tools.calibration.importer import COLLECTED, layers_of
from edgewright.tools.graph import ModelGraph
from edgewright.tools.graph.serialize import graph_from_json

FOLDER = Path(measurements.__file__).parent


def parameters(graph: ModelGraph) -> int:
    layers = [op for op in graph.main.ops if op.kind in ("CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED")]
    held = {tensor for op in layers for tensor in op.inputs[1:]}
    return sum(math.prod(graph.main.tensors[tensor].shape) for tensor in held)


def test_pilotnet_has_the_parameters_that_its_source_counts() -> None:
    assert parameters(graph_from_json(networks()["collected/pilotnet_66x160.tflite"])) == 220_219


def test_the_backbone_of_edge_impulse_is_that_of_keras() -> None:
    """Keras' MobileNetV2 of width 0.35 without its top has 410,208 parameters.

    It counts four values of each batch normalisation, of which folding leaves one.
    """
    graph = described()["edge_impulse_mobilenet_v2_0.35_96"]
    backbone = [op for op in graph.main.ops if op.kind in ("CONV_2D", "DEPTHWISE_CONV_2D")]
    biases = sum(math.prod(graph.main.tensors[op.inputs[2]].shape) for op in backbone)
    weights = sum(math.prod(graph.main.tensors[op.inputs[1]].shape) for op in backbone)
    assert weights + 4 * biases == 410_208


def test_fomo_answers_on_a_grid_of_an_eighth() -> None:
    main = described()["edge_impulse_fomo_0.35_96_grey"].main
    assert [main.tensors[tensor].shape for tensor in main.outputs] == [(1, 12, 12, 3)]


def test_what_is_described_is_what_is_stored() -> None:
    stored = networks()
    assert {COLLECTED + key: layers_of(graph) for key, graph in described().items()}.items() <= stored.items()


def test_networks_of_collected_sources_are_measured_and_only_those_are_kept() -> None:
    kept = {key for key in networks() if key.startswith(COLLECTED)}
    assert kept == {row["network"] for row in collected_rows() if row["network"].startswith(COLLECTED)}


def test_an_import_of_the_shared_table_keeps_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (FOLDER / "collected" / "deeppicar.csv").open(newline="", encoding="utf-8") as file:
        columns = next(csv.reader(file))
    (tmp_path / "measurements.csv").write_text(",".join(columns) + "\n", encoding="utf-8")
    (tmp_path / "corrections.csv").write_text("id,column,value\n", encoding="utf-8")
    importer.main(tmp_path, tmp_path)
    monkeypatch.setattr(measurements, "_read", lambda name: (tmp_path / name).read_bytes())
    kept = measurements.networks.__wrapped__()
    assert kept == {key: graph for key, graph in networks().items() if key.startswith(COLLECTED)}
