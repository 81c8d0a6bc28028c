"""The names that `edgewright.tools` exports, as they were last agreed upon: kinds, signatures, fields, schemas.

Refresh the listing, after a look at the difference: `pytest tests/house/test_public_api.py --update-snapshots`.
"""

import ast
import difflib
import enum
import inspect
import re
import sys
import types
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from edgewright import tools
from edgewright.agent.registry import TOOLS

LISTING = Path(__file__).parent / "public_api.txt"
HARDWARE = "edgewright.hardware_db.schema", "edgewright.hardware_db.runtime_schema"
"""Described by schemas of their own, which every new fact extends."""
_MODULE = re.compile(r"\b(?:edgewright|typing|collections|pathlib|os)\.(?:\w+\.)*(?=\w)")


def text_of(annotation: object) -> str:
    """An annotation without the modules in which its types happen to live."""
    text = (
        annotation.__name__
        if isinstance(annotation, type) and not typing.get_args(annotation)
        else str(annotation)
    )
    return _MODULE.sub("", text)


def function_lines(name: str, function: Callable[..., Any]) -> Iterator[str]:
    signature = inspect.signature(function)
    yield f"function {name} -> {_annotated(signature.return_annotation)}"
    for parameter in signature.parameters.values():
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        kind = {parameter.KEYWORD_ONLY: "keyword ", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        yield f"    {kind}{parameter.name}: {_annotated(parameter.annotation)}{default}"


def _annotated(annotation: object) -> str:
    return _MODULE.sub("", annotation) if isinstance(annotation, str) else text_of(annotation)


def type_lines(name: str, kind: type) -> Iterator[str]:
    bases = ", ".join(base.__name__ for base in kind.__bases__)
    yield f"{'enum' if issubclass(kind, enum.Enum) else 'type'} {name}({bases})"
    if issubclass(kind, enum.Enum):
        yield from (f"    {member.name} = {member.value!r}" for member in kind)
        return
    if kind.__module__.startswith(HARDWARE):
        return
    if issubclass(kind, BaseModel):
        yield from model_lines(kind)
    yield from (f"    {line}" for line in _members(kind))


def model_lines(kind: type[BaseModel]) -> Iterator[str]:
    """Each field with its name in JSON where that differs, its type, and whether it must be given."""
    types_alone = typing.get_type_hints(kind)  # without what validates them
    for name, field in kind.model_fields.items():
        alias = (
            f" (JSON: {field.serialization_alias})" if field.serialization_alias not in (None, name) else ""
        )
        needed = "" if field.is_required() else " = …"
        yield f"    {name}{alias}: {text_of(types_alone[name])}{needed}"
    for name, computed in kind.model_computed_fields.items():
        yield f"    {name} (computed, JSON: {computed.alias or name}): {text_of(computed.return_type)}"


def _members(kind: type) -> list[str]:
    """Public methods and properties that the class itself defines, not those of pydantic."""
    return [
        f"{name}: property" if isinstance(value, property) else f"{name}()"
        for name, value in sorted(vars(kind).items())
        if not name.startswith(("_", "model_"))
        and isinstance(value, types.FunctionType | classmethod | staticmethod | property)
    ]


def result_types() -> dict[str, type[BaseModel]]:
    """Every pydantic type that a public function returns, and what those are made of, hardware entries apart."""
    found: dict[str, type[BaseModel]] = {}
    left: list[object] = [_returned(getattr(tools, name)) for name in tools.__all__]
    while left:
        annotation = left.pop()
        left.extend(typing.get_args(annotation))
        if not (inspect.isclass(annotation) and issubclass(annotation, BaseModel)):
            continue
        if annotation.__name__ not in found and not annotation.__module__.startswith(HARDWARE):
            found[annotation.__name__] = annotation
            left.extend(field.annotation for field in annotation.model_fields.values())
    return found


def _returned(value: object) -> object:
    """What a function returns, though its module may import that type for type checkers alone."""
    if not inspect.isfunction(value):
        return value
    module = sys.modules[value.__module__]
    guarded = [
        inner
        for node in ast.parse(inspect.getsource(module)).body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in node.body
    ]
    known = dict(vars(module))
    exec(compile(ast.Module(guarded, []), str(module.__file__), "exec"), known)
    return eval(str(inspect.signature(value).return_annotation), known)


def listing() -> str:
    lines: list[str] = []
    for name in sorted(tools.__all__):
        value = getattr(tools, name)
        lines += function_lines(name, value) if inspect.isfunction(value) else type_lines(name, value)
    results = result_types()
    for name in sorted(results.keys() - set(tools.__all__)):
        lines += [f"result {name}", *model_lines(results[name])]
    return "\n".join(lines) + "\n"


def test_the_public_names_are_those_agreed_upon(update_snapshots: bool) -> None:
    now = listing()
    if update_snapshots:
        LISTING.write_text(now)
        return
    difference = difflib.unified_diff(
        LISTING.read_text().split("\n"), now.split("\n"), "stored", "now", lineterm=""
    )
    if text := "\n".join(difference):
        pytest.fail(text, pytrace=False)


def test_no_public_type_shows_in_which_module_it_lives() -> None:
    assert "edgewright." not in listing()


def test_the_json_schema_of_a_result_names_all_its_fields() -> None:
    for name, kind in result_types().items():
        schema = kind.model_json_schema(mode="serialization")
        assert schema["title"] == name
        given = {
            field.serialization_alias or key for key, field in kind.model_fields.items() if not field.exclude
        }
        computed = {field.alias or key for key, field in kind.model_computed_fields.items()}
        assert schema.get("properties", {}).keys() == given | computed, name


def test_every_field_of_a_result_says_what_it_means_and_figures_their_unit() -> None:
    for name, kind in result_types().items():
        for field, described in kind.model_json_schema(mode="serialization").get("properties", {}).items():
            assert described.get("description"), f"{name}.{field}"
            if re.search(r"_(ms|bytes|uj|mw|mhz|usd|hz)$", field) and described.get("type") != "boolean":
                assert described.get("unit"), f"{name}.{field}"


def test_every_argument_of_a_tool_is_described() -> None:
    bare = [
        f"{tool.function}.{name}"
        for tool in TOOLS
        for name, field in tool.arguments.model_fields.items()
        if not (field.description or "").strip()
    ]
    assert bare == []


def test_what_a_function_returns_can_be_imported_by_name() -> None:
    returned = {
        kind.__name__
        for name in tools.__all__
        if inspect.isfunction(function := getattr(tools, name))
        for kind in _types_in(_returned(function))
    }
    assert returned <= set(tools.__all__)


def _types_in(annotation: object) -> Iterator[type]:
    inner = typing.get_args(annotation)
    for each in inner:
        yield from _types_in(each)
    if not inner and inspect.isclass(annotation) and annotation.__module__.startswith("edgewright"):
        yield annotation


def test_names_are_listed_once_and_all_of_them_resolve() -> None:
    assert len(set(tools.__all__)) == len(tools.__all__)
    assert set(tools.__all__) == set(tools._MODULES)
