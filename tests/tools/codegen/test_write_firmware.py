from __future__ import annotations

import resource
from pathlib import Path

import pytest

from edgewright.tools import EdgewrightError, UsageError, deployment, firmware_code, write_firmware

CODE = firmware_code("kws", deployment("stm32h743zi", "tflm-cmsis-nn"))


def test_all_files_are_written_into_a_new_folder(tmp_path: Path) -> None:
    made = write_firmware(CODE, tmp_path / "out")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == sorted(CODE.files)
    assert made.written == tuple(str(tmp_path / "out" / name) for name in CODE.files)
    for name, text in CODE.files.items():
        assert (tmp_path / "out" / name).read_text(encoding="utf-8") == text


def test_a_file_that_is_there_is_kept_unless_told(tmp_path: Path) -> None:
    (tmp_path / "model_runner.cc").write_text("mine")
    with pytest.raises(UsageError, match=r"model_runner.cc.*--force"):
        write_firmware(CODE, tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["model_runner.cc"]
    assert (tmp_path / "model_runner.cc").read_text() == "mine"
    write_firmware(CODE, tmp_path, force=True)
    assert (tmp_path / "model_runner.cc").read_text() == CODE.files["model_runner.cc"]


def test_a_dangling_link_counts_as_a_file(tmp_path: Path) -> None:
    (tmp_path / "model_runner.h").symlink_to(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="overwritten"):
        write_firmware(CODE, tmp_path)


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("kept")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (min(map(len, CODE.files.values())) + 1, limits[1]))
    try:
        for folder in (tmp_path / "out", tmp_path):
            with pytest.raises(EdgewrightError, match="File too large"):
                write_firmware(CODE, folder)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [p.name for p in tmp_path.iterdir()] == ["mine"]


def test_odd_places_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="is a file"):
        write_firmware(CODE, tmp_path / "file")
    with pytest.raises(UsageError, match="no folder"):
        write_firmware(CODE, tmp_path / "a" / "b")


def test_without_code_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"ST Edge AI Core.*stedgeai generate"):
        write_firmware(firmware_code("kws", deployment("stm32h743zi", "x-cube-ai")), tmp_path / "out")
    assert not (tmp_path / "out").exists()
