"""Whatever holds a model, every command takes it, or says in one line what to give in its place."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from edgewright import tools
from edgewright.agent import arguments, registry
from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.tools import EdgewrightError, parse_model
from edgewright.tools.model_formats.writer.tflite import write_tflite
from stubs import core_ml_files, core_ml_layers, mnn_files, openvino_files, pytorch_files

NCNN = b"""7767517
3 3
Input data 0 1 data 0=32 1=32 2=3
Convolution c1 1 1 data a 0=8 1=3 11=3 2=1 12=1 3=1 13=1 4=1 14=1 5=1 6=216 9=1
InnerProduct fc 1 1 a prob 0=10 1=1 2=81920
"""
TARGET = "raspberry-pi-5"
GIVEN = {
    "find_limit": {"variable": "clock", "latency_ms": 50.0}, "estimate_energy_budget": {"rate_hz": 1.0},
    "compare_deployments": {"targets": [TARGET, "jetson-orin-nano"]},
}  # fmt: skip
"""What a command asks for beside a model and a target."""
OTHERWISE = {
    "profile_on_host", "measure_variants", "profile_on_board", "apply_optimization", "calibrate_target",
    "import_profile", "explain_firmware",
}  # fmt: skip
"""They run or change the file itself, or are about a recording of it."""


def _onnx(folder: Path) -> Path:
    onnx = pytest.importorskip("onnx")
    helper, kinds = onnx.helper, onnx.TensorProto
    weights = onnx.numpy_helper.from_array(np.zeros((8, 3, 3, 3), "float32"), "w")
    graph = helper.make_graph(
        [helper.make_node("Conv", ["x", "w"], ["y"])], "net",
        [helper.make_tensor_value_info("x", kinds.FLOAT, [1, 3, 32, 32])],
        [helper.make_tensor_value_info("y", kinds.FLOAT, [1, 8, 30, 30])], [weights],
    )  # fmt: skip
    return _file(folder / "net.onnx", helper.make_model(graph).SerializeToString())


def _file(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def _zip(folder: Path) -> Path:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("trained.tflite", write_tflite(parse_model("kws")))
    return _file(folder / "net.zip", packed.getvalue())


FORMATS: dict[str, Callable[[Path], Path | str]] = {
    "tflite": lambda folder: _file(folder / "net.tflite", write_tflite(parse_model("kws"))),
    "onnx": _onnx,
    "pt2": lambda folder: _file(folder / "net.pt2", pytorch_files.pt2()),
    "pte": lambda folder: _file(folder / "net.pte", pytorch_files.pte()),
    "openvino": lambda folder: openvino_files.network().save(folder),
    "coreml": lambda folder: core_ml_files.package(folder / "net.mlpackage"),
    "coreml layers": lambda folder: _file(folder / "net.mlmodel", core_ml_layers.network()),
    "mnn": lambda folder: _file(folder / "net.mnn", mnn_files.network()),
    "ncnn": lambda folder: _file(folder / "net.param", NCNN),
    "archive": _zip,
    "name": lambda _: "kws",
}
TAKES_A_MODEL = [
    tool for tool in registry.TOOLS
    if issubclass(tool.arguments, arguments.ModelArguments) and tool.function not in OTHERWISE
    and not tool.writes
]  # fmt: skip


@pytest.mark.parametrize("form", FORMATS)
def test_every_command_answers_on_every_form_of_model(form: str, tmp_path: Path) -> None:
    workspace = Workspace(directory=tmp_path)
    source = FORMATS[form](tmp_path)
    failed = {}
    for tool in TAKES_A_MODEL:
        fields = tool.arguments.model_fields
        asked = {"model": str(source), **({"target": TARGET} if "target" in fields else {})}
        asked |= GIVEN.get(tool.function, {})
        try:
            assert tool.run(tool.arguments.model_validate(asked), workspace)
        except (EdgewrightError, ValidationError) as error:
            failed[tool.function] = str(error)
    assert failed == {}


@pytest.mark.parametrize("form", FORMATS)
def test_python_takes_the_path_and_the_model_that_was_read_alike(form: str, tmp_path: Path) -> None:
    source = FORMATS[form](tmp_path)
    graph = parse_model(source)
    assert graph.format in (form.partition(" ")[0], "tflite", "architecture")
    for call in (tools.estimate_performance, tools.plan_memory, tools.score_compatibility):
        assert call(source, TARGET) == call(graph, TARGET)
    if isinstance(source, Path) and source.is_file() and form != "openvino":
        assert parse_model(source.read_bytes()).ops == graph.ops


@pytest.mark.parametrize("form", sorted(set(FORMATS) - {"archive", "name"}))
def test_the_chat_answers_on_a_file_that_a_question_names(form: str, tmp_path: Path) -> None:
    source = Path(FORMATS[form](tmp_path))
    (call,) = Planner(Workspace(directory=tmp_path)).ask(f"How many MACs has {source.name}?").tool_calls
    assert call["result"]["macs"] == tools.summarize_model(parse_model(source)).macs


@pytest.mark.parametrize("form", sorted(set(FORMATS) - {"tflite", "onnx", "name", "archive"}))
def test_what_runs_or_changes_a_file_says_which_it_takes(form: str, tmp_path: Path) -> None:
    source = FORMATS[form](tmp_path)
    for call in (
        lambda: tools.profile_on_host(source),
        lambda: tools.apply_optimization(source, "int8", tmp_path / "out.tflite"),
    ):
        with pytest.raises(EdgewrightError, match=r"\.tflite.*\.onnx"):
            call()
