"""Reads `targets/*.yaml` and `runtimes/*.yaml` into their types, and says what is wrong with a file."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from .errors import HardwareFileError, UnknownNameError, nearest
from .schema import Runtime, Target
from .yaml_reader import Document, YamlPath, read_yaml

HERE = Path(__file__).parent
TARGETS_DIR = HERE / "targets"
RUNTIMES_DIR = HERE / "runtimes"

Model = TypeVar("Model", bound=BaseModel)
Entry = TypeVar("Entry", Target, Runtime)


@functools.cache
def load_target(target_id: str) -> Target:
    """The target with this id.

    Raises:
        UnknownNameError: no file of that id (with the nearest ids).
        HardwareFileError: the file breaks the schema.
    """
    return read_target(_file_of("target", target_id, TARGETS_DIR))


@functools.cache
def load_runtime(runtime_id: str) -> Runtime:
    """The runtime with this id; raises as `load_target` does."""
    return read_runtime(_file_of("runtime", runtime_id, RUNTIMES_DIR))


def target_ids() -> tuple[str, ...]:
    """Ids of all targets, sorted."""
    return _ids_in(TARGETS_DIR)


def runtime_ids() -> tuple[str, ...]:
    """Ids of all runtimes, sorted."""
    return _ids_in(RUNTIMES_DIR)


def read_target(path: Path) -> Target:
    """The target that a file describes; the file's name is the id.

    Raises:
        HardwareFileError: with file, line, field and remedy.
    """
    return read_document(path, Target)[0]


def read_runtime(path: Path) -> Runtime:
    """The runtime that a file describes; raises as `read_target` does."""
    return read_document(path, Runtime)[0]


def read_document(path: Path, model: type[Entry]) -> tuple[Entry, Document]:
    """What a file describes, with the file as it was read; raises as `read_target` does."""
    document = read_yaml(path)
    return _named_as_its_file(validated(model, document), document), document


def validated(model: type[Model], document: Document) -> Model:
    """The document as a `model`; the first error becomes a HardwareFileError."""
    try:
        return model.model_validate(document.data)
    except ValidationError as error:
        raise _explained(model, error, document) from error


def _ids_in(directory: Path) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in directory.glob("*.yaml")))


def _file_of(kind: str, identifier: str, directory: Path) -> Path:
    known = _ids_in(directory)
    if identifier not in known:
        raise UnknownNameError(kind, identifier, nearest(identifier, known))
    return directory / f"{identifier}.yaml"


def _named_as_its_file(entry: Entry, document: Document) -> Entry:
    if entry.id == document.path.stem:
        return entry
    raise HardwareFileError(
        f"{entry.id!r} is not the file's name",
        file=document.path,
        line=document.line_of(("id",)),
        field="id",
        hint=f"Write {document.path.stem!r} or rename the file to {entry.id}.yaml.",
    )


def _explained(model: type[BaseModel], error: ValidationError, document: Document) -> HardwareFileError:
    first = error.errors(include_url=False)[0]
    at: YamlPath = tuple(part for part in first["loc"] if part != "[key]")
    return HardwareFileError(
        _problem(first["type"], first["msg"], first["input"]),
        file=document.path,
        line=document.line_of(at),
        field=".".join(str(part) for part in at),
        hint=_remedy(model, first["type"], at),
    )


def _problem(kind: str, message: str, given: Any) -> str:
    match kind:
        case "extra_forbidden":
            return "unknown field"
        case "missing":
            return "missing"
        case _ if isinstance(given, str):
            return f"{given!r:.80}: {message[0].lower()}{message[1:]}"
        case _:
            return f"{message[0].lower()}{message[1:]}"


def _remedy(model: type[BaseModel], kind: str, at: YamlPath) -> str:
    match kind:
        case "extra_forbidden":
            known = _fields_at(model, at[:-1])
            close = nearest(str(at[-1]), known, 1)
            allowed = f"Fields here: {', '.join(known)}." if known else "Remove it."
            return f"Did you mean {close[0]!r}? {allowed}" if close else allowed
        case "missing":
            return "Add it; a leaf is {value, unit, source, locator}."
        case _:
            return "Give a value of that form."


def _fields_at(model: type[BaseModel], at: YamlPath) -> tuple[str, ...]:
    """Field names of the model that stands at `at`, as the file spells them."""
    schema = model.model_json_schema(by_alias=True)
    definitions = schema.get("$defs", {})
    here: Any = schema
    for part in at:
        here = _step(_resolved(here, definitions), part)
    return tuple(_resolved(here, definitions).get("properties", {}))


def _step(schema: Any, part: str | int) -> Any:
    if isinstance(part, int):
        return schema.get("items", {})
    return schema.get("properties", {}).get(part) or schema.get("additionalProperties") or {}


def _resolved(schema: Any, definitions: dict[str, Any]) -> Any:
    for option in (schema, *schema.get("anyOf", ())):
        if "$ref" in option:
            return definitions[option["$ref"].rpartition("/")[2]]
    return schema
