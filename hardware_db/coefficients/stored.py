"""Entries of a large object in a generated JSON document, each read when it is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

Value = TypeVar("Value")


class ReadByName(Mapping[str, Value]):
    """Names, and what makes the value of one, once."""

    def __init__(self, names: Iterable[str], read: Callable[[str], Value]) -> None:
        self._names, self._read, self._values = dict.fromkeys(names), read, dict[str, Value]()

    def __getitem__(self, name: str) -> Value:
        if name not in self._values:
            if name not in self._names:
                raise KeyError(name)
            self._values[name] = self._read(name)
        return self._values[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def object_in(document: bytes, field: str, read: Callable[[bytes], Value]) -> tuple[ReadByName[Value], bytes]:
    """The object of a field, and the document with an empty one in its place.

    The document has no blanks; the object has entries, all of them flat arrays or all flat objects.

    Raises:
        ValueError: no such field.
    """
    begin = document.index(f'"{field}":{{'.encode()) + len(f'"{field}":{{')
    value = document.index(b'":', begin) + len('":')
    open_, close = (b"[", b"]") if document[value : value + 1] == b"[" else (b"{", b"}")
    end = document.index(close + b"}", begin) + 1
    starts = re.compile(rb'"([^"]+)":' + re.escape(open_)).finditer(document, begin, end)
    at = {start[1].decode(): start.end() - 1 for start in starts}

    def read_at(name: str) -> Value:
        return read(document[at[name] : document.index(close, at[name]) + 1])

    return ReadByName(at, read_at), document[:begin] + document[end:]
