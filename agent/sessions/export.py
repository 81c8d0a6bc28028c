"""A conversation in a file, in the format that its name asks for."""

from __future__ import annotations

import json

from ...hardware_db.errors import UsageError
from ..llm.keys import without_keys
from .bundle import bundle
from .pages import html_page, markdown_page
from .saved import SavedSession

FORMATS = (".json", ".md", ".html")


def exported(session: SavedSession, suffix: str) -> str:
    """Raises UsageError: a suffix that is none of FORMATS."""
    document = bundle(session)
    match suffix.casefold():
        case ".json":
            text = json.dumps(document, indent=1) + "\n"
        case ".md":
            text = markdown_page(document)
        case ".html":
            text = html_page(document)
        case _:
            known = ", ".join(FORMATS)
            raise UsageError(f"There is no format {suffix or 'without a suffix'!r}.", hint=f"Known: {known}.")
    return without_keys(text).encode("utf-8", "replace").decode()
