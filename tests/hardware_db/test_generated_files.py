from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from edgewright.hardware_db import index, target_ids
from edgewright.hardware_db.generate import HERE, generated


@pytest.mark.parametrize("path", generated(), ids=lambda path: path.name)
def test_a_generated_file_is_fresh(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == generated()[path], (
        "run `python -m edgewright.hardware_db.generate`"
    )


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
        index.read_index.cache_clear()
        assert tuple(summary.id for summary in index.read_index().targets) == target_ids()
    index.read_index.cache_clear()


def test_resolving_a_nickname_costs_less_than_ten_milliseconds_on_top_of_the_import() -> None:
    script = (
        "import time\n"
        "from edgewright.hardware_db import resolve_target\n"
        "started = time.perf_counter()\n"
        "assert resolve_target('Nucleo H743').id == 'stm32h743zi'\n"
        "print(time.perf_counter() - started)\n"
    )
    run = [sys.executable, "-c", script]
    seconds = [
        float(subprocess.run(run, capture_output=True, check=True, text=True).stdout) for _ in range(3)
    ]
    assert min(seconds) < 0.010


def test_listing_all_targets_costs_less_than_sixty_milliseconds() -> None:
    index.read_index.cache_clear()
    started = time.perf_counter()
    assert index.read_index().targets
    assert time.perf_counter() - started < 0.060
