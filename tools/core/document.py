"""What a result says, before it becomes text: sections of paragraphs, tables, lists, code and drawings.

Every figure is a reference to a field of the result, so that each surface formats it in the same way and
nothing stands in a document that the result does not hold.
"""

from __future__ import annotations

import functools
import importlib.util
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from pydantic import BaseModel

from .paths import keys_of
from .records import dataclass, replace


@dataclass(frozen=True)
class Ref:
    """The figure or word at `path` of the result."""

    path: str
    unit: str | None = None
    """None: the one that reads best; empty: none, where a heading names it."""
    interval: bool = False
    basis: bool = False
    signed: bool = False
    absent: str = ""
    """What stands there for a figure that is not known."""


@dataclass(frozen=True)
class Bar:
    """A bar as long as the figure at `path` is of the one at `of`."""

    path: str
    of: str


Part: TypeAlias = str | Ref | Bar
Text: TypeAlias = Part | tuple[Part, ...]
"""Words are shown as they are: they may come out of a model file."""


@dataclass(frozen=True)
class Paragraph:
    text: Text


@dataclass(frozen=True)
class Items:
    lines: tuple[Text, ...]
    title: str = ""


@dataclass(frozen=True)
class Code:
    label: Text
    text: str
    whole: bool = False
    """A file, to be pasted as it is."""


@dataclass(frozen=True)
class Table:
    header: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...]
    spare: tuple[str, ...] = ()
    """Columns that a narrow screen leaves out, the first one first."""
    folded: str = ""
    """What to call a table that a page only shows when asked for."""


@dataclass(frozen=True)
class Column:
    """A field of a chart's rows, as the table behind the chart shows it."""

    field: str
    title: str
    unit: str = ""


@dataclass(frozen=True)
class Chart:
    """A Vega-Lite specification and the rows that it draws; each row holds figures in the columns' units."""

    name: str
    """Of a file that holds it."""
    spec: Mapping[str, Any]
    rows: tuple[Mapping[str, Any], ...]
    columns: tuple[Column, ...]
    choices: tuple[tuple[str, Mapping[str, str]], ...] = ()
    """What a reader may look at, the first at first, with words of the specification and what they stand
    for."""


@dataclass(frozen=True)
class Drawing:
    """An SVG, where there is room for one."""

    draw: Callable[[], str]
    caption: Text
    kind: str = ""
    """Class that the style sheet knows it by."""
    in_words: Text = ""
    """What it shows, where nothing can be drawn."""
    chart: Chart | None = None
    """The same to hover over, where a page has the library for it."""


Block: TypeAlias = Paragraph | Items | Code | Table | Drawing


@dataclass(frozen=True)
class Section:
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Document:
    """`subject` is what its references are resolved in."""

    subject: BaseModel | Mapping[str, Any]
    title: Text
    sections: tuple[Section, ...]
    verdict: Text = ""
    summary: tuple[Text, ...] = ()
    figures: tuple[tuple[str, Text], ...] = ()
    """The few that matter most, each with its name."""
    notes: tuple[Text, ...] = ()
    """What was assumed, and what to beware of."""
    footer: tuple[Text, ...] = ()


_HOLE = re.compile(r"\{(\+?)([^{}|~!:]+)(?:\|([^{}~!:]*))?(~?)(!?)(?::([^{}]*))?\}")


@functools.lru_cache(maxsize=1024)
def _template(template: str) -> tuple[Part, ...]:
    parts: list[Part] = []
    last = 0
    for hole in _HOLE.finditer(template):
        if hole.start() > last:
            parts.append(template[last : hole.start()])
        parts.append(_ref(*hole.groups()))
        last = hole.end()
    return (*parts, template[last:]) if last < len(template) or not parts else tuple(parts)


def _ref(sign: str, path: str, unit: str | None, interval: str, basis: str, absent: str | None) -> Ref:
    return Ref(path, unit, bool(interval), bool(basis), bool(sign), absent or "")


def text(template: str, at: str = "") -> Text:
    """References out of words: text("{latency_ms~!} on {deployment.target}").

    Args:
        template: `{path}` a field, `{path|unit}` in a unit, `{path|}` without one, `{+path}` with a
            plus, `{path~}` with its interval, `{path!}` with its basis, `{path:-}` with what stands for a
            figure that is not known. Never words of a model file.
        at: what the paths begin with, such as `layers[3]`.
    """
    parts = _template(template)
    found = tuple(_under(at, part) for part in parts) if at else parts
    return found[0] if len(found) == 1 else found


def _under(at: str, part: Part) -> Part:
    match part:
        case Ref():
            return replace(part, path=f"{at}.{part.path}")
        case Bar():
            return Bar(f"{at}.{part.path}", f"{at}.{part.of}")
        case _:
            return part


def within(at: str, blocks: Iterable[Block]) -> Iterator[Block]:
    """Blocks about a result, for a document about one that holds it at `at`."""
    for block in blocks:
        match block:
            case Paragraph():
                yield Paragraph(_moved(at, block.text))
            case Items():
                yield replace(block, lines=tuple(_moved(at, line) for line in block.lines))
            case Code():
                yield replace(block, label=_moved(at, block.label))
            case Table():
                rows = tuple(tuple(_moved(at, cell) for cell in row) for row in block.rows)
                yield replace(block, header=tuple(_moved(at, title) for title in block.header), rows=rows)
            case Drawing():
                yield replace(block, caption=_moved(at, block.caption), in_words=_moved(at, block.in_words))


def _moved(at: str, shown: Text) -> Text:
    return tuple(_under(at, part) for part in shown) if isinstance(shown, tuple) else _under(at, shown)


def joined(*texts: Text) -> Text:
    """One text out of several."""
    return tuple(
        part for each in texts for part in (each if isinstance(each, tuple) else (each,)) if part != ""
    )


Described: TypeAlias = tuple[str, str | Bar | Callable[[Any], Text]]
"""Title, and a template within the row, a bar from a field of the row, or a function of the row."""


def table_of(
    rows: Sequence[Any], at: str, *columns: Described, spare: tuple[str, ...] = (), folded: str = ""
) -> Table:
    """A row for each of `rows`, which stand at `at` in the result."""
    return Table(
        header=tuple(title for title, _ in columns),
        rows=tuple(
            tuple(_cell(cell, row, f"{at}[{key}]") for _, cell in columns)
            for key, row in zip(keys_of(rows), rows, strict=True)
        ),
        spare=spare,
        folded=folded,
    )  # fmt: skip


def _cell(cell: str | Bar | Callable[[Any], Text], row: Any, at: str) -> Text:
    match cell:
        case str():
            return text(cell, at)
        case Bar():
            return Bar(f"{at}.{cell.path}", cell.of)
        case _:
            return cell(row)


def figures(title: str, *rows: tuple[Text, Text]) -> Table:
    """Names with what they come to, of which plain words are a template."""
    return Table(
        (title, "Value"), tuple((name, text(cell) if isinstance(cell, str) else cell) for name, cell in rows)
    )


def place(deployment: Any, at: str = "deployment") -> Text:
    """`stm32h743zi with tflm-cmsis-nn at 480 MHz`."""
    batch = ", batch {batch}" if deployment.batch > 1 else ""
    return text(f"{{target}} with {{runtime}} at {{clock_mhz}}{batch}", at)


def notes(result: Any, *more: str, inside: Sequence[str] = ()) -> tuple[Text, ...]:
    """A reference to each warning and assumption, none twice.

    Args:
        result: what is described: a result, or several by their names.
        more: further fields of lines that are notes.
        inside: fields that hold results whose notes count as well.
    """
    parts = [] if isinstance(result, Mapping) else [(result, "", ("assumptions", "warnings", *more))]
    for name in inside:
        part = result[name] if isinstance(result, Mapping) else getattr(result, name)
        parts.append((part, f"{name}.", ("assumptions", "warnings")))
    lines: dict[str, Text] = {}
    for part, at, fields in parts:
        for name in fields:
            for n, line in enumerate(getattr(part, name)):
                lines.setdefault(line, Ref(f"{at}{name}[#{n}]"))
    return tuple(lines.values())


@functools.singledispatch
def described(result: BaseModel, **options: Any) -> Document:
    """Register with `@described.register` in the module `describe` beside the result's type."""
    name = f"{type(result).__module__}.{type(result).__name__}"
    raise TypeError(f"{name} has no document: no describe.py beside it takes it with {sorted(options)}.")


_missing = described.dispatch(object)


def is_described(result: BaseModel) -> bool:
    """Whether a module `describe` beside the result's type has its document; loads that module."""
    if described.dispatch(type(result)) is _missing:
        package = type(result).__module__.rpartition(".")[0]
        if package and importlib.util.find_spec(f"{package}.describe") is not None:
            importlib.import_module(f"{package}.describe")
    return described.dispatch(type(result)) is not _missing


def describe(result: BaseModel, **options: Any) -> Document:
    """The document of a result.

    Its function stands in the module `describe` beside the result's type, and is loaded on first use.
    """
    is_described(result)
    return described(result, **options)
