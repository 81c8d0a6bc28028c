"""A document as data: its blocks, and beside each text the figures that it refers to."""

from __future__ import annotations

from typing import Any

from ..document import Bar, Block, Code, Document, Drawing, Items, Paragraph, Ref, Table, Text
from .cells import Cells


def data(document: Document) -> dict[str, Any]:
    """JSON-able; a figure is `{"path", "text", "value", "unit", "low", "high", "basis"}`."""
    return _Data(document).whole()


class _Data:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._cells = Cells(document)

    def whole(self) -> dict[str, Any]:
        document = self._document
        return {
            "title": self._said(document.title),
            "verdict": self._said(document.verdict),
            "summary": [self._said(line) for line in document.summary],
            "figures": [{"name": name, **self._said(figure)} for name, figure in document.figures],
            "sections": [
                {"title": section.title, "blocks": [self._block(block) for block in section.blocks]}
                for section in document.sections
            ],
            "notes": [self._said(line) for line in document.notes],
        }

    def _block(self, block: Block) -> dict[str, Any]:
        match block:
            case Paragraph():
                return {"kind": "paragraph", **self._said(block.text)}
            case Items():
                return {"kind": "items", "title": block.title, "lines": list(map(self._said, block.lines))}
            case Code():
                return {"kind": "code", "label": self._said(block.label), "text": block.text}
            case Drawing():
                return {"kind": "drawing", "svg": block.draw(), "caption": self._said(block.caption)}
            case Table():
                rows = [list(map(self._said, row)) for row in block.rows]
                return {"kind": "table", "header": list(map(self._cells.text, block.header)), "rows": rows}

    def _said(self, text: Text) -> dict[str, Any]:
        parts = text if isinstance(text, tuple) else (text,)
        figures = [self._figure(part) for part in parts if isinstance(part, Ref | Bar)]
        return {"text": self._cells.text(text), "figures": figures}

    def _figure(self, part: Ref | Bar) -> dict[str, Any]:
        value = self._cells.value(part.path)
        return {
            "path": part.path, "text": self._cells.text(part), "value": value.value, "unit": value.unit,
            "low": value.low, "high": value.high, "basis": value.basis,
        }  # fmt: skip
