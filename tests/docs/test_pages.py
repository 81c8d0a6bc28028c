"""Every command line and every Python line of the documents is run, and prints what the page shows.

`make docs` writes what is printed now into the pages: look at the difference before you commit it.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from pathlib import Path

import pytest

from .blocks import headings, inline_commands, links
from .pages import HOW_TO, MODELS, PAGES, ROOT, differences, follow, name, renew
from .reader import Reader, settings

PICTURES = Path("docs", "pictures")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with settings(tmp_path_factory.mktemp("home")):
        reader = Reader(tmp_path_factory.mktemp("models"))
        for model in MODELS:
            reader.command(f"edgewright models write {model} -o {model}.tflite")
        yield reader.folder


@pytest.fixture
def reader(page: Path, models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    """Of any page in a folder with the models; of README in one that is like a new clone."""
    monkeypatch.setenv("EDGEWRIGHT_STATE_DIR", str(tmp_path / "state"))
    folder = tmp_path / "work"
    if page.parent == ROOT:
        (folder / PICTURES).mkdir(parents=True)
        return Reader(folder)
    return Reader(Path(shutil.copytree(models, folder)))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_what_a_page_shows_is_what_is_printed(page: Path, reader: Reader, update_snapshots: bool) -> None:
    wrong = follow(page, reader)
    drawn = list((reader.folder / PICTURES).glob("*"))
    if update_snapshots:
        renew(page, wrong)
        for picture in drawn:
            shutil.copy(picture, ROOT / PICTURES)
        return
    assert not wrong, differences(page, wrong)
    assert [
        picture.name
        for picture in drawn
        if picture.read_bytes() != (ROOT / PICTURES / picture.name).read_bytes()
    ] == []


@cache
def _help(command: str) -> str:
    reader = Reader(ROOT)
    printed = reader.command(f"edgewright {command} --help")
    return "\n".join(printed) if reader.code == 0 else ""


@pytest.mark.parametrize("page", [*PAGES, *HOW_TO], ids=name)
def test_every_command_named_in_a_sentence_exists_with_its_options(page: Path, models: Path) -> None:
    """Of `edgewright check MODEL --budget FILE` in running text or a table: `check`, and `--budget` in its help."""
    missing = []
    for line in inline_commands(page):
        words = line.split()
        names = list(takewhile(lambda word: re.fullmatch(r"[a-z][a-z-]*", word), words))
        known = next((end for end in (names[:2], names[:1]) if _help(" ".join(end))), None)
        options = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
        if known is None or not all(
            re.search(rf"(?<![\w-]){re.escape(option)}\b", _help(" ".join(known))) for option in options
        ):
            missing.append(line)
    assert not missing


@pytest.mark.parametrize("page", [*PAGES, *HOW_TO], ids=name)
def test_links_lead_to_files_and_headings_that_exist(page: Path) -> None:
    broken = [link for link in links(page) if not _leads_somewhere(page, link)]
    assert not broken


def _leads_somewhere(page: Path, link: str) -> bool:
    if re.match(r"[a-z]+:", link):
        return True
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    return target.exists() and (not anchor or anchor in headings(target))


def test_every_command_stands_in_the_page_about_the_command_line(models: Path) -> None:
    listed = "\n".join(Reader(models).command("edgewright --help")).partition("Commands:")[2]
    commands = re.findall(r"^  ([a-z-]+)  ", listed, flags=re.MULTILINE)
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert commands
    assert [command for command in commands if not re.search(rf"`{command}\b", page)] == []


def test_the_site_builds_without_a_broken_link(tmp_path: Path) -> None:
    pytest.importorskip("zensical", reason="comes with the extra docs")
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    run = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"], cwd=tmp_path, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    assert (tmp_path / ".build" / "site" / "search.json").exists()


def test_every_decision_stands_in_the_list_of_decisions() -> None:
    folder = ROOT / "docs" / "adr"
    assert set(links(folder / "README.md")) == {file.name for file in folder.glob("0*.md")}


def test_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150


@pytest.mark.parametrize("page", HOW_TO, ids=name)
def test_a_how_to_page_is_short(page: Path) -> None:
    assert len(page.read_text(encoding="utf-8").splitlines()) <= 60
