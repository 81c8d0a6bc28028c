import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from edgewright.hardware_db.errors import EdgewrightError, UsageError
from edgewright.tools.model_formats.source import parse_model
from edgewright.tools.model_formats.writer.save import save_tflite
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.model_zoo.named import build_architecture


def test_the_file_holds_the_written_bytes_and_nothing_else_is_left(tmp_path: Path) -> None:
    graph = build_architecture("kws")
    size = save_tflite(graph, tmp_path / "kws.tflite", seed=5)
    assert os.listdir(tmp_path) == ["kws.tflite"]
    assert (tmp_path / "kws.tflite").read_bytes() == write_tflite(graph, seed=5)
    assert size == (tmp_path / "kws.tflite").stat().st_size
    assert len(parse_model(tmp_path / "kws.tflite").ops) == 13


def test_an_existing_file_is_kept_unless_forced(tmp_path: Path) -> None:
    target = tmp_path / "kws.tflite"
    target.write_text("precious")
    with pytest.raises(UsageError, match="--force"):
        save_tflite(build_architecture("ad"), target)
    assert target.read_text() == "precious"
    assert save_tflite(build_architecture("ad"), target, force=True) == target.stat().st_size


@pytest.mark.parametrize("name", [".", "missing/kws.tflite"])
def test_a_place_where_no_file_can_be_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="folder"):
        save_tflite(build_architecture("ad"), tmp_path / name)


@contextmanager
def no_room() -> Iterator[None]:
    """Files may not grow beyond 1000 bytes: the write fails as it does on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_leaves_no_half_file_and_the_old_one_whole(tmp_path: Path) -> None:
    target = tmp_path / "kws.tflite"
    target.write_text("precious")
    with no_room(), pytest.raises(EdgewrightError, match="could not be written") as raised:
        save_tflite(build_architecture("kws"), target, force=True)
    assert "\n" not in str(raised.value)
    assert os.listdir(tmp_path) == ["kws.tflite"]
    assert target.read_text() == "precious"
