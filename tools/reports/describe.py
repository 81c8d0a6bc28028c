"""What was written, in a line."""

from __future__ import annotations

from ..core.document import Document, described, text
from .write import WrittenReport


@described.register
def written_report(written: WrittenReport) -> Document:
    return Document(written, text("{output}: {bytes|bytes}, {verdict}"), ())
