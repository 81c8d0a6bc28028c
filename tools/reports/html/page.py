"""A document as one HTML file: no script, nothing that is loaded, every text escaped."""

from __future__ import annotations

from html import escape

from ...verdicts.verdict import Verdict
from .blocks import Block, Code, Document, Drawing, Items, KeyFigure, Paragraph, Section, Table
from .style import STYLE

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_VERDICTS = frozenset(verdict.value for verdict in Verdict)


def page(document: Document) -> str:
    title = escape(f"{document.title} on {document.place}")
    head = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head><body>"
    )
    sections = "\n".join(map(_section, document.sections))
    footer = "<br>".join(map(escape, document.footer))
    return f"{head}\n{_header(document)}\n{sections}\n<footer><p>{footer}</p></footer>\n</body></html>\n"


def _header(document: Document) -> str:
    verdict = document.verdict if document.verdict in _VERDICTS else ""
    return (
        f'<header><div class="top"><h1>{escape(document.title)}</h1>'
        f'<span class="verdict {verdict}">{escape(document.verdict)}</span></div>'
        f'<p class="place">{escape(document.place)}</p><p>{escape(document.summary)}</p>'
        f'<div class="figures">{"".join(map(_figure, document.figures))}</div></header>'
    )


def _figure(figure: KeyFigure) -> str:
    return (
        f'<div class="figure"><span>{escape(figure.name)}</span><b>{escape(figure.value)}</b>'
        f"<span>{escape(figure.interval)}</span><span>{escape(figure.basis)}</span></div>"
    )


def _section(section: Section) -> str:
    return f"<section><h2>{escape(section.title)}</h2>{''.join(map(_block, section.blocks))}</section>"


def _block(block: Block) -> str:
    match block:
        case Paragraph():
            return f"<p>{escape(block.text)}</p>"
        case Items():
            return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in block.lines)}</ul>"
        case Code():
            return f'<p class="caption">{escape(block.label)}</p><pre>{escape(block.text)}</pre>'
        case Drawing():
            caption = f'<figcaption class="caption">{escape(block.caption)}</figcaption>'
            return f'<figure class="{escape(block.kind)}">{block.svg}{caption}</figure>'
        case Table():
            return _table(block)


def _table(table: Table) -> str:
    head = "".join(f"<th{_kind(i, table, '')}>{escape(cell)}</th>" for i, cell in enumerate(table.header))
    rows = "".join(
        f"<tr>{''.join(f'<td{_kind(i, table, c)}>{escape(c)}</td>' for i, c in enumerate(row))}</tr>"
        for row in table.rows
    )
    drawn = f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
    if not table.folded:
        return drawn
    return f"<details><summary>{escape(table.folded)}</summary>{drawn}</details>"


def _kind(column: int, table: Table, cell: str) -> str:
    if cell in _VERDICTS:
        return f' class="{cell}"'
    return ' class="n"' if column in table.right else ""
