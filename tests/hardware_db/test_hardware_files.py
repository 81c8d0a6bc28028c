from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from edgewright.hardware_db import Target, load_target, resolve_target, target_ids
from edgewright.hardware_db.errors import HardwareFileError, UnknownNameError
from edgewright.hardware_db.lint import checked_target
from edgewright.hardware_db.loader import TARGETS_DIR, read_runtime, read_target
from edgewright.hardware_db.yaml_reader import MAX_FILE_BYTES, read_yaml
from stubs.work import calls_in

GOOD = (TARGETS_DIR / "stm32h743zi.yaml").read_text()
SIZE = "size_bytes: {value: 131072, unit: B, source: stm32-data, locator: memory DTCM}"

Writer = Callable[..., Path]


@pytest.fixture
def written(tmp_path: Path) -> Writer:
    def write(text: str | bytes, name: str = "stm32h743zi") -> Path:
        path = tmp_path / f"{name}.yaml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def _line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def test_a_shipped_file_reads_as_a_user_file_would(written: Writer) -> None:
    assert checked_target(written(GOOD)) == load_target("stm32h743zi")


@pytest.mark.parametrize(
    ("old", "new", "field", "says"),
    [
        (SIZE, SIZE.replace("131072", "-131072"), "memories.0.size_bytes.value", "negative"),
        (SIZE, SIZE.replace("131072", "lots"), "memories.0.size_bytes.value", "'lots'"),
        (SIZE, SIZE.replace("131072", "inf"), "memories.0.size_bytes.value", "'inf'"),
        (SIZE, SIZE.replace(", locator: memory DTCM", ""), "memories.0.size_bytes.locator", "missing"),
        (SIZE, SIZE.replace("unit", "units"), "memories.0.size_bytes.units", "unit"),
        ("kind: dtcm", "kind: dtcn", "memories.0.kind", "'dtcn'"),
        ("class: mcu", "class: toaster", "class", "'toaster'"),
        ("class: mcu", "class: mcu\nridge_point: 4.2", "ridge_point", "unknown field"),
        ("class: mcu", "clas: mcu", "clas", "Did you mean 'class'?"),
        ("id: stm32h743zi", "id: stm32h743", "id", "file's name"),
        ("id: stm32h743zi", "id: ../stm32h743", "id", "pattern"),
    ],
)
def test_a_broken_field_is_named_with_its_line(
    written: Writer, old: str, new: str, field: str, says: str
) -> None:
    broken = GOOD.replace(old, new, 1)
    with pytest.raises(HardwareFileError) as caught:
        read_target(written(broken))
    error = caught.value
    assert says in str(error)
    assert error.field.startswith(field) or field.startswith(error.field)
    assert error.line is not None
    assert f"stm32h743zi.yaml:{error.line}" in str(error)
    if old == SIZE:
        assert error.line == _line_of(broken, new)
    assert error.hint


def test_an_unknown_field_gets_the_nearest_and_all_that_fit(written: Writer) -> None:
    broken = GOOD.replace(SIZE, SIZE.replace("locator", "location"))
    with pytest.raises(HardwareFileError) as caught:
        read_target(written(broken))
    assert "locator" in caught.value.hint


BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nid: [*c, *c]\n"


@pytest.mark.parametrize(
    ("text", "says", "line"),
    [
        (BOMB, "anchor or alias", 1),
        ("id: x\nbase: *other\n", "anchor or alias", 2),
        ("id: x\nname: !!python/object/apply:os.system ['true']\n", "tag", 2),
        ("id: x\nname: !secret y\n", "tag", 2),
        (GOOD + "\nname: again\n", "given twice", None),
        ("id: x\ncores: {a: {b: 1}, a: {b: 2}}\n", "given twice", 2),
        ("id: x\n? [a, b]\n: c\n", "key that is not plain text", 2),
        ("id: x\n---\nid: y\n", "second document", 2),
        ("id: x\nname: [unclosed\n", "not YAML", 3),
        ("\tid: x\n", "not YAML", 1),
        ("", "empty", None),
        ("# only a comment\n", "empty", None),
        (b"id: \xff\xfe\n", "UTF-8", 1),
        (b"id: x\nname: \x07bell\n", "characters", None),
        ("id: " + "[" * 400_000, "nesting deeper", 1),
        ("a: " + "{b: " * 100_000, "nesting deeper", 1),
        ("- " * 300_000, "nesting deeper", 1),
        ("#" * (MAX_FILE_BYTES + 1), "larger than", None),
    ],
)
def test_hostile_yaml_is_refused_with_line_and_remedy(
    written: Writer, text: str | bytes, says: str, line: int | None
) -> None:
    file = written(text)
    with pytest.raises(HardwareFileError) as caught:
        read_target(file)
    assert calls_in(lambda: read_target(file)) < 20_000
    assert says in str(caught.value)
    if line is not None:
        assert caught.value.line == line
    assert caught.value.hint


def test_a_tag_that_would_execute_does_not(written: Writer, tmp_path: Path) -> None:
    proof = tmp_path / "executed"
    text = f"id: !!python/object/apply:pathlib.Path.touch [!!python/object/apply:pathlib.Path ['{proof}']]\n"
    with pytest.raises(HardwareFileError):
        read_target(written(text))
    assert not proof.exists()


def test_the_reader_refuses_the_same_without_the_c_library(
    written: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("edgewright.hardware_db.yaml_events._Events", yaml.SafeLoader)
    assert read_target(written(GOOD)) == load_target("stm32h743zi")
    with pytest.raises(HardwareFileError, match="anchor or alias"):
        read_target(written(BOMB))


def test_scalars_stay_text_until_a_field_types_them(written: Writer) -> None:
    document = read_yaml(written("a: no\nb: 1.10\nc: 2020-01-01\nd: null\ne: 'null'\nf:\n"))
    assert document.data == {"a": "no", "b": "1.10", "c": "2020-01-01", "d": None, "e": "null", "f": None}


@pytest.mark.parametrize(
    ("text", "says"),
    [("just text", "dictionary"), ("[1, 2]", "dictionary"), ("{}", "missing")],
)
def test_a_document_of_another_shape_is_refused(written: Writer, text: str, says: str) -> None:
    with pytest.raises(HardwareFileError, match=says):
        read_runtime(written(text, "some"))


@pytest.mark.parametrize("identifier", target_ids())
def test_editors_and_other_yaml_readers_understand_a_target_the_same_way(identifier: str) -> None:
    text = (TARGETS_DIR / f"{identifier}.yaml").read_text()
    assert text.startswith("# yaml-language-server: $schema=../target.schema.json")
    assert Target.model_validate(yaml.safe_load(text)) == load_target(identifier)


def test_a_missing_file_and_a_directory_are_one_line(tmp_path: Path) -> None:
    for path in (tmp_path / "absent.yaml", tmp_path):
        with pytest.raises(HardwareFileError, match="cannot be read"):
            read_target(path)


def test_an_id_with_a_path_in_it_reads_no_file() -> None:
    with pytest.raises(UnknownNameError):
        load_target("../runtimes/pytorch")


def test_the_shipped_database_outlives_a_broken_file(written: Writer) -> None:
    with pytest.raises(HardwareFileError):
        read_target(written("id: ["))
    assert resolve_target("A100").id == "a100-sxm4-80gb"
