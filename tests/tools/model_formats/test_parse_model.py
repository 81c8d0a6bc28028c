from __future__ import annotations

import errno
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from edgewright.hardware_db.errors import ModelFileError, UnknownNameError, UsageError
from edgewright.tools.graph.memoize import memoized
from edgewright.tools.model_formats.source import parse_model

Tree = dict[int, Any]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_model: bytes) -> Path:
    """The working directory, with one model in it."""
    (tmp_path / "kws_small.tflite").write_bytes(small_model)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_path_a_string_and_bytes_are_the_same_model(folder: Path, small_model: bytes) -> None:
    by_path = parse_model(folder / "kws_small.tflite")
    by_string = parse_model("kws_small.tflite")
    by_bytes = parse_model(small_model)
    assert by_path == by_string
    assert by_path.name == "kws_small.tflite"
    assert by_bytes.sha256 == by_path.sha256
    assert by_bytes.ops == by_path.ops


def test_a_file_that_changed_under_its_name_is_read_anew(folder: Path, small_model: bytes) -> None:
    before = parse_model("kws_small.tflite")
    (folder / "kws_small.tflite").write_bytes(small_model + bytes(8))
    assert parse_model("kws_small.tflite").file_bytes == before.file_bytes + 8


def test_what_is_kept_with_a_graph_stays_with_it(folder: Path) -> None:
    first, second = parse_model("kws_small.tflite"), parse_model("kws_small.tflite")
    assert memoized(first, "asked", None, lambda: 1) == 1
    assert memoized(second, "asked", None, lambda: 2) == 2


def test_a_graph_is_taken_as_it_is(small_model: bytes) -> None:
    graph = parse_model(small_model)
    assert parse_model(graph) is graph


def test_a_name_without_a_file_is_an_architecture() -> None:
    graph = parse_model("resnet50")
    assert graph.format == "architecture"
    assert graph.file_bytes is None


def test_a_file_goes_before_an_architecture_of_the_same_name(folder: Path, small_model: bytes) -> None:
    (folder / "resnet50").write_bytes(small_model)
    assert parse_model("resnet50").format == "tflite"


def test_a_directory_does_not_hide_an_architecture_of_the_same_name(folder: Path) -> None:
    (folder / "resnet50").mkdir()
    assert parse_model("resnet50").format == "architecture"


def test_a_home_directory_is_expanded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder))
    assert parse_model("~/kws_small.tflite").format == "tflite"


def test_a_missing_file_names_its_neighbours_and_architectures(folder: Path) -> None:
    with pytest.raises(ModelFileError, match=r"no model file 'kws_smal\.tflite'") as caught:
        parse_model("kws_smal.tflite")
    assert "kws_small.tflite" in caught.value.hint
    assert "kws" in caught.value.hint.partition("architectures")[2]


def test_a_missing_directory_is_named(folder: Path) -> None:
    with pytest.raises(ModelFileError, match="There is no directory 'models'"):
        parse_model("models/kws_small.tflite")


def test_a_misspelt_architecture_gets_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"resnet50.*path of a \.tflite or \.onnx file"):
        parse_model("resnet5O")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.tflite", b"", "'empty.tflite' is empty"),
        ("short.tflite", b"abc", "too short"),
        ("random.tflite", b"\x00\x01\x02\x03\x04\x05\x06\x07" * 9, "not b'TFL3'"),
        ("old.tflite", b"\x1c\0\0\0TFL2" + bytes(90), "b'TFL2', not b'TFL3'"),
        ("model.onnx", b"\x08\x07" * 20, "'model.onnx' holds no operators"),
        ("model.pt", b"PK\x03\x04" + bytes(20), "a PyTorch model.*torch.export"),
        ("model.h5", b"\x89HDF\r\n\x1a\n" + bytes(20), "a Keras model.*edgewright convert"),
        ("renamed.tflite", b"\x89HDF\r\n\x1a\n" + bytes(20), "an HDF5 file"),
        ("task.tflite", b"PK\x03\x04" + bytes(20), "a zip archive.*Unpack"),
        ("cut.tflite", b"\x40\0\0\0TFL3" + bytes(20), "damaged or truncated"),
    ],
)
def test_a_file_that_is_no_model_is_refused_with_what_it_is(
    folder: Path, name: str, content: bytes, message: str
) -> None:
    (folder / name).write_bytes(content)
    with pytest.raises(ModelFileError, match=message):
        parse_model(name)


def test_a_directory_is_refused_with_the_models_in_it(folder: Path) -> None:
    with pytest.raises(ModelFileError, match=r"is a directory\. Name a file in it: 'kws_small\.tflite'"):
        parse_model(str(folder))


def test_an_unreadable_file_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(ModelFileError, match="cannot be read: Permission denied"):
        parse_model("kws_small.tflite")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_refused_rather_than_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "pipe.tflite")
    with pytest.raises(ModelFileError, match="not a regular file"):
        parse_model("pipe.tflite")


@pytest.mark.parametrize(
    "name", ["", "  ", "a\0b", "\x1b[31m" * 3 + ".tflite", "x" * 5000, "x" * 5000 + ".tflite"]
)
def test_a_name_that_cannot_be_a_file_gets_one_printable_line(folder: Path, name: str) -> None:
    with pytest.raises((ModelFileError, UnknownNameError)) as caught:
        parse_model(name)
    assert str(caught.value).isprintable()


def test_what_is_no_source_is_refused() -> None:
    source: Any = 7
    with pytest.raises(UsageError, match="A int is no model"):
        parse_model(source)


def test_weights_are_mapped_not_copied(folder: Path, encode: Callable[[Tree], bytes], tree: Tree) -> None:
    """A sparse file of 64 MiB whose weights lie behind the FlatBuffer."""
    size = 64 << 20
    tree[4][1] = {1: ("Q", 4096), 2: ("Q", size)}
    tree[2][0][0][1][0] = ("i", [2, 3, 3, 1])
    with (folder / "large.tflite").open("wb") as file:
        file.write(encode(tree))
        file.truncate(4096 + size)
    tracemalloc.start()
    graph = parse_model("large.tflite")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert graph.tensors[1].stored_bytes == size
    assert peak < 1 << 20


def test_parsing_loads_no_more_of_the_schema_package_than_it_needs(folder: Path) -> None:
    code = (
        "import sys; from edgewright.tools.model_formats.source import parse_model; parse_model('kws_small.tflite');"
        "print(any(name == 'tflite' or name.startswith('tflite.') for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
