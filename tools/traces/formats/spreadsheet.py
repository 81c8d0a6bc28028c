"""The first sheet of an .xlsx as cells: a ZIP of XML, of which no more is unpacked than is said here.

ECMA-376: shared strings in xl/sharedStrings.xml, cells by their reference in xl/worksheets/sheet1.xml. It is
read for the workbook of Torq's annotate_profiling.py.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from xml.etree import ElementTree

from ....hardware_db.errors import InputError
from ..grid import grid_of_cells
from ..recording import Recording
from .torq_runtime import annotated

_MAGIC = b"PK\x03\x04"
_SHEET = re.compile(r"xl/worksheets/sheet\d{1,3}\.xml")
_STRINGS = "xl/sharedStrings.xml"
_MOST_BYTES = 64 << 20
_BROKEN = (
    zipfile.BadZipFile, zlib.error, ElementTree.ParseError, KeyError, EOFError, ValueError, OSError,
    NotImplementedError, RuntimeError, struct.error,
)  # fmt: skip
"""What zipfile raises for damaged archives, besides its own."""
_MOST_COLUMNS = 256
_SPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def read(data: bytes) -> Recording | None:
    if not data.startswith(_MAGIC):
        return None
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as book:
            sheet = min(filter(_SHEET.fullmatch, book.namelist()), default="")
            strings = _strings(book) if _STRINGS in book.namelist() else []
            cells = list(_rows(_parsed(book, sheet), strings)) if sheet else []
    except _BROKEN as error:
        raise InputError(
            "The workbook is broken or cut off.", hint="Save it anew; nothing of it was imported."
        ) from error
    return annotated(grid_of_cells(cells)) if cells else None


def _parsed(book: zipfile.ZipFile, name: str) -> ElementTree.Element:
    if book.getinfo(name).file_size > _MOST_BYTES:
        raise InputError(
            f"The workbook unpacks to more than {_MOST_BYTES >> 20} MiB.", hint="Save its first rows as CSV."
        )
    with book.open(name) as file:
        text = file.read(_MOST_BYTES + 1)
    if len(text) > _MOST_BYTES or b"<!DOCTYPE" in text[:4096] or b"<!ENTITY" in text:
        raise InputError("The workbook is none that a spreadsheet writes.", hint="Save it as CSV.")
    return ElementTree.fromstring(text)  # noqa: S314 - of bounded size, without entities


def _strings(book: zipfile.ZipFile) -> list[str]:
    return ["".join(part.text or "" for part in item.iter(f"{_SPACE}t")) for item in _parsed(book, _STRINGS)]


def _rows(sheet: ElementTree.Element, strings: list[str]) -> Iterator[list[str]]:
    for row in sheet.iter(f"{_SPACE}row"):
        cells: dict[int, str] = {}
        for cell in row.iter(f"{_SPACE}c"):
            at = _column(cell.get("r", ""))
            if at < _MOST_COLUMNS:
                cells[at] = _value(cell, strings)
        yield [cells.get(at, "") for at in range(max(cells, default=-1) + 1)]


def _column(reference: str) -> int:
    """0 for A7, 26 for AA7."""
    at = 0
    for letter in reference.rstrip("0123456789")[:4]:
        at = at * 26 + ord(letter.upper()) - ord("A") + 1
    return at - 1 if at > 0 else _MOST_COLUMNS


def _value(cell: ElementTree.Element, strings: list[str]) -> str:
    value = cell.findtext(f"{_SPACE}v") or "".join(part.text or "" for part in cell.iter(f"{_SPACE}t"))
    if cell.get("t") == "s":
        return strings[int(value)] if value.isdigit() and int(value) < len(strings) else ""
    return value
