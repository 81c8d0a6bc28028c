"""Asks a blind set once and prints each question with its answer, as Markdown to be graded by hand."""

from __future__ import annotations

import argparse
import hashlib
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.hardware_db.errors import EdgewrightError, InputError
from edgewright.hardware_db.yaml_reader import read_yaml


def load_set(path: Path) -> list[dict[str, Any]]:
    """The conversations of a set: [{id, kind, turns}].

    Raises:
        InputError: no such list, or a hash beside it that is another.
    """
    stored = path.with_suffix(".sha256")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if stored.exists() and stored.read_text(encoding="utf-8").split()[0] != digest:
        raise InputError(f"{path.name} is not what its hash was made of.", hint="Restore it.")
    cases = read_yaml(path).data
    if not isinstance(cases, list) or not all(isinstance(case, dict) and case.get("turns") for case in cases):
        raise InputError(
            f"{path.name} is no list of conversations.", hint="Write {id, kind, turns: [question]}."
        )
    return cases


def markdown(cases: list[dict[str, Any]], folder: Path) -> str:
    """Every turn with its answer, its words and its seconds; the median of the words at the end."""
    out: list[str] = []
    words: list[int] = []
    for case in cases:
        out.append(f"## {case.get('id', '?')} · {case.get('kind', '')}\n")
        talk = Planner(Workspace(folder))
        for question in case["turns"]:
            started = time.perf_counter()
            try:
                answer = talk.ask(str(question))
                text, marked = answer.answer, list(answer.ungrounded)
            except EdgewrightError as error:
                text, marked = f"(error) {error}", []
            words.append(len(text.split()))
            seconds = time.perf_counter() - started
            found = f"{words[-1]} words, {seconds:.1f} s" + (f", marked: {marked}" if marked else "")
            out.append(f"**{question}**\n\n{text}\n\n_{found}_\n\ngrade:\n")
    out.append(f"{len(words)} turns, median {statistics.median(words):.0f} words, most {max(words)}.")
    return "\n".join(out)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="the set")
    parser.add_argument("--models", type=Path, help="folder with the model files that it names")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="edgewright-blind-") as folder:
        for file in asked.models.iterdir() if asked.models else ():
            if file.is_file():
                shutil.copyfile(file, Path(folder) / file.name)
        print(markdown(load_set(asked.file), Path(folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
