"""Code that is kept compiled is the code that the compiler makes, whatever became of its file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from edgewright.hardware_db import written_code
from edgewright.hardware_db.written_code import WrittenCode

WRITTEN = (("def of(self, a=_a):\n return self, a", "exec"), ("lambda _cls, x, y: (x, y)", "eval"))
LIBRARIES = """
import collections, dataclasses, typing
from edgewright.hardware_db import written_code
written_code.for_libraries()
@dataclasses.dataclass(frozen=True, order=True)
class Point:
    x: int
    y: int = 2
    z: list[int] = dataclasses.field(default_factory=list)
Pair = collections.namedtuple("Pair", "a b", defaults=[5])
class Seen(typing.TypedDict):
    known: "typing.Required[list[int]]"
    bad: "int"
try:
    typing.ForwardRef("a b")
except SyntaxError as error:
    refused = str(error)
print(Point(1), Point(1) < Point(1, 3), hash(Pair(1)), Pair(1), typing.get_type_hints(Seen), refused)
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # nothing is left to the end of this process
    return tmp_path / "kept" / "written"


def kept(file: Path) -> WrittenCode:
    first = WrittenCode(file)
    for text, mode in WRITTEN:
        first.compiled(text, mode)
    first.keep()
    return WrittenCode(file)


@pytest.mark.parametrize(("text", "mode"), WRITTEN)
def test_kept_code_is_what_the_compiler_makes(file: Path, text: str, mode: str) -> None:
    code = kept(file)
    found = code.compiled(text, mode)
    assert found == compile(text, "<string>", mode, dont_inherit=True)
    assert found is code.compiled(text, mode)
    assert (text, mode) in code._kept


@pytest.mark.parametrize("content", [b"", b"\0" * 40, b"another key 00000000\n"])
def test_a_damaged_file_costs_the_compiling_alone(file: Path, content: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    assert eval(WrittenCode(file).compiled("6 * 7", "eval")) == 42


def test_no_more_is_kept_than_a_question_can_load(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(written_code, "_MOST", 1)
    assert [*kept(file)._kept] == [WRITTEN[0]]


def test_libraries_make_the_same_of_what_is_kept() -> None:
    first, second = (
        subprocess.run([sys.executable, "-c", LIBRARIES], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    )
    alone = LIBRARIES.replace("written_code.for_libraries()", "")
    plain = subprocess.run([sys.executable, "-c", alone], capture_output=True, text=True, check=True).stdout
    assert first == second == plain
    assert "Point(x=1, y=2, z=[]) True" in plain
