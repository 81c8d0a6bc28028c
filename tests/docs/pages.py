"""The pages, and what a page shows beside what was printed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..snapshots.runner import text_difference
from .blocks import Step, blocks
from .outputs import renewed, same
from .reader import Reader

ROOT = Path(__file__).resolve().parents[2]
CONCEPTS = sorted((ROOT / "docs" / "concepts").glob("*.md"))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")), *CONCEPTS]
HOW_TO = sorted((ROOT / "docs" / "how-to").glob("*.md"))
MODELS = ("kws", "vww")
"""What every page may name: `edgewright models write kws -o kws.tflite`."""


def name(page: Path) -> str:
    return str(page.relative_to(ROOT)) if page.is_relative_to(ROOT) else page.name


def follow(page: Path, reader: Reader, *, written: bool = False) -> list[tuple[Step, list[str]]]:
    """The steps of a page whose output is another one than the page shows, each with that output.

    Args:
        written: the files that the page shows are there already.
    """
    ran = [
        step
        for block in blocks(page)
        if not block.not_run and not (written and block.title)
        for step in reader.follow(block)
    ]
    return [(step, printed) for step, printed in ran if step.shown and not same(step.shown, printed)]


def renew(page: Path, wrong: Sequence[tuple[Step, Sequence[str]]]) -> None:
    """Write what was printed into the page.

    Raises:
        LookupError: an output that no longer has the part that the page shows.
    """
    lines = page.read_text(encoding="utf-8").splitlines()
    for step, printed in reversed(wrong):
        lines[step.line : step.line + len(step.shown)] = renewed(step.shown, printed)
    if wrong:
        page.write_text("\n".join(lines) + "\n", encoding="utf-8")


def differences(page: Path, wrong: Sequence[tuple[Step, Sequence[str]]]) -> str:
    return "\n".join(_difference(page, *one) for one in wrong)


def _difference(page: Path, step: Step, printed: Sequence[str]) -> str:
    try:
        now = renewed(step.shown, printed)
    except LookupError:
        now = list(printed)
    shown = text_difference("\n".join(step.shown), "\n".join(now), page.name)
    return f"{name(page)}:{step.line}: {step.source}\n{shown}"
