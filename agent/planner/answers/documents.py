"""The document of a tool's own result as lines of an answer, in brief; its figures stay references."""

from __future__ import annotations

from collections.abc import Iterator

from ....tools.core.document import Block, Document, Items, Paragraph, Ref, Table, Text
from ...patterns import compiled
from ...registry import tool_named
from ..bench import Record
from .phrases import joined, table

MOST = 3
"""Rows and items that are told of each."""
_MOST_NAMES = 8
"""Names with a value each."""
_FIRST = ("operators", "energy.layers", "layers")
"""What most ask for."""
_TIMES, _ENERGIES = ("_ms", "cycles"), ("_uj",)
"""How the fields end that are taken of it."""
_PLAIN = str.maketrans("{}`|\n", "()'/ ")
"""A name out of a file is no reference, and ends no quotation and no cell."""
_KEY = compiled(r"\[(?!#)[^\]]*\]")


def document_of(record: Record) -> Document:
    """What every surface shows of the result."""
    tool = tool_named(record.name)
    return tool.describe(tool.result.model_validate(record.result))


def told(record: Record, *known: str) -> list[str]:
    """Its paragraphs, items and shares; its tables where none has shares.

    Args:
        known: fields that are told already.
    """
    blocks = [block for part in document_of(record).sections for block in part.blocks]
    blocks = [block for block in blocks if not (isinstance(block, Table) and _is_of(block, known))]
    blocks.sort(key=lambda block: not (isinstance(block, Table) and _is_of(block, _FIRST)))
    found = [line for block in blocks for line in _block(record, block)]
    tables = [block for block in blocks if isinstance(block, Table)]
    return found if any(map(_has_shares, tables)) else [*found, *(_table(record, block) for block in tables)]


def plain(name: str) -> str:
    """A name out of a file as words."""
    return name.translate(_PLAIN)


def _block(record: Record, block: Block) -> Iterator[str]:
    match block:
        case Paragraph():
            yield _said(record, block.text)
        case Items():
            yield from (f"- {_said(record, line)}." for line in block.lines[:MOST])
        case Table() if _has_shares(block):
            shares = sorted(_shares(record, block), key=lambda share: -share[0])
            shares = shares[: MOST if len(block.header) > 2 else None]
            if _is_of(block, _FIRST) and shares:
                first, *others = (f"`{words}` ({share})" for _, words, share in shares)
                what = "energy" if _is_of(block, ("energy",)) else "time"
                yield f"{first} takes the most {what}{f', then {joined(others)}' if others else ''}."
            else:
                each = joined(f"{words} {share}" for _, words, share in shares)
                yield f"{_said(record, block.header[0])}: {each}."


def _refs(block: Table) -> Iterator[tuple[int, Ref]]:
    """Each with its row."""
    yield from ((at, cell) for at, row in enumerate(block.rows) for cell in row if isinstance(cell, Ref))


def _is_of(block: Table, fields: tuple[str, ...]) -> bool:
    return any(ref.path.startswith(fields) for _, ref in _refs(block))


def _has_shares(block: Table) -> bool:
    return any(ref.unit == "%" for _, ref in _refs(block))


def _shares(record: Record, block: Table) -> Iterator[tuple[float, str, str]]:
    """Of each row that has a share: the share, what it is of, and the share as it is shown."""
    first = {at: ref for at, ref in reversed(list(_refs(block))) if ref.unit == "%"}
    for at, ref in sorted(first.items()):
        if (share := record.number(_path(ref, at))) is not None:
            name, *others = block.rows[at]
            numbered = isinstance(name, Ref) and name.path.endswith(".index")
            words = _said(record, name, at)
            words = f"layer {words} ({_said(record, others[0], at)})" if numbered else words
            what = _ENERGIES if _is_of(block, ("energy",)) else _TIMES
            figure = _figure(record, block, at, what) if _is_of(block, _FIRST) else ""
            yield share, words, f"{figure}{_said(record, ref, at)}"


def _figure(record: Record, block: Table, at: int, what: tuple[str, ...]) -> str:
    """The first figure of a row beside its share, which is of it."""
    for cell in block.rows[at][1:]:
        path = _path(cell, at) if isinstance(cell, Ref) else ""
        if path.endswith(what) and record.number(path) is not None:
            return f"{_said(record, cell, at)}{' cycles' if path.endswith('cycles') else ''}, "
    return ""


def _table(record: Record, block: Table) -> str:
    cells = [
        [_said(record, cell, at) for cell in row]
        for at, row in enumerate(block.rows[: MOST if len(block.header) > 2 else _MOST_NAMES])
    ]
    return table([_said(record, title) for title in block.header], cells)


def _said(record: Record, text: Text, row: int = 0) -> str:
    parts = text if isinstance(text, tuple) else (text,)
    return "".join(_part(record, part, row) if isinstance(part, Ref) else plain(str(part)) for part in parts)


def _part(record: Record, part: Ref, row: int) -> str:
    path = _path(part, row)
    if not record.knows(path):
        return part.absent or record.ref(path)
    return record.ref(path, f"{part.unit or ''}{'~' if part.interval else ''}")


def _path(part: Ref, row: int) -> str:
    """By the place of the row: its name may hold what ends a reference."""
    return _KEY.sub(f"[#{row}]", part.path)
