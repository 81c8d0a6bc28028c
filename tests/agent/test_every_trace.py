"""Each form of measurement has a sample that is read, one that is refused with why, and an answer in a chat."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.tools import EdgewrightError, FirmwareReport, TraceReport, explain_firmware, explain_trace
from edgewright.tools.core.render.markdown import as_text
from edgewright.tools.traces import formats
from edgewright.tools.traces.formats import ctf
from edgewright.tools.traces.linked import elf, reading
from edgewright.tools.traces.linked.recognising import is_firmware
from edgewright.tools.traces.trace_file import read_content
from stubs.trace_files import SAMPLES, Sample

DAMAGED = 60


def read(file: Path, sample: Sample) -> TraceReport | FirmwareReport:
    if is_firmware(file):
        return explain_firmware(file)
    beside = [file.parent / name for name in sample.beside if name != "metadata"]
    return explain_trace(*beside, file, supply_v=3.3)


def read_by(file: Path) -> object:
    """The reader that takes a file."""
    content = read_content(file)
    if is_firmware(file):
        return (
            elf.read if elf.read(content.data) else next(map_ for map_ in reading.MAPS if map_(content.lines))
        )
    if ctf.read(file) is not None:
        return ctf.read
    return next(form for form in formats.FORMATS if formats._read(form, content) is not None)


def test_every_reader_has_its_sample(tmp_path: Path) -> None:
    found = set()
    for place, sample in enumerate(SAMPLES.values()):
        folder = tmp_path / str(place)
        folder.mkdir()
        found.add(read_by(sample.put(folder)))
    readers = {elf.read, *reading.MAPS, ctf.read, *formats.FORMATS}
    assert readers - found == set()


@pytest.mark.parametrize("form", SAMPLES)
def test_the_sample_of_a_form_is_read(form: str, tmp_path: Path) -> None:
    sample = SAMPLES[form]
    assert as_text(read(sample.put(tmp_path), sample))


@pytest.mark.parametrize(
    "form", [form for form, sample in SAMPLES.items() if isinstance(sample.content, str)]
)
def test_what_windows_puts_before_and_behind_lines_changes_nothing(form: str, tmp_path: Path) -> None:
    sample = SAMPLES[form]
    file = sample.put(tmp_path)
    plain = as_text(read(file, sample))
    lines = file.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    file.write_bytes(b"\xef\xbb\xbf" + lines)
    assert as_text(read(file, sample)) == plain


@pytest.mark.parametrize("form", SAMPLES)
def test_one_that_cannot_be_is_told_with_why(form: str, tmp_path: Path) -> None:
    sample = SAMPLES[form]
    file = sample.put(tmp_path)
    file.write_bytes(sample.broken(file.read_bytes()))
    try:
        said = "\n".join(read(file, sample).warnings)
    except EdgewrightError as error:
        said = str(error)
    assert re.search(sample.told, said), said


@pytest.mark.parametrize("form", SAMPLES)
def test_the_chat_answers_on_a_file_that_a_question_names(form: str, tmp_path: Path) -> None:
    sample = SAMPLES[form]
    file = sample.put(tmp_path)
    found = Planner(Workspace(directory=tmp_path)).ask(sample.asks.format(name=file.name))
    assert [call["name"] for call in found.tool_calls] == [
        "explain_firmware" if is_firmware(file) else "explain_trace"
    ]
    assert re.search(sample.says, found.answer), found.answer


@pytest.mark.parametrize("form", SAMPLES)
def test_a_file_with_bytes_that_are_wrong_is_read_or_refused_and_reaches_no_terminal(
    form: str, tmp_path: Path
) -> None:
    sample = SAMPLES[form]
    file = sample.put(tmp_path)
    whole, chance = file.read_bytes(), random.Random(form)
    for _ in range(DAMAGED):
        data = bytearray(whole)
        for _ in range(3):
            at = chance.randrange(len(data))
            data[at : at + 1] = chance.choice((b"\x1b]0;x\x07", b"\0", b"\n", b"-", b",", b"9" * 40, b""))
        file.write_bytes(data)
        try:
            said = as_text(read(file, sample))
        except EdgewrightError as error:
            said = str(error)
        assert not {"\x1b", "\x07", "\0"} & set(said)
