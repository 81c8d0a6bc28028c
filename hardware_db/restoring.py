"""Models out of the JSON that they were written to, without validating again what was validated then.

The validators of a target and a runtime take longer to build than a command takes to compute.
"""

from __future__ import annotations

import datetime
import functools
from collections.abc import Callable, Hashable, Mapping
from enum import Enum
from types import NoneType, UnionType
from typing import Any, NamedTuple, TypeVar, Union, cast, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

Model = TypeVar("Model", bound=BaseModel)
Reader = Callable[[Any], Any]
_set = object.__setattr__
_UNCHANGING = (str, int, float, Enum, NoneType)


def restored(model: type[Model], fields: Mapping[str, Any]) -> Model:
    """The model that wrote `fields`, by alias and without defaults.

    It is what `model_construct` makes, which looks for the default and alias of each field anew each time.

    Raises:
        ValueError: a field is missing or unknown; likewise KeyError, TypeError and AttributeError come from
            damage, of which not all is noticed.
    """
    plan, required, known = _plan(model)
    if not required <= fields.keys() <= known:
        raise ValueError(f"{model.__name__} without {', '.join(required - fields.keys())}")
    values = {
        name: read(fields[key]) if key in fields else default() if default else value
        for name, key, read, value, default in plan
    }
    made = model.__new__(model)
    _set(made, "__dict__", values)
    _set(made, "__pydantic_fields_set__", {name for name, key, *_ in plan if key in fields})
    _set(made, "__pydantic_extra__", None)
    _set(made, "__pydantic_private__", None)
    return made


class _Field(NamedTuple):
    name: str
    key: str
    """Its alias, or its name."""
    read: Reader
    value: Any
    """Its default."""
    make: Callable[[], Any] | None
    """What makes the default anew, where that could be changed."""


@functools.cache
def _plan(model: type[BaseModel]) -> tuple[tuple[_Field, ...], frozenset[str], frozenset[str]]:
    """All fields in their order; the keys of those without a default, and of all."""
    plan = tuple(_planned(name, field) for name, field in model.model_fields.items())
    fields = model.model_fields
    required = frozenset(one.key for one in plan if fields[one.name].is_required())
    return plan, required, frozenset(one.key for one in plan)


def _planned(name: str, field: FieldInfo) -> _Field:
    plain = field.default_factory is None and (field.default == () or isinstance(field.default, _UNCHANGING))
    make = dict if field.default == {} else functools.partial(field.get_default, call_default_factory=True)
    read = _reader(cast(Hashable, field.annotation))
    return _Field(name, field.alias or name, read, field.default, None if plain else make)


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
