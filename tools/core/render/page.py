"""A document as HTML: a part of a page or of a notebook, with no script and nothing that is loaded.

Every text is escaped; drawings come escaped from who draws them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from ..document import (
    Bar,
    Block,
    Chart,
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
from ..sanitize import escape
from ..showing import one_line, shown_fields
from .cells import Cells
from .style import STYLE

_LEFT = "<%s style='text-align:left'>%s</%s>"
_IN_A_NOTEBOOK = "table{color:inherit}tr,td,th{background:none!important}"
"""Its own style sheet stripes tables in its own colours."""
_VERDICTS = frozenset({"PASS", "MARGINAL", "FAIL", "UNKNOWN"})


def fragment(document: Document) -> str:
    """The same for a page that has a style sheet of its own, such as a notebook."""
    return Fragment(document).markup()


def cell(document: Document) -> str:
    """The same with a style sheet that holds inside it alone, for a notebook's output."""
    style = STYLE.replace(":root", "&").replace("body{", "&{") + _IN_A_NOTEBOOK
    return f'<div class="edgewright"><style>.edgewright{{{style}}}</style>{fragment(document)}</div>'


def cell_of(result: BaseModel, headline: str) -> str:
    """A result in a notebook: its document; of a row, which has none, its fields."""
    return cell(describe(result)) if is_described(result) else fields_cell(result, headline)


class Fragment:
    """What a subclass may draw or mark up in its own way has a method of its own."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.cells = Cells(document)

    def markup(self) -> str:
        parts = [self._header(), *map(self._section, self.document.sections)]
        if self.document.notes:
            parts.append(self._section(Section("Notes", (Items(self.document.notes),))))
        if self.document.footer:
            footer = "<br>".join(map(self.said, self.document.footer))
            parts.append(f"<footer><p>{footer}</p></footer>")
        return "\n".join(parts)

    def _header(self) -> str:
        verdict = self.cells.text(self.document.verdict)
        kind = verdict if verdict in _VERDICTS else ""
        badge = f'<span class="verdict {kind}">{escape(verdict)}</span>' if verdict else ""
        lead = "".join(f"<p>{self.said(line)}</p>" for line in self.document.summary)
        cards = "".join(self._card(name, figure) for name, figure in self.document.figures)
        drawn = f'<div class="figures">{cards}</div>' if cards else ""
        title = self.said(self.document.title)
        return f'<header><div class="top"><h1>{title}</h1>{badge}</div>{lead}{drawn}</header>'

    def _card(self, name: str, figure: Text) -> str:
        """What stands in brackets goes below the figure."""
        value, _, inside = self.said(figure).partition(" (")
        more = f"<span>{inside.removesuffix(')')}</span>" if inside else ""
        return f'<div class="figure"><span>{escape(name)}</span><b>{value}</b>{more}</div>'

    def _section(self, section: Section) -> str:
        title = f"<h2>{escape(section.title)}</h2>" if section.title else ""
        return f"<section>{title}{''.join(map(self._block, section.blocks))}</section>"

    def _block(self, block: Block) -> str:
        match block:
            case Paragraph():
                return f"<p>{self.said(block.text)}</p>"
            case Items():
                title = f"<p>{escape(block.title)}:</p>" if block.title else ""
                return f"{title}<ul>{''.join(f'<li>{self.said(line)}</li>' for line in block.lines)}</ul>"
            case Code():
                label = f'<p class="caption">{self.said(block.label)}</p>' if block.label else ""
                return f"{label}<pre>{escape(block.text)}</pre>"
            case Drawing():
                return self.drawing(block)
            case Table():
                return self.table(block)

    def drawing(self, drawing: Drawing) -> str:
        drawn = drawing.draw()
        if not drawn and drawing.chart is not None:
            drawn = behind(drawing.chart)
        caption = f'<figcaption class="caption">{self.said(drawing.caption)}</figcaption>'
        return f'<figure class="{escape(drawing.kind)}">{drawn}{caption}</figure>'

    def table(self, table: Table) -> str:
        rows, figures = self.cells.table(table.rows, len(table.header))
        head = "".join(
            f"<th{_kind('', figure)}>{self.said(title)}</th>"
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
            f"<td{_kind(text, figure)}{self.marked(cell)}>"
            f"{self._bar(cell) if isinstance(cell, Bar) else escape(text)}</td>"
            for cell, text, figure in zip(cells, shown, figures, strict=True)
        )

    def marked(self, _cell: Text) -> str:
        """Further attributes of a cell."""
        return ""

    def _bar(self, bar: Bar) -> str:
        share = self.cells.share(bar)
        return "unknown" if share is None else f'<meter value="{share:.3f}"></meter>'

    def said(self, text: Text) -> str:
        return escape(self.cells.text(text))


def _kind(shown: str, figure: bool) -> str:
    if shown in _VERDICTS:
        return f' class="{shown}"'
    return ' class="n"' if figure else ""


def behind(chart: Chart) -> str:
    """The rows of a chart as a table, which sorts by what each cell holds."""
    head = "".join(f"<th>{escape(column.title)}</th>" for column in chart.columns)
    body = "".join(
        f"<tr>{''.join(_held(row[c.field], row[f'{c.field}_text']) for c in chart.columns)}</tr>"
        for row in chart.rows
    )
    grid = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="scroll">{grid}</div>'


def _held(value: Any, shown: str) -> str:
    if isinstance(value, int | float):
        return f'<td class="n" data-v="{value:.12g}">{escape(shown)}</td>'
    return f"<td>{escape(shown)}</td>"


def fields_cell(result: BaseModel, headline: str) -> str:
    """A small table of the fields of a result that has no document."""
    rows = "".join(
        f"<tr>{_LEFT % ('th', escape(name), 'th')}{_LEFT % ('td', escape(text), 'td')}</tr>"
        for name, text in shown_fields(result)
    )
    return f"<table><caption>{escape(one_line(result, headline)[1:-1])}</caption>{rows}</table>"
