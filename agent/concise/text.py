"""Records of functions as text: a line `path: value` a figure, a table a list of rows.

What stands left of a value is what a reference is written with: `{{r1.latency_ms}}`,
`{{r1.checks[ram].demand}}`. Rows that were left out are counted, and can be referred to all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...tools.core.numbers import written
from ...tools.core.paths import PathError, Value, key_of, resolve
from ...tools.core.records import dataclass, replace
from ..answer import ToolCallRecord
from ..tokens import estimated_tokens
from .fields import BRIEF, SHOWN, Rows, Shown

LONGEST_TOKENS = 4_000
_FEW_RECORDS = 4
"""From more on, each is shown in its main figures."""
_SHRINKING = (1.0, 0.5, 0.25, 0.1, 0.0)
_FULL_ROWS = 12
"""Times as many rows as in short."""
_LONGEST_TEXT, _FULL_TEXT = 240, 1_000
_MOST_NOTES = 3
_LONGEST_CELL = 110
_COMMON = frozenset(
    {"schema_version", "model", "deployment", "deployments", "assumptions", "warnings", "sha256"}
)
_COLUMN = " | "


def shown(records: Sequence[ToolCallRecord], *, full: bool = False) -> str:
    """What a chat model reads of them, in at most some `LONGEST_TOKENS` tokens."""
    text = ""
    for scale in _SHRINKING:
        text = "\n".join(_parts(records, _Size(full, scale * (_FULL_ROWS if full else 1))))
        if estimated_tokens(text) <= LONGEST_TOKENS:
            return text
    kept = len(text) * LONGEST_TOKENS // estimated_tokens(text)
    return f"{text[: kept * 9 // 10]}\n… cut"


@dataclass(frozen=True)
class _Size:
    full: bool
    rows: float

    def most(self, rows: Rows) -> int:
        return max(1, round(rows.most * self.rows)) if rows.most else 40 * self.full

    @property
    def longest_text(self) -> int:
        return _FULL_TEXT if self.full else _LONGEST_TEXT


def _parts(records: Sequence[ToolCallRecord], size: _Size) -> Iterator[str]:
    ran = [record for record in records if record["result"] is not None]
    is_brief = len(ran) > _FEW_RECORDS and not size.full
    before = ""
    for record in ran:
        about = _about(record)
        yield from (_brief if is_brief else _whole)(record, size, "" if about and about == before else about)
        before = about
    failed = {record["error"]: record for record in records if record["result"] is None}
    for error, record in failed.items():
        yield f"failed {record['name']}: {error}"
    yield from _notes([record["result"] or {} for record in ran], size)


def _whole(record: ToolCallRecord, size: _Size, about: str) -> Iterator[str]:
    result = _shown(record)
    yield f"{record['id']} {record['name']} {about}".rstrip()
    known = SHOWN.get(record["name"])
    fields = known if known is not None else tuple(_found(result))
    if size.full and known is not None:
        fields = (*known, *(field for field in _found(result) if not _is_in(field, known)))
    for field in fields:
        yield from _lines(field, result, size)


def _brief(record: ToolCallRecord, size: _Size, about: str) -> Iterator[str]:
    """One line."""
    if record["name"] not in BRIEF:
        yield from _whole(record, size, about)
        return
    lines = [
        line
        for field in BRIEF[record["name"]]
        for line in _lines(field, _shown(record, brief=True), size, flat=True)
    ]
    head = f"{record['id']} {record['name']} {about}".rstrip()
    yield f"{head}: {'; '.join(lines)}"


def _about(record: ToolCallRecord) -> str:
    """What it is about; empty where that needs no words."""
    result = record["result"] or {}
    place = result.get("deployment")
    model = result.get("model") or result.get("name") or record["arguments"].get("model")
    about = [str(model)] if isinstance(model, str) else []
    if isinstance(place, Mapping):
        about += [f"{place['target']}/{place['runtime']}", f"{place['clock_mhz']:g} MHz"]
        about += [f"{name} {place[name]}" for name in ("batch", "threads") if place.get(name, 1) != 1]
    elif record["name"] == "compare_deployments":
        given = record["arguments"]
        about += [f"{name} {given[name]}" for name in ("clock_mhz", "batch", "threads") if name in given]
    return " · ".join(about)


def _shown(record: ToolCallRecord, *, brief: bool = False) -> Mapping[str, Any]:
    """The result, with names in place of positions, and without sentences on limits that are met.

    In brief only what cannot be judged says why: of the rest the figures do.
    """
    result = record["result"] or {}
    if record["name"] == "estimate_performance" and result["deployment"]["batch"] == 1:
        return {**result, "per_image_ms": None}
    if record["name"] == "check_constraints":
        checks = [_shown_check(row, brief=brief) for row in result["checks"]]
        return {**result, "checks": checks}
    if record["name"] != "compare_deployments":
        return result
    places = [f"{place['target']}/{place['runtime']}" for place in result["deployments"]]
    named = [
        {
            **row,
            "winner": "none" if row["winner"] is None else places[row["winner"]],
            "tied_with": [places[at] for at in row["tied_with"]],
        }
        for row in result["differences"]
    ]
    causes = [{**row, "place": places[row["deployment"]]} for row in result["causes"]]
    return {**result, "differences": named, "causes": causes}


def _lines(field: str | Rows, result: Mapping[str, Any], size: _Size, *, flat: bool = False) -> Iterator[str]:
    match field:
        case str():
            for path in field.split():
                yield from _line(path, result, size)
        case Rows() if "[*]" in field.path:
            yield from _inner(field, result, size)
        case Rows():
            yield from _table(field, result, size, flat=flat)


def _line(path: str, result: Mapping[str, Any], size: _Size) -> Iterator[str]:
    node = _node(path, result)
    if isinstance(node, Mapping) and node and all(isinstance(text, str) for text in node.values()):
        yield from (f"{path}[{name}]:\n{text}" for name, text in node.items())
    elif not _is_nothing(node) and (text := _text(path, result, size, whole=True)):
        yield f"{path}: {text}"


def _table(rows: Rows, result: Mapping[str, Any], size: _Size, *, flat: bool = False) -> Iterator[str]:
    found = _node(rows.path, result)
    if not isinstance(found, Sequence) or isinstance(found, str) or not found:
        return
    chosen = [at for at, row in enumerate(found) if isinstance(row, Mapping) and _is_wanted(row, rows.only)]
    if rows.only == "alone" and len(found) > 1:
        return
    if rows.by:
        chosen.sort(key=lambda at: -_size(found[at].get(rows.by)))
    kept = chosen[: size.most(rows)]
    columns = rows.columns.format_map(_Texts(result)).split()
    cells = [[_text(column, found[at], size) for column in columns] for at in kept]
    used = [n for n in range(len(columns)) if any(row[n] for row in cells)]
    names = [f"[{key_of(found, at)}]" for at in kept]
    if flat:
        wanted = [n for n, row in enumerate(cells) if names[n] != "[operators]" or row[0] != "PASS"]
        names, cells = [names[n] for n in wanted], [cells[n] for n in wanted]
        yield from (
            f"{rows.path}{name} {' '.join(f'{columns[n]} {row[n]}' for n in used if row[n])}"
            for name, row in zip(names, cells, strict=True)
        )
        return
    same = [n for n in used if len(cells) > 1 and len({row[n] for row in cells}) == 1]
    if used and len(same) == len(used):
        kept_names = ", ".join(name.strip("[]") for name in names)
        common = ", ".join(f"{columns[n]} {cells[0][n]}" for n in same)
        yield f"{rows.path}[{kept_names}] ({len(kept)} of {len(found)}), each: {common}"
        return
    used = [n for n in used if n not in same]
    counted = "" if len(kept) == len(found) else f" ({len(kept)} of {len(found)})"
    everywhere = "".join(f"; all {columns[n]} {cells[0][n]}" for n in same)
    if kept:
        yield f"{rows.path}{counted}: {_COLUMN.join(columns[n] for n in used)}{everywhere}"
    for name, row in zip(names, cells, strict=True):
        yield f"{name} {_COLUMN.join(row[n] or '-' for n in used)}".rstrip()


def _inner(rows: Rows, result: Mapping[str, Any], size: _Size) -> Iterator[str]:
    """Rows of rows, those of the first few."""
    outer, _, inner = rows.path.partition("[*].")
    parents = _node(outer, result) or ()
    for at, parent in enumerate(parents[:5]):
        path = f"{outer}[{key_of(parents, at)}].{inner}"
        if parent.get(inner):
            yield from _table(replace(rows, path=path), result, size)


def _shown_check(row: Mapping[str, Any], *, brief: bool) -> Mapping[str, Any]:
    needs_none = row["verdict"] != "UNKNOWN" if brief else row["verdict"] == "PASS"
    met = {"statement": ""} if needs_none else {}
    counted = {"unit": "count"} if row["name"] == "operators" else {}
    return {**row, **met, **counted}


class _Texts(dict[str, str]):
    """What a field name in braces stands for."""

    def __init__(self, result: Mapping[str, Any]) -> None:
        super().__init__({name: value for name, value in result.items() if isinstance(value, str)})


def _text(path: str, of: Mapping[str, Any], size: _Size, *, whole: bool = False) -> str:
    """The figure, `whole` with interval and basis; empty where the result does not say."""
    node = _node(path, of)
    if _is_nothing(node):
        return ""
    try:
        value: Value = resolve(path, of)
        text = written(value, interval=whole, basis=whole)
    except PathError:
        text = "; ".join(map(_plain, node)) if isinstance(node, Sequence) else ""
    longest = size.longest_text if whole or size.full else _LONGEST_CELL
    text = " ".join(text.split())
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _plain(value: Any) -> str:
    return str(value) if not isinstance(value, Mapping) else ", ".join(f"{k} {v}" for k, v in value.items())


def _node(path: str, of: Any) -> Any:
    """What stands at a path, None where nothing does."""
    node = of
    for step in path.replace("[", ".[").split("."):
        if step.startswith("["):
            position = step[1:-1]
            rows = node if isinstance(node, list | tuple) else ()
            keys = {f"#{at}": at for at in range(len(rows))} | {
                key_of(rows, at): at for at in range(len(rows))
            }
            node = rows[keys[position]] if position in keys else None
        else:
            node = node.get(step) if isinstance(node, Mapping) else None
        if node is None:
            return None
    return node


def _is_nothing(node: Any) -> bool:
    return node is None or (isinstance(node, str | list | tuple | dict) and not node)


def _is_wanted(row: Mapping[str, Any], only: str) -> bool:
    match only:
        case "applicable":
            return bool(row.get("applicable"))
        case "problem":
            return row.get("supported") is not True or row.get("optimized") is not True
    return True


def _size(value: Any) -> float:
    value = value.get("value") if isinstance(value, Mapping) else value
    return float(value) if isinstance(value, int | float) else 0.0


def _found(result: Mapping[str, Any]) -> Iterator[str | Rows]:
    """Every field of a result, for functions that have no list of their own."""
    for name, node in result.items():
        if name in _COMMON or name.endswith("_untrusted"):
            continue
        rows = node if isinstance(node, list | tuple) else ()
        if rows and isinstance(rows[0], Mapping):
            columns = [key for key, value in rows[0].items() if _is_column(key, value)]
            yield Rows(name, " ".join(columns[:8]))
        elif isinstance(node, Mapping) and "value" not in node:
            yield " ".join(f"{name}.{key}" for key, value in node.items() if _is_column(key, value))
        else:
            yield name


def _is_column(key: str, value: Any) -> bool:
    is_figure = isinstance(value, Mapping) and "unit" in value
    return not key.endswith("_untrusted") and (is_figure or not isinstance(value, Mapping | list))


def _is_in(field: str | Rows, known: Shown) -> bool:
    name = field.path if isinstance(field, Rows) else field.partition(" ")[0].partition(".")[0]
    paths = [path for each in known for path in ([each.path] if isinstance(each, Rows) else each.split())]
    return any(path.partition(".")[0].partition("[")[0] == name for path in paths)


def _notes(results: Sequence[Mapping[str, Any]], size: _Size) -> Iterator[str]:
    """What the results assume and warn of, each once."""
    for name, label in (("warnings", "warning"), ("assumptions", "assumed")):
        notes = list(dict.fromkeys(str(note) for result in results for note in result.get(name) or ()))
        most = len(notes) if size.full else _MOST_NOTES
        cut = [note if len(note) <= size.longest_text else f"{note[: size.longest_text]}…" for note in notes]
        if cut:
            more = f"; {len(cut) - most} more" if len(cut) > most else ""
            yield f"{label}: {'; '.join(cut[:most])}{more}"
