"""The patterns beside the modules: they match as those compiled anew do, whatever became of their file."""

import re
import sys
from pathlib import Path

import pytest

from edgewright.agent.patterns import Patterns
from edgewright.agent.planner import words

WRITTEN = (
    (r"(?P<unit>ms|µs)\b|(?<!\w)(\d+)\s?(?P<more>k|M)?", re.IGNORECASE),
    (r"^(?:über|ſ|[а-я])+$", re.IGNORECASE | re.MULTILINE),
    (r"(a)?(?(1)x|y)", 0),
    ("(?x) a b # both", 0),
)
TEXT = "12 ms, 3 µs and 40 K\nÜBER\nay ab y x"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # nothing is left to the end of this process
    return tmp_path / "kept" / "patterns"


def kept(file: Path) -> Patterns:
    first = Patterns(file)
    for text, flags in WRITTEN:
        first.compiled(text, flags)
    first.keep()
    return Patterns(file)


def listed(file: Path) -> list[tuple[str, int]]:
    return list(Patterns(file)._kept)


@pytest.mark.parametrize(("text", "flags"), WRITTEN)
def test_a_kept_pattern_is_the_one_that_re_makes(
    file: Path, text: str, flags: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    anew, patterns = re.compile(text, flags), kept(file)
    with monkeypatch.context() as patch:
        patch.setattr(re, "compile", None)
        found = patterns.compiled(text, flags)
    assert (found, found.flags, found.groupindex) == (anew, anew.flags, anew.groupindex)
    assert [(m.span(), m.groups(), m.lastgroup) for m in found.finditer(TEXT)] == [
        (m.span(), m.groups(), m.lastgroup) for m in anew.finditer(TEXT)
    ]


def test_every_word_of_a_question_can_be_kept(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    patterns = Patterns(file)
    monkeypatch.setattr(words, "compiled", patterns.compiled)
    words._pattern.cache_clear()
    words.compile_all()
    words._pattern.cache_clear()
    patterns.keep()
    assert len(listed(file)) > 700


def test_the_same_words_with_other_flags_are_another_pattern(file: Path) -> None:
    patterns = kept(file)
    text, flags = WRITTEN[0]
    assert patterns.compiled(text, flags).search("MS")
    assert not patterns.compiled(text).search("MS")


def test_what_is_kept_is_added_to_and_written_whole(file: Path) -> None:
    patterns = kept(file)
    patterns.compiled("new")
    patterns.keep()
    assert {text for text, *_ in listed(file)} == {
        "new",
        *(text for text, _ in WRITTEN),
    }
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize("content", [b"", b"\0" * 40, b"7", b"[7, 7]", b'["another Python", []]\n', b"\n{"])
def test_a_file_that_is_damaged_or_of_another_python_costs_the_compiling_alone(
    file: Path, content: bytes
) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    assert Patterns(file).compiled("a|b").search("b")


def test_a_file_with_a_byte_changed_costs_the_compiling_alone(file: Path) -> None:
    kept(file)
    content = bytearray(file.read_bytes())
    content[-8] ^= 0xFF
    file.write_bytes(content)
    text, flags = WRITTEN[-1]
    assert Patterns(file).compiled(text, flags) == re.compile(text, flags)


def test_a_folder_that_cannot_be_written_costs_the_compiling_alone(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("a file where the folder would be")
    patterns = Patterns(tmp_path / "kept" / "patterns")
    assert patterns.compiled("a|b").search("b")
    patterns.keep()


def test_the_end_of_a_process_keeps_what_it_compiled_unless_bytecode_is_not_to_be_written(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_the_end: list[object] = []
    monkeypatch.setattr("atexit.register", at_the_end.append)
    Patterns(file).compiled("a")
    assert not at_the_end
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    patterns = Patterns(file)
    patterns.compiled("a")
    patterns.compiled("b")
    assert at_the_end == [patterns.keep]
