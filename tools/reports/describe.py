"""What was written, in a line."""

from __future__ import annotations

from ..core.document import Document, Items, Section, described, text
from .artifacts import WrittenArtifacts
from .write import WrittenReport


@described.register
def written_report(written: WrittenReport) -> Document:
    return Document(written, text("{output}: {bytes|bytes}, {verdict}"), ())


@described.register
def written_artifacts(written: WrittenArtifacts) -> Document:
    names = Items(tuple(text(f"{{files[#{at}]}}") for at in range(len(written.files))))
    return Document(written, text("{output}"), (Section("", (names,)),), notes=written.warnings)
