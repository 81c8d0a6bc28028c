from pathlib import Path

import pytest

from edgewright.hardware_db import compiled, runtime_ids, target_ids
from edgewright.hardware_db.loader import RUNTIMES_DIR, TARGETS_DIR, read_runtime, read_target
from edgewright.hardware_db.schema import Runtime, Target

BOARD = TARGETS_DIR / "stm32h743zi.yaml"


@pytest.fixture
def fresh_entries(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where the test may put entries of its own; forgotten afterwards."""
    file = tmp_path / "entries.tsv"
    monkeypatch.setattr(compiled, "ENTRIES_FILE", file)
    compiled._entries.cache_clear()
    monkeypatch.setattr(compiled, "_entries", compiled._entries.__wrapped__)
    return file


def test_a_compiled_entry_says_what_its_file_says() -> None:
    for name in target_ids():
        path = TARGETS_DIR / f"{name}.yaml"
        assert compiled.compiled(path, Target) == read_target(path)
    for name in runtime_ids():
        path = RUNTIMES_DIR / f"{name}.yaml"
        assert compiled.compiled(path, Runtime) == read_runtime(path)


def test_an_edited_file_is_read_instead_of_its_compiled_entry(fresh_entries: Path) -> None:
    folder = fresh_entries.parent / "targets"
    folder.mkdir()
    copy = folder / BOARD.name
    copy.write_bytes(BOARD.read_bytes())
    fresh_entries.write_text(compiled.entries_text(iter([(copy, read_target(copy))])))
    assert compiled.compiled(copy, Target) == read_target(BOARD)
    copy.write_text(copy.read_text().replace("vendor: ", "vendor: Not "))
    assert compiled.compiled(copy, Target) is None


@pytest.mark.parametrize(
    "text", ["", "targets\tstm32h743zi", "targets\tstm32h743zi\t{digest}\t{{}}\n", "\x00\n\t\t\t"]
)
def test_damaged_entries_are_not_believed(fresh_entries: Path, text: str) -> None:
    folder = fresh_entries.parent / "targets"
    folder.mkdir()
    copy = folder / BOARD.name
    copy.write_bytes(BOARD.read_bytes())
    fresh_entries.write_text(text.format(digest=compiled._digest(copy)))
    assert compiled.compiled(copy, Target) is None


def test_a_file_that_extends_another_is_not_compiled(tmp_path: Path) -> None:
    heir = tmp_path / "own.yaml"
    heir.write_text("extends: stm32h743zi\nid: own\nname: Own\n")
    assert compiled.entries_text(iter([(heir, read_target(heir))])) == ""
