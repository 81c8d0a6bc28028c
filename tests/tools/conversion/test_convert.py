"""Conversions, with a converter that is faked: the real ones lie in no lock file. docs/formats.md shows real runs."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from edgewright.hardware_db.errors import EdgewrightError, InputError, ModelFileError, UsageError
from edgewright.tools import convert_model, set_up_converter
from edgewright.tools.conversion.converters import CONVERTERS, Converter
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.model_formats.writer.tflite import write_tflite
from stubs import fake_converter, pytorch_files

PYTORCH, TENSORFLOW = CONVERTERS
SAMPLES = 8


def small_model() -> bytes:
    b = GraphBuilder("small")
    x = b.input((1, 4, 4, 3), name="x")
    return write_tflite(b.build([b.conv2d(x, 2, (1, 1))]))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EDGEWRIGHT_CONFIG_DIR", str(tmp_path / "home"))
    return tmp_path / "home" / "converters"


def installed(home: Path, converter: Converter = PYTORCH) -> Path:
    """An environment whose interpreter is the fake."""
    folder = home / converter.id
    (folder / "bin").mkdir(parents=True)
    shutil.copyfile(fake_converter.__file__, folder / "fake.py")
    python = folder / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{folder / "fake.py"}"\n')
    python.chmod(0o755)
    (folder / "edgewright.json").write_text(json.dumps(list(converter.packages)))
    (folder / "made.tflite").write_bytes(small_model())
    (folder / "inputs.json").write_text(
        json.dumps([{"name": "x", "shape": [1, 3, 4, 4], "dtype": "float32"}])
    )
    np.save(folder / "outputs.npy", np.zeros((SAMPLES, 1, 2, 4, 4), np.float32))
    return folder


def asked(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / "asked.json").read_text())
    return found


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "net.pt2").write_bytes(pytorch_files.pt2())
    return tmp_path / "net.pt2"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    x = np.random.default_rng(0).standard_normal((SAMPLES, 3, 4, 4)).astype(np.float32)
    np.savez(tmp_path / "data.npz", x=x)
    return tmp_path / "data.npz"


def test_each_step_is_compared_with_the_one_before(home: Path, program: Path, data: Path) -> None:
    """The fake's outputs are zeros in the source's layout, so the float model's are all that differs."""
    folder, out = installed(home), program.with_name("out.tflite")
    found = convert_model(program, out, data=data)
    assert [stage.stage for stage in found.stages] == ["source", "float32"]
    assert found.stages[0].macs == 3 * 3 * 3 * 8 * 32 * 32 + 80
    assert found.stages[1].macs == 4 * 4 * 3 * 2
    drift = found.stages[1].drift
    assert drift is not None
    assert drift.samples == SAMPLES
    assert out.read_bytes() == (folder / "made.tflite").read_bytes()
    assert [request["step"] for request in asked(folder)] == ["convert", "run"]


def test_int8_follows_with_the_samples_in_the_layout_of_the_file(
    home: Path, program: Path, data: Path
) -> None:
    pytest.importorskip("ai_edge_quantizer")
    installed(home)
    found = convert_model(program, program.with_name("out.tflite"), data=data, int8=True)
    assert [stage.stage for stage in found.stages] == ["source", "float32", "int8"]
    assert found.stages[2].drift is not None
    assert f"{SAMPLES} samples of data.npz" in found.data


def test_a_converter_is_given_no_pickle(home: Path, program: Path, data: Path) -> None:
    folder = installed(home)
    convert_model(program, program.with_name("out.tflite"), data=data)
    assert asked(folder)[0]["members"]["net/data/sample_inputs/model.pt"] == 0


def test_what_fails_writes_nothing_and_tells_why(home: Path, program: Path) -> None:
    folder, out = installed(home), program.with_name("out.tflite")
    (folder / "fails").touch()
    with pytest.raises(InputError, match=r"litert-torch 0\.10\.0 does not convert 'net\.pt2': .*no rule"):
        convert_model(program, out)
    assert not out.exists()


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("net.pt", pytorch_files.io.BytesIO(b"\x80\x02\x8a\nl\xfcF\x9c").getvalue(), "torch.export.save"),
        ("net.rknn", b"RKNN" + bytes(20), "Rockchip"),
        ("net.pte", pytorch_files.pte(), "ExecuTorch"),
    ],
)
def test_what_no_converter_reads_is_refused_with_what_to_give(
    home: Path, tmp_path: Path, name: str, content: bytes, reason: str
) -> None:
    installed(home)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ModelFileError, match=reason):
        convert_model(tmp_path / name, tmp_path / "out.tflite")


@pytest.mark.parametrize("name", ["net.keras", "net.h5"])
def test_a_lambda_layer_is_refused_before_anything_runs(home: Path, tmp_path: Path, name: str) -> None:
    folder, config = installed(home, TENSORFLOW), b'{"class_name": "Lambda"}'
    if name.endswith("h5"):
        (tmp_path / name).write_bytes(b"\x89HDF\r\n\x1a\n" + config)
    else:
        made = pytorch_files.zipfile.ZipFile(tmp_path / name, "w")
        with made:
            made.writestr("config.json", config)
            made.writestr("model.weights.h5", b"")
    with pytest.raises(UsageError, match="Lambda layer, which is Python code"):
        convert_model(tmp_path / name, tmp_path / "out.tflite")
    assert not (folder / "asked.json").exists()


def test_without_the_environment_its_size_and_the_command_are_told(home: Path, program: Path) -> None:
    with pytest.raises(UsageError, match=r"takes 2\.1 GB.*convert --setup pytorch"):
        convert_model(program, program.with_name("out.tflite"))


def test_nothing_is_installed_before_the_size_was_agreed_to(home: Path) -> None:
    told: list[str] = []

    def refuse(size: str) -> None:
        told.append(size)
        raise UsageError("no")

    with pytest.raises(UsageError, match="no"):
        set_up_converter("tensorflow", agree=refuse)
    assert "2.6 GB" in told[0]
    assert not home.exists()


def test_an_installation_that_fails_leaves_nothing_behind(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interpreter that makes a folder and fails, as pip does without an index."""
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\nmkdir -p "$3"; echo "ERROR: no matching distribution"; exit 1\n')
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    with pytest.raises(EdgewrightError, match="could not be installed: ERROR: no matching distribution"):
        set_up_converter("tensorflow")
    assert not (home / "tensorflow").exists()
