"""Reads `targets/*.yaml` and `runtimes/*.yaml` into their types, and says what is wrong with a file."""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from .compiled import compiled
from .errors import HardwareFileError, UnknownNameError, YamlPath, nearest
from .inheritance import whole
from .schema import Runtime, Target
from .user_files import Directories, directories, user_files
from .yaml_reader import Document, read_yaml

HERE = Path(__file__).parent
TARGETS_DIR = HERE / "targets"
RUNTIMES_DIR = HERE / "runtimes"
DIRECTORIES = {"target": TARGETS_DIR, "runtime": RUNTIMES_DIR}

Model = TypeVar("Model", bound=BaseModel)
Entry = TypeVar("Entry", Target, Runtime)


def load_target(target_id: str, where: Directories | None = None) -> Target:
    """The target with this id.

    Args:
        where: directories of the user's own files; None takes those in use.

    Raises:
        UnknownNameError: no file of that id (with the nearest ids).
        HardwareFileError: the file breaks the schema.
    """
    return target_in(*_file_of("target", target_id, where))


def load_runtime(runtime_id: str, where: Directories | None = None) -> Runtime:
    """The runtime with this id; as `load_target`."""
    return runtime_in(*_file_of("runtime", runtime_id, where))


def target_ids(where: Directories | None = None) -> tuple[str, ...]:
    """Ids of all targets, the user's among them, sorted."""
    return tuple(sorted({*shipped_ids("target"), *user_files("target", where)}))


def runtime_ids(where: Directories | None = None) -> tuple[str, ...]:
    """Ids of all runtimes, the user's among them, sorted."""
    return tuple(sorted({*shipped_ids("runtime"), *user_files("runtime", where)}))


@functools.cache
def shipped_ids(kind: str) -> tuple[str, ...]:
    """Ids of the targets or runtimes that come with the package, sorted."""
    return tuple(
        sorted(n.removesuffix(".yaml") for n in os.listdir(DIRECTORIES[kind]) if n.endswith(".yaml"))
    )


def read_target(path: Path, where: Directories | None = None) -> Target:
    """The target that a file describes; the file's name is the id.

    Args:
        where: the user's directories, for what the file extends; None takes those in use.

    Raises:
        HardwareFileError: with file, line, field and remedy.
    """
    return read_document(path, Target, where)[0]


def read_runtime(path: Path, where: Directories | None = None) -> Runtime:
    """The runtime that a file describes; as `read_target`."""
    return read_document(path, Runtime, where)[0]


def read_document(path: Path, model: type[Entry], where: Directories | None = None) -> tuple[Entry, Document]:
    """What a file describes, with the file as it was read; as `read_target`."""
    kind = "target" if model is Target else "runtime"
    document = whole(read_yaml(path), lambda name, heir: _base_of(kind, name, heir, where))
    return _named_as_its_file(validated(model, document), document), document


def validated(model: type[Model], document: Document) -> Model:
    """The document as a `model`; the first error becomes a HardwareFileError."""
    try:
        return model.model_validate(document.data)
    except ValidationError as error:
        raise _explained(model, error, document) from error


@functools.cache
def target_in(path: Path, where: Directories) -> Target:
    return compiled(path, Target) or read_target(path, where)


@functools.cache
def runtime_in(path: Path, where: Directories) -> Runtime:
    return compiled(path, Runtime) or read_runtime(path, where)


def _file_of(kind: str, identifier: str, where: Directories | None) -> tuple[Path, Directories]:
    """The file, and where what it extends is looked for: a shipped one extends shipped ones."""
    where = directories() if where is None else where
    own = user_files(kind, where).get(identifier)
    if own is not None:
        return own, where
    if identifier not in shipped_ids(kind):
        known = target_ids(where) if kind == "target" else runtime_ids(where)
        raise UnknownNameError(kind, identifier, nearest(identifier, known))
    return DIRECTORIES[kind] / f"{identifier}.yaml", ()


def _base_of(kind: str, identifier: str, heir: Path, where: Directories | None) -> Path:
    """The file that a heir extends: of its own id, the shipped one."""
    if identifier == heir.stem and identifier in shipped_ids(kind):
        return DIRECTORIES[kind] / f"{identifier}.yaml"
    try:
        return _file_of(kind, identifier, where)[0]
    except UnknownNameError as error:
        raise LookupError(", ".join(error.candidates) or "none") from None


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
    found = error.errors(include_url=False)
    first = min(found, key=lambda one: one["type"] != "extra_forbidden")
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
    schema = _schema(model)
    definitions = schema.get("$defs", {})
    here: Any = schema
    for part in at:
        here = _step(_resolved(here, definitions), part)
    return tuple(_resolved(here, definitions).get("properties", {}))


@functools.cache
def _schema(model: type[BaseModel]) -> dict[str, Any]:
    return model.model_json_schema(by_alias=True)


def _step(schema: Any, part: str | int) -> Any:
    if isinstance(part, int):
        return schema.get("items", {})
    return schema.get("properties", {}).get(part) or schema.get("additionalProperties") or {}


def _resolved(schema: Any, definitions: dict[str, Any]) -> Any:
    for option in (schema, *schema.get("anyOf", ())):
        if "$ref" in option:
            return definitions[option["$ref"].rpartition("/")[2]]
    return schema
