"""Our verdicts beside the libraries', for the model files that public repositories hold.

`python -m tests.corpora.public_files CLONE…` takes clones (bare ones, too), whose files are read at their newest
commit, tried one by one and kept nowhere, and prints a row for each with what differs.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from . import litert_agreement, onnxruntime_agreement
from .onnxruntime_agreement import Case

_MOST_BYTES = 64 << 20
_ENDINGS = (".onnx", ".onnx.gz", ".tflite")
OUTCOMES = ("right", "false PASS", "false FAIL", "UNKNOWN")


def files_of(clone: Path) -> Iterator[tuple[str, bytes]]:
    """Path and content of each model; pointers to a large-file store are left out, and equal files but one."""
    listed = _git(clone, "ls-tree", "-r", "-l", "-z", "HEAD").decode(errors="replace")
    seen = set[str]()
    for entry in filter(None, listed.split("\0")):
        described, _, path = entry.partition("\t")
        _, kind, blob, size = described.split()
        if not path.endswith(_ENDINGS) or kind != "blob" or blob in seen:
            continue
        if not size.isdigit() or int(size) > _MOST_BYTES:  # a clone may lack its largest files
            continue
        seen.add(blob)
        content = _git(clone, "cat-file", "blob", blob)
        if not content.startswith(b"version https://git-lfs"):
            yield path, gzip.decompress(content) if path.endswith(".gz") else content


def cases_of(clone: Path) -> Iterator[tuple[str, Case]]:
    """Kind of library and case, for each file."""
    with tempfile.TemporaryDirectory() as folder:
        written = list[Path]()
        for number, (path, content) in enumerate(files_of(clone)):
            if path.endswith(".tflite"):
                written.append(Path(folder, f"{number}-{Path(path).name}"))
                written[-1].write_bytes(content)
            else:
                yield "onnxruntime", onnxruntime_agreement.judged(path, content)
        for case in litert_agreement.judged(written):
            yield "litert", case


def main(clones: list[str]) -> None:
    totals: dict[str, Counter[str]] = {"onnxruntime": Counter(), "litert": Counter()}
    print(
        f"| repository | commit | library | files | {' | '.join(OUTCOMES)} |\n| --- | --- | --- |{' --: |' * 5}"
    )
    differ = list[str]()
    for clone in map(Path, clones):
        found: dict[str, Counter[str]] = {"onnxruntime": Counter(), "litert": Counter()}
        for library, case in cases_of(clone):
            if case.of_the_machine:
                continue
            found[library][case.outcome] += 1
            if case.outcome != "right":
                differ.append(f"{_named(clone)} {case.outcome} {case.name}: {case.why}")
        name, commit = repository_of(clone)
        for library, counts in found.items():
            totals[library] += counts
            if counts:
                print(_row(name, commit, library, counts), flush=True)
    for library, counts in totals.items():
        print(_row("all", "", library, counts))
    print(*differ, sep="\n")


def _row(name: str, commit: str, library: str, counts: Counter[str]) -> str:
    return f"| {name} | {commit} | {library} | {counts.total()} | {' | '.join(str(counts[o]) for o in OUTCOMES)} |"


def repository_of(clone: Path) -> tuple[str, str]:
    """Owner and name, and the newest commit."""
    return _named(clone), _git(clone, "rev-parse", "--short=9", "HEAD").decode().strip()


def _named(clone: Path) -> str:
    """Owner and name, of what the clone was made of or of its folder."""
    made_of = subprocess.run(
        ["git", "-C", str(clone), "remote", "get-url", "origin"], capture_output=True, text=True, check=False
    ).stdout.strip()
    return "/".join(made_of.removesuffix(".git").split("/")[-2:]) if made_of else clone.resolve().name


def _git(clone: Path, *asked: str) -> bytes:
    return subprocess.run(["git", "-C", str(clone), *asked], capture_output=True, check=True).stdout


if __name__ == "__main__":
    main(sys.argv[1:])
