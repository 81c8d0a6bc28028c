"""Models out of the JSON that they were written to, without validating again what was validated then.

The validators of a target and a runtime take longer to build than a command takes to compute.
"""

from __future__ import annotations

import datetime
import functools
from collections.abc import Callable, Hashable, Mapping
from enum import Enum
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin

from pydantic import BaseModel

Model = TypeVar("Model", bound=BaseModel)
Reader = Callable[[Any], Any]


def restored(model: type[Model], fields: Mapping[str, Any]) -> Model:
    """The model that wrote `fields`, by alias and without defaults.

    Raises:
        ValueError: a field is missing; likewise KeyError, TypeError and AttributeError come from damage, of
            which not all is noticed.
    """
    readers, required = _readers(model)
    if not fields.keys() >= required:
        raise ValueError(f"{model.__name__} without {', '.join(required - fields.keys())}")
    return model.model_construct(**{key: readers[key](value) for key, value in fields.items()})


@functools.cache
def _readers(model: type[BaseModel]) -> tuple[dict[str, Reader], frozenset[str]]:
    """By alias, what makes the value of a field; and which fields have no default."""
    fields = {field.alias or name: field for name, field in model.model_fields.items()}
    required = frozenset(name for name, field in fields.items() if field.is_required())
    return {name: _reader(cast(Hashable, field.annotation)) for name, field in fields.items()}, required


@functools.cache
def _reader(kind: Any) -> Reader:
    match get_origin(kind), get_args(kind):
        case None, _:
            return _plain_reader(kind)
        case origin, arguments if origin is tuple:
            item = _reader(arguments[0])
            return tuple if item is _same else lambda items: tuple(item(one) for one in items)
        case origin, (key, value) if origin is dict:
            of_key, of_value = _reader(key), _reader(value)
            return lambda pairs: {of_key(name): of_value(one) for name, one in pairs.items()}
        case origin, arguments if origin in (Union, UnionType) and NoneType in arguments:
            some = next(part for part in arguments if part is not NoneType)
            of_some = _reader(some)
            return lambda value: None if value is None else of_some(value)
        case _:
            return _same


def _plain_reader(kind: Any) -> Reader:
    if kind is int or kind is float:
        return kind
    if kind is datetime.date:
        return datetime.date.fromisoformat
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return functools.partial(restored, kind)
    return kind if isinstance(kind, type) and issubclass(kind, Enum) else _same


def _same(value: Any) -> Any:
    return value
