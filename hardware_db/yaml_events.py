"""Maps, lists and plain text out of the events of a YAML file.

Only events are consumed, never composed nodes, so that nesting costs no stack. Scalars stay text until
the schema types them: `no` is not false and `1.10` not a number before a field says so.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from .errors import HardwareFileError, YamlPath

MAX_DEPTH = 16

_NULLS = frozenset({"", "~", "null"})
_Events: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def data_in(path: Path, text: str, lines: dict[YamlPath, int]) -> Any:
    """What the text says; `lines` takes the line of every field. Raises as `read_yaml` does."""
    try:
        return _Builder(path, _Events(text), lines).document()
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise HardwareFileError(
            f"not YAML: {error.problem}", file=path, line=line, hint="Mend the syntax at that line."
        ) from error
    except yaml.YAMLError as error:
        raise HardwareFileError(
            "not YAML: it holds characters that YAML does not allow",
            file=path,
            hint="Save it as plain UTF-8.",
        ) from error


class _Builder:
    def __init__(self, path: Path, events: Any, lines: dict[YamlPath, int]) -> None:
        self._path = path
        self._events = events
        self._lines = lines

    def document(self) -> Any:
        self._events.get_event()
        start = self._events.get_event()
        if isinstance(start, yaml.StreamEndEvent):
            raise HardwareFileError("empty", file=self._path, hint="Describe a target or a runtime in it.")
        data = self._value(self._events.get_event(), ())
        self._events.get_event()
        rest = self._events.get_event()
        if not isinstance(rest, yaml.StreamEndEvent):
            self._refuse(rest, (), "a second document", "Put it in a file of its own.")
        return data

    def _value(self, event: Any, at: YamlPath) -> Any:
        self._lines[at] = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            self._refuse(event, at, "an anchor or alias", "Write the value out.")
        if event.tag is not None:
            self._refuse(event, at, f"the tag {event.tag!r}", "Remove the tag; the schema knows the type.")
        if len(at) > MAX_DEPTH:
            self._refuse(
                event, at[:2], f"nesting deeper than {MAX_DEPTH}", "See an existing file for the form."
            )
        match event:
            case yaml.ScalarEvent():
                return None if not event.style and event.value in _NULLS else event.value
            case yaml.SequenceStartEvent():
                return self._sequence(at)
            case _:
                return self._mapping(at)

    def _sequence(self, at: YamlPath) -> list[Any]:
        items: list[Any] = []
        while not isinstance(event := self._events.get_event(), yaml.SequenceEndEvent):
            items.append(self._value(event, (*at, len(items))))
        return items

    def _mapping(self, at: YamlPath) -> dict[str, Any]:
        pairs: dict[str, Any] = {}
        while not isinstance(event := self._events.get_event(), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                self._refuse(event, at, "a key that is not plain text", "Use a field's name as the key.")
            key = self._value(event, (*at, ""))
            name = "" if key is None else str(key)
            if name in pairs:
                self._refuse(event, (*at, name), "a key given twice", "Keep one of the two.")
            value = self._events.get_event()
            self._lines[*at, name] = event.start_mark.line + 1
            pairs[name] = self._value(value, (*at, name))
        return pairs

    def _refuse(self, event: Any, at: YamlPath, what: str, remedy: str) -> None:
        field_name = ".".join(str(part) for part in at)
        raise HardwareFileError(
            f"holds {what}, which is not allowed here",
            file=self._path,
            line=event.start_mark.line + 1,
            field=field_name,
            hint=remedy,
        )
