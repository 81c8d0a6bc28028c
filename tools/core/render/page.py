"""A document as HTML: a part of a page, or one file with no script and nothing that is loaded.

Every text is escaped; drawings come escaped from who draws them.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from pydantic import BaseModel

from ..document import (
    Bar,
    Block,
    Code,
    Document,
    Drawing,
    Items,
    Paragraph,
    Section,
    Table,
    Text,
    describe,
    is_described,
)
from ..showing import one_line, shown_fields
from .cells import Cells
from .style import STYLE

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_LEFT = "<%s style='text-align:left'>%s</%s>"
_IN_A_NOTEBOOK = "table{color:inherit}tr,td,th{background:none!important}"
"""Its own style sheet stripes tables in its own colours."""
_VERDICTS = frozenset({"PASS", "MARGINAL", "FAIL", "UNKNOWN"})


def page(document: Document) -> str:
    """One file that opens anywhere."""
    title = escape(Cells(document).text(document.title))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head><body>\n{fragment(document)}\n</body></html>\n"
    )


def fragment(document: Document) -> str:
    """The same for a page that has a style sheet of its own, such as a notebook."""
    return _Fragment(document).markup()


def cell(document: Document) -> str:
    """The same with a style sheet that holds inside it alone, for a notebook's output."""
    style = STYLE.replace(":root", "&").replace("body{", "&{") + _IN_A_NOTEBOOK
    return f'<div class="edgewright"><style>.edgewright{{{style}}}</style>{fragment(document)}</div>'


def cell_of(result: BaseModel, headline: str) -> str:
    """A result in a notebook: its document; of a row, which has none, its fields."""
    return cell(describe(result)) if is_described(result) else fields_cell(result, headline)


class _Fragment:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._cells = Cells(document)

    def markup(self) -> str:
        parts = [self._header(), *map(self._section, self._document.sections)]
        if self._document.notes:
            parts.append(self._section(Section("Notes", (Items(self._document.notes),))))
        if self._document.footer:
            footer = "<br>".join(map(self._said, self._document.footer))
            parts.append(f"<footer><p>{footer}</p></footer>")
        return "\n".join(parts)

    def _header(self) -> str:
        verdict = self._cells.text(self._document.verdict)
        kind = verdict if verdict in _VERDICTS else ""
        badge = f'<span class="verdict {kind}">{escape(verdict)}</span>' if verdict else ""
        lead = "".join(f"<p>{self._said(line)}</p>" for line in self._document.summary)
        cards = "".join(self._card(name, figure) for name, figure in self._document.figures)
        drawn = f'<div class="figures">{cards}</div>' if cards else ""
        title = self._said(self._document.title)
        return f'<header><div class="top"><h1>{title}</h1>{badge}</div>{lead}{drawn}</header>'

    def _card(self, name: str, figure: Text) -> str:
        """What stands in brackets goes below the figure."""
        value, _, inside = self._said(figure).partition(" (")
        more = f"<span>{inside.removesuffix(')')}</span>" if inside else ""
        return f'<div class="figure"><span>{escape(name)}</span><b>{value}</b>{more}</div>'

    def _section(self, section: Section) -> str:
        title = f"<h2>{escape(section.title)}</h2>" if section.title else ""
        return f"<section>{title}{''.join(map(self._block, section.blocks))}</section>"

    def _block(self, block: Block) -> str:
        match block:
            case Paragraph():
                return f"<p>{self._said(block.text)}</p>"
            case Items():
                title = f"<p>{escape(block.title)}:</p>" if block.title else ""
                return f"{title}<ul>{''.join(f'<li>{self._said(line)}</li>' for line in block.lines)}</ul>"
            case Code():
                label = f'<p class="caption">{self._said(block.label)}</p>' if block.label else ""
                return f"{label}<pre>{escape(block.text)}</pre>"
            case Drawing():
                caption = f'<figcaption class="caption">{self._said(block.caption)}</figcaption>'
                return f'<figure class="{escape(block.kind)}">{block.draw()}{caption}</figure>'
            case Table():
                return self._table(block)

    def _table(self, table: Table) -> str:
        rows, figures = self._cells.table(table.rows, len(table.header))
        head = "".join(
            f"<th{_kind('', figure)}>{self._said(title)}</th>"
            for title, figure in zip(table.header, figures, strict=True)
        )
        body = "".join(
            f"<tr>{self._row(cells, texts, figures)}</tr>"
            for cells, texts in zip(table.rows, rows, strict=True)
        )
        grid = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        drawn = f'<div class="scroll">{grid}</div>'
        if not table.folded:
            return drawn
        return f"<details><summary>{escape(table.folded)}</summary>{drawn}</details>"

    def _row(self, cells: Sequence[Text], shown: Sequence[str], figures: Sequence[bool]) -> str:
        return "".join(
            f"<td{_kind(text, figure)}>{self._bar(cell) if isinstance(cell, Bar) else escape(text)}</td>"
            for cell, text, figure in zip(cells, shown, figures, strict=True)
        )

    def _bar(self, bar: Bar) -> str:
        share = self._cells.share(bar)
        return "unknown" if share is None else f'<meter value="{share:.3f}"></meter>'

    def _said(self, text: Text) -> str:
        return escape(self._cells.text(text))


def _kind(shown: str, figure: bool) -> str:
    if shown in _VERDICTS:
        return f' class="{shown}"'
    return ' class="n"' if figure else ""


def fields_cell(result: BaseModel, headline: str) -> str:
    """A small table of the fields of a result that has no document."""
    rows = "".join(
        f"<tr>{_LEFT % ('th', escape(name), 'th')}{_LEFT % ('td', escape(text), 'td')}</tr>"
        for name, text in shown_fields(result)
    )
    return f"<table><caption>{escape(one_line(result, headline)[1:-1])}</caption>{rows}</table>"
