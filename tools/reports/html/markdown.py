"""A document as Markdown: the same without drawings, every text escaped."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.render.markdown import escaped
from ..table import pipe_table
from .blocks import Block, Code, Document, Drawing, Items, Paragraph, Table


def markdown_page(document: Document) -> str:
    return "\n\n".join(_parts(document)) + "\n"


def _parts(document: Document) -> Iterator[str]:
    yield f"# {document.verdict}: {escaped(document.title)} on {escaped(document.place)}"
    yield escaped(document.summary)
    figures = ((f.name, f.value, f.interval, f.basis) for f in document.figures)
    yield pipe_table(("Figure", "Value", "90 % interval", "Basis"), figures)
    for section in document.sections:
        yield f"## {section.title}"
        for block in section.blocks:
            if told := _block(block):
                yield told
    yield "\n".join(f"- {escaped(line)}" for line in document.footer)


def _block(block: Block) -> str:
    match block:
        case Paragraph():
            return escaped(block.text)
        case Items():
            return "\n".join(f"- {escaped(line)}" for line in block.lines)
        case Code():
            lines = "\n".join(f"    {line}" for line in block.text.splitlines())
            return f"{escaped(block.label)}\n\n{lines}"
        case Drawing():
            return escaped(block.in_words)
        case Table():
            table = pipe_table(block.header, ([escaped(cell) for cell in row] for row in block.rows))
            return f"{escaped(block.folded)}:\n\n{table}" if block.folded else table
