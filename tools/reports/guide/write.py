"""Writes the guide as one file."""

from __future__ import annotations

import os
from pathlib import Path

from ....hardware_db.errors import UsageError
from ...core.document import describe
from ...core.files import save_whole
from ...core.render.cells import Cells
from ...core.render.markdown import markdown
from ..page.fragment import LiveFragment
from ..page.shell import page_without_figures
from .guide_report import Guide


def write_guide(guide: Guide, output: str | os.PathLike[str], *, force: bool = False) -> int:
    """Write a guide with every estimate that it stands on as its appendix.

    Args:
        guide: of `hardware_guide`.
        output: ends in .html for a page that loads nothing, or in .md.
        force: overwrite a file.

    Returns:
        Its size in bytes.

    Raises:
        UsageError: another ending, a file that exists, or a folder that does not.

    Example:
        >>> size = write_guide(hardware_guide(["kws", "ad"]), "guide.md")
        >>> Path("guide.md").read_text().splitlines()[0]
        '# When to take which hardware: ... targets'
    """
    path = Path(output)
    if path.suffix.lower() not in (".html", ".htm", ".md"):
        raise UsageError(f"A guide cannot be written as {path.name!r}.", hint="Name the file .html or .md.")

    def content() -> bytes:
        document = describe(guide, data=True)
        if path.suffix.lower() == ".md":
            return (markdown(document).rstrip("\n") + "\n").encode()
        title = Cells(document).text(document.title)
        return page_without_figures(title, LiveFragment(document, live=False).markup()).encode()

    return save_whole(content, path, force=force)
