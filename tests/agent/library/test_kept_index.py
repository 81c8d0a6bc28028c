"""The index beside the pages: what it finds is what one built anew finds, whatever became of its file."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from edgewright.agent.kept_index import kept_index
from edgewright.agent.pages import sections
from edgewright.agent.search_index import SearchIndex

QUESTIONS = (
    "what does a tensor arena hold",
    "why is depthwise convolution slow",
    "zzz",
    "",
    "1e9 '\"*;",
    "é" * 99,
)


@pytest.fixture(scope="module")
def built() -> SearchIndex:
    return SearchIndex.of(sections())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return tmp_path / "kept"


def assert_the_same(kept: SearchIndex, built: SearchIndex) -> None:
    assert list(kept.sections) == list(built.sections)
    for question in QUESTIONS:
        assert kept.signals(question) == built.signals(question)
        assert kept.words(question) == built.words(question)


def test_it_is_written_once_and_read_afterwards(folder: Path, built: SearchIndex) -> None:
    kept_index(folder)
    file = folder / "search.sqlite"
    written = file.stat().st_mtime_ns
    assert_the_same(kept_index(folder), built)
    assert file.stat().st_mtime_ns == written
    assert [each.name for each in folder.iterdir()] == ["search.sqlite"]


def test_one_of_other_pages_is_replaced(folder: Path, built: SearchIndex) -> None:
    kept_index(folder)
    with closing(sqlite3.connect(folder / "search.sqlite")) as database:
        database.execute("UPDATE kept SET key = 'of older pages'")
        database.commit()
    assert_the_same(kept_index(folder), built)
    with closing(sqlite3.connect(folder / "search.sqlite")) as database:
        assert database.execute("SELECT key FROM kept").fetchone() != ("of older pages",)


@pytest.mark.parametrize("damage", [b"", b"no database", b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_damaged_one_is_replaced(folder: Path, built: SearchIndex, damage: bytes) -> None:
    folder.mkdir()
    (folder / "search.sqlite").write_bytes(damage)
    assert_the_same(kept_index(folder), built)
    assert_the_same(kept_index(folder), built)


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path, built: SearchIndex) -> None:
    (tmp_path / "file").write_text("no folder")
    assert_the_same(kept_index(tmp_path / "file" / "kept"), built)
