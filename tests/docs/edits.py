"""Changes to files that a page shows: whole files, and diffs of a few lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .blocks import Block


def write(block: Block, folder: Path) -> None:
    """Make the file that the block's title names, or change it as its diff says.

    Raises:
        ValueError: a diff whose lines do not stand in the file, or more than once.
    """
    file = folder / block.title
    if block.language != "diff":
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block.text, encoding="utf-8")
        return
    text = file.read_text(encoding="utf-8")
    for before, after in _hunks(block.text):
        if f"\n{text}".count(f"\n{before}") != 1:
            raise ValueError(f"{block}: these lines do not stand once in {block.title}:\n{before}")
        text = f"\n{text}".replace(f"\n{before}", f"\n{after}")[1:]
    file.write_text(text, encoding="utf-8")


def _hunks(diff: str) -> Iterator[tuple[str, str]]:
    """Lines before and after each change; changes are parted by @@."""
    for hunk in diff.split("@@\n"):
        lines = [line or " " for line in hunk.splitlines()]
        yield tuple("".join(f"{line[1:]}\n" for line in lines if line[0] in signs) for signs in (" -", " +"))  # type: ignore[misc]
