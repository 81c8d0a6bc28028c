"""What a hostile file, folder or hardware file is called reaches no terminal, page, table or parser as an order.

Every command is run, in every format that it writes, on names that hold escapes, markup and formulas.
"""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import typer
from markdown_it import MarkdownIt

from edgewright.agent.sessions.transcript import Transcript
from edgewright.cli import whole_app
from edgewright.hardware_db import user_files
from edgewright.hardware_db.user_files import set_default
from stubs.hostile_model import write_hostile_model
from tests.snapshots.runner import as_it_is

NAME = "=cmd()\x1b[31m\x07\u202e<img src=x onerror=alert(1)>|[a](javascript:b)`x`"
"""A file's name, so without a slash."""
WORDS = f"{NAME} */ \n\n# Heading\n\n<script>alert(1)</script>"
"""What a file of the user's own may say besides."""
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_NUMBER = re.compile(r"[+-]?[\d.]+(e[+-]?\d+)?")
OF_ONE_WORD = NAME.replace("=", "")
T = ("-t", "evil-board")
COMMANDS: dict[str, list[list[str]]] = {
    "inspect": [["M"], ["M", "--csv", "o"]],
    "analyze": [["M", *T], ["M", *T, "-o", "o"], ["M", *T, "--csv", "o"], ["M", *T, "--picture", "o"]],
    "roofline": [["M", *T], ["M", *T, "--picture", "o.svg"]],
    "estimate": [["M", *T, "--csv", "o"]],
    "cache": [["M", *T, "--csv", "o"]],
    "evidence": [["M", *T, "--csv", "o.csv"]],
    "compat": [["M", *T, "--csv", "o"]],
    "memory": [["M", *T, "--csv", "o"]],
    "timeline": [["M", *T], ["M", *T, "-o", "o.html"], ["M", *T, "-o", "o.json"], ["M", *T, "--picture", "o.svg"]],
    "code": [["M", *T], ["M", *T, "-o", "o"]],
    "report": [["M", *T, "-o", "o.html"], ["M", *T, "-o", "o.md"], ["M", *T, "-o", "o.zip"]],
    "guide": [["--model", "M", "--model", "kws", "-o", form] for form in ("o.html", "o.md")],
    "check": [["M", *T, "--max-ram", "1KiB"], *(["M", *T, "--max-ram", "1KiB", "--format", form]
              for form in ("junit", "sarif", "markdown"))],
    "optimize": [["M", *T, "--csv", "o"]],
    "limit": [["M", *T, "--max-latency", "50ms", "--variable", "clock"]],
    "recommend": [["M", "--max-latency", "50ms", "--csv", "o"]],
    "compare": [["M", *T, "-t", "nrf52840", "--csv", "o"]],
    "sweep": [["plan.yaml", "-o", "o"]],
    "energy": [["M", *T, "--rate", "1/s"]],
    "workload": [["M", *T, "--rate", "1/s", "--streams", "3", "--csv", "o"]],
    "loads": [[f"{OF_ONE_WORD}=85ms,10mW,1/min", "sleep=6uW", "--csv", "o"]],
    "pipeline": [["pipeline.yaml", *T]],
    "frequency": [["M", *T, "--csv", "o"]],
    "calibrate": [["mine.csv"]],
    "import": [["trace.csv", "--model", "M", *T], ["trace.csv", "--csv", "o"]],
    "validate": [["--against", "mine.csv", "-o", "o.csv", "--plot", "p.svg"]],
    "targets list": [[], ["--csv", "o.csv"]],
    "targets show": [["evil-board"], ["evil-board", "--csv", "o"]],
    "targets diff": [["evil-board", "nrf52840"]],
    "targets lint": [[]],
    "targets add": [["mine", "--like", "evil-board", "-o", "more", "--source", WORDS]],
    "ask": [["--llm", "offline", "--model", "M", *T, "How long does it take?"],
            ["--llm", "offline", "Does", "M", "fit on the evil-board?", "--audit"]],
    "sessions list": [[], ["--csv", "o.csv"]],
    "sessions show": [["talk"]],
    "sessions export": [["talk", "-o", "o.md"], ["talk", "-o", "o.html"], ["talk", "-o", "o.json"]],
    "sessions replay": [["talk"]],
    "doctor": [[], ["--csv", "o.csv"]],
}  # fmt: skip
ENDS_BADLY = {"calibrate", "doctor", "import"}
"""They say so of what the fixture holds."""
WRONG = [
    ["check", "M", "-t", NAME], ["inspect", f"{NAME}.onnx"], ["inspect", "M", NAME], ["inspect", "M", f"--{NAME}"],
    ["sweep", NAME], ["calibrate", NAME], ["import", NAME], ["targets", "show", NAME], ["sessions", "show", NAME],
    ["pipeline", "evil.yaml", *T], ["report", "M", *T, "-o", f"{NAME}.{NAME}"], ["--hardware-dir", NAME, "doctor"],
    ["check", "M", *T, "--max-ram", NAME], ["system", NAME], ["loads", NAME], ["loads", f"{NAME}=1s,2mW"], ["analyze", "M", *T, "-o", f"{NAME}.tflite"],
]  # fmt: skip
"""What is refused, with a line that quotes it."""
ELSEWHERE = {
    "bundles", "chat", "convert", "finetuning", "generation", "mcp", "models list", "models write", "profile",
    "recommend-model", "runtimes list", "runtimes show", "serve", "sessions copy", "sessions delete", "skill",
    "system",
}  # fmt: skip
"""Without names of the user's own in what they write, or shown by the same renderers to another reader."""


@pytest.fixture(scope="module")
def command() -> Any:
    return typer.main.get_command(whole_app())


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / NAME
    (folder / "boards").mkdir(parents=True)
    (folder / "state").mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("EDGEWRIGHT_CONFIG_DIR", str(folder / "config"))
    monkeypatch.setenv("EDGEWRIGHT_STATE_DIR", str(folder / "state"))
    write_hostile_model(folder / f"{NAME}.tflite")
    quoted = json.dumps(WORDS)
    (folder / "boards" / "evil-board.yaml").write_text(
        f"extends: nrf52840\nid: evil-board\nname: {quoted}\n"
        f"sources:\n  own: {{title: {quoted}, where: {quoted}, date: 2026-01-01, kind: board-file}}\n"
        f"price_usd: {{value: 3, unit: USD, source: own, locator: {quoted}}}\n"
    )
    (folder / "boards" / "broken.yaml").write_text(f"extends: {quoted}\nid: broken\n{quoted}: 1\n")
    (folder / "plan.yaml").write_text(
        f"models: [{json.dumps(NAME + '.tflite')}]\ntargets: [evil-board]\nruntimes: [usual]\n"
    )
    (folder / "pipeline.yaml").write_text(
        f"steps: {{wake: {{model: {json.dumps(NAME + '.tflite')}, rate: 10/s}}}}\n"
    )
    (folder / "evil.yaml").write_text(f"steps: {{{quoted}: {{model: kws, rate: 10/s}}}}\n")
    cell = NAME.replace('"', '""')
    (folder / "mine.csv").write_text(
        f'model,target,latency_ms\n"{cell}.tflite",evil-board,19.2\n"{cell}",evil-board,3\nkws,"{cell}",5\n'
    )
    (folder / "trace.csv").write_text(f'layer,time_ms\n"{cell}",8\n"{cell}2",9\nrelu,1\n')
    talk = Transcript(folder / "state" / "sessions" / "talk.db", session="talk")
    talk.write("question", text=WORDS, pinned={"directory": str(folder)})
    talk.write("tool_call", id="r1", name=NAME, arguments={"model": f"{NAME}.tflite"})
    talk.write("tool_result", id="r1", name=NAME, error=WORDS, model={"source": NAME, "sha256": "0" * 64})
    talk.write("answer", answer=WORDS)
    talk.close()
    set_default([folder / "boards"])
    yield folder
    set_default(None)
    user_files._configured.cache_clear()


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.bad: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.bad += [f"{tag} {name}" for name, value in attributes if name.startswith("on") or value == "x"]
        self.bad += [f"{tag} {value}" for _, value in attributes if (value or "").startswith("javascript:")]


def wrong_with(name: str, text: str) -> Iterator[str]:
    """What of a text in the format that its name tells would be obeyed."""
    if found := CONTROLS.search(text):
        yield f"{name}: {text[max(0, found.start() - 60) : found.end() + 20]!r}"
    ending = Path(name).suffix
    if ending == ".json":
        json.loads(text)
    elif ending in {".html", ".svg"}:
        tags = Tags()
        tags.feed(text)
        yield from (f"{name}: {bad}" for bad in tags.bad)
        if "<script>alert(1)" in text:
            yield f"{name}: a script"
    elif ending == ".md":
        made = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
        yield from (f"{name}: {told}" for told in wrong_with(f"{name}.html", made))
        if "<h1>Heading" in made:
            yield f"{name}: a heading"
    elif ending == ".csv":
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        yield from (f"{name}: {c!r}" for c in cells if c[:1] in "=+-@\t\r" and c and not _NUMBER.fullmatch(c))
    elif ending == ".xml":
        ET.fromstring(text)
    elif ending in {".c", ".cc", ".cpp", ".h"} and (closed := [
        line for line in text.splitlines() if "cmd()" in line and "*/" in line.rstrip().removesuffix("*/")
    ]):  # fmt: skip
        yield f"{name}: {closed}"


FORMATS = {"junit": ".xml", "sarif": ".json", "markdown": ".md"}


def told_by(words: list[str], folder: Path, *, refused: bool = False) -> Iterator[str]:
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    done = as_it_is([f"{NAME}.tflite" if word == "M" else word for word in words], folder)
    shown = "json" if "--json" in words else "txt"
    if "--format" in words:
        shown = FORMATS[words[words.index("--format") + 1]][1:]
    label = " ".join(words)[:60]
    if "Traceback" in done.stderr or (
        (done.code not in (0, 10, 11)) is not refused and not ENDS_BADLY & {*words}
    ):
        yield f"{label}: exit {done.code}: {done.stderr[-200:]!r}"
    yield from (f"{label}: {told}" for told in wrong_with(f"stdout.{shown}", done.stdout))
    yield from (f"{label}: {told}" for told in wrong_with("stderr.txt", done.stderr))
    for path in sorted(folder.rglob("*")):
        if path.is_file() and before.get(path) != path.stat().st_mtime_ns:
            for name, content in members(path):
                yield from (f"{label}: {told}" for told in wrong_with(name, content.decode()))


def members(path: Path) -> Iterator[tuple[str, bytes]]:
    """The file, or those in an archive, as far as they are text of a format that is looked into."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            yield from ((n, archive.read(n)) for n in archive.namelist() if Path(n).suffix in WRITTEN)
    elif path.suffix in WRITTEN:
        yield path.name, path.read_bytes()


WRITTEN = {
    ".json",
    ".html",
    ".svg",
    ".md",
    ".csv",
    ".xml",
    ".txt",
    ".yaml",
    ".c",
    ".cc",
    ".cpp",
    ".h",
    ".py",
    ".ino",
}


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_writes_an_order_out_of_a_name(name: str, command: Any, place: Path) -> None:
    found = []
    tried = COMMANDS[name]
    if "--json" in options_of(command, name):
        tried = [*tried, [*tried[0], "--json"]]
    for number, words in enumerate(tried):
        here = [re.sub(r"^o(?=\.\w+$|$)", f"o{number}", word) for word in words]
        found += told_by([*name.split(), *here], place)
    assert found == []


@pytest.mark.parametrize("words", WRONG, ids=lambda words: " ".join(words)[:12].replace(NAME[:5], "X"))
@pytest.mark.parametrize("json_wanted", [False, True])
def test_no_refusal_quotes_an_order_out_of_a_name(words: list[str], json_wanted: bool, place: Path) -> None:
    assert [*told_by([*words, *["--json"] * json_wanted], place, refused=True)] == []


def options_of(command: Any, name: str) -> set[str]:
    for word in name.split():
        command = command.commands[word]
    return {option for each in command.params for option in each.opts}


def test_every_command_is_among_those_that_are_tried(command: Any) -> None:
    def names(at: Any, path: tuple[str, ...]) -> Iterator[str]:
        inner = getattr(at, "commands", None)
        if inner is None:
            yield " ".join(path)
            return
        for word, each in inner.items():
            yield from names(each, (*path, word))

    assert {*names(command, ())} == {*COMMANDS} | ELSEWHERE
