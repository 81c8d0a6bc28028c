from __future__ import annotations

import json
from pathlib import Path

import pytest

from edgewright.hardware_db import index, target_ids
from edgewright.hardware_db.generate import HERE, generated


def test_generated_files_are_fresh() -> None:
    files = generated()
    assert {"index.json", "entries.tsv", "target.schema.json", "runtime.schema.json"} == {
        f.name for f in files
    }
    stale = [file.name for file, text in files.items() if file.read_text(encoding="utf-8") != text]
    assert not stale, "run `python -m edgewright.hardware_db.generate`"


def forget_the_index() -> None:
    index._shipped_index.cache_clear()
    index._index.cache_clear()


def test_editors_learn_the_meaning_of_a_field_from_the_schema() -> None:
    schema = json.loads((HERE / "target.schema.json").read_text(encoding="utf-8"))
    assert "class" in schema["properties"]
    assert schema["additionalProperties"] is False
    assert "Boards and nicknames" in schema["properties"]["aliases"]["description"]


def test_the_index_lists_every_target() -> None:
    assert tuple(summary.id for summary in index.read_index().targets) == target_ids()


def test_a_stale_index_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stale = tmp_path / "index.json"
    for text in ("{}", "not json", index.INDEX_FILE.read_text().replace("rp2040", "rp2041")):
        stale.write_text(text)
        monkeypatch.setattr(index, "INDEX_FILE", stale)
        forget_the_index()
        assert tuple(summary.id for summary in index.read_index().targets) == target_ids()
    forget_the_index()
