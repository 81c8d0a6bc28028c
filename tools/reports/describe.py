"""What was written, in a line."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.document import (
    Block,
    Code,
    Document,
    Items,
    Paragraph,
    Section,
    described,
    joined,
    table_of,
    text,
)
from .artifacts import WrittenArtifacts
from .bundle_diff import BundleDiff
from .node_data import WrittenNodeData
from .write import WrittenReport


@described.register
def written_report(written: WrittenReport) -> Document:
    return Document(written, text("{output}: {bytes|bytes}, {verdict}"), ())


@described.register
def written_artifacts(written: WrittenArtifacts) -> Document:
    names = Items(tuple(text(f"{{files[#{at}]}}") for at in range(len(written.files))))
    return Document(written, text("{output}"), (Section("", (names,)),), notes=written.warnings)


@described.register
def written_node_data(written: WrittenNodeData) -> Document:
    names = Items(tuple(text(f"{{files[#{at}]}}") for at in range(len(written.files))))
    opened = Code("Opens the model with them:", written.command)
    return Document(written, text("{output}"), (Section("", (names, opened)),), notes=written.warnings)


@described.register
def bundle_diff(diff: BundleDiff) -> Document:
    title = joined(f"{len(diff.changed)} figures of ", text("{compared} deployments changed"))
    return Document(diff, title, (Section("", tuple(_changes(diff))),))


def _changes(diff: BundleDiff) -> Iterator[Block]:
    if diff.changed:
        yield table_of(
            diff.changed, "changed", ("Deployment", "{deployment}"), ("Figure", "{figure}"),
            ("Before", "{before~}"), ("After", "{after~}"), ("Change", "{+gain}"),
            ("Beyond the interval", "{beyond_interval}"),
        )  # fmt: skip
    else:
        yield Paragraph("No figure of a deployment that both hold has changed.")
    lists = {
        "Verdicts that turned": "verdicts", "In the first alone": "only_before",
        "In the second alone": "only_after", "What they stand on differs": "stands_on",
    }  # fmt: skip
    for title, field in lists.items():
        if count := len(getattr(diff, field)):
            yield Items(tuple(text(f"{{{field}[#{at}]}}") for at in range(count)), title)
