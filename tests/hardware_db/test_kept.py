"""What is kept beside a file says what the file says, whatever became of either."""

import os
import sys
import tomllib
from pathlib import Path

import pytest

from edgewright.hardware_db import kept
from edgewright.hardware_db.yaml_reader import read_yaml
from edgewright.tools.model_zoo import language_model

TEXT = 'words = "a|b"\nfew = [1, 2.5, true]\n\n[table]\n"µ" = "ü"\n'


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = tmp_path / "words.toml"
    path.write_text(TEXT, encoding="utf-8")
    return path


def beside(file: Path) -> Path:
    return file.parent / "__pycache__" / "words.toml.kept"


def test_a_file_is_parsed_once(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = kept.toml_in(file)
    monkeypatch.setattr(tomllib, "loads", None)
    assert kept.toml_in(file) == first == {"words": "a|b", "few": [1, 2.5, True], "table": {"µ": "ü"}}
    assert list(beside(file).parent.iterdir()) == [beside(file)]


def test_a_file_that_changed_is_read_anew(file: Path) -> None:
    kept.toml_in(file)
    stamp = file.stat()
    file.write_text(TEXT.replace("a|b", "a|c"), encoding="utf-8")
    os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert kept.toml_in(file)["words"] == "a|c"
    assert kept.toml_in(file)["words"] == "a|c"


@pytest.mark.parametrize("content", [b"", b"\0" * 40, b"7\n7", b"\xff\n{}", b"{}"])
def test_what_is_damaged_costs_the_parsing_alone(file: Path, content: bytes) -> None:
    kept.toml_in(file)
    beside(file).write_bytes(content)
    assert kept.toml_in(file) == tomllib.loads(TEXT)


def test_a_list_cut_off_behind_its_digest_costs_the_parsing_alone(file: Path) -> None:
    kept.toml_in(file)
    beside(file).write_bytes(beside(file).read_bytes()[:-9])
    assert kept.toml_in(file) == tomllib.loads(TEXT)


def test_a_folder_that_cannot_be_written_costs_the_parsing_alone(file: Path) -> None:
    beside(file).parent.write_text("a file where the folder would be")
    assert kept.toml_in(file) == tomllib.loads(TEXT)


def test_nothing_is_kept_where_bytecode_is_not(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    kept.toml_in(file)
    assert not beside(file).exists()


def test_what_was_made_of_other_files_or_holds_no_plain_values_is_made_anew(file: Path) -> None:
    place, of_it = beside(file), kept.stamp([file])
    assert kept.kept(place, of_it, lambda: ({"µ": (1, 2.5)}, None)) == ({"µ": (1, 2.5)}, None)
    assert kept.kept(place, of_it, list) == ({"µ": (1, 2.5)}, None)
    file.write_text(TEXT + "more = 1\n", encoding="utf-8")
    assert kept.kept(place, kept.stamp([file]), lambda: [file]) == [file]
    assert kept.kept(place, kept.stamp([file]), list) == []


def test_a_byte_that_flipped_is_noticed(file: Path) -> None:
    kept.toml_in(file)
    content = beside(file).read_bytes()
    beside(file).write_bytes(content[:-3] + bytes([content[-3] ^ 1]) + content[-2:])
    assert kept.toml_in(file) == tomllib.loads(TEXT)


def test_shipped_language_models_are_kept_as_their_file_says() -> None:
    assert kept.yaml_in(language_model.FILE) == read_yaml(language_model.FILE).data
