"""`dataclass` and `replace` of the standard library, at a fifth of what they cost a frozen class.

The standard library compiles six functions for a frozen class whenever its module is imported; those of a
hundred classes were a fifth of a whole command. Here `__init__` alone is compiled, the others are shared.
"""

from __future__ import annotations

import dataclasses
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn

from ...hardware_db.written_code import CODE

if TYPE_CHECKING:
    from dataclasses import dataclass, replace
else:

    def dataclass(
        cls: type[Any] | None = None, /, *, frozen: bool = False, eq: bool = True, repr: bool = True
    ) -> Any:
        """As `dataclasses.dataclass`; what it is given beside these, that has to be taken from there."""
        if cls is None:
            return lambda made: dataclass(made, frozen=frozen, eq=eq, repr=repr)
        if not frozen:
            return dataclasses.dataclass(cls, eq=eq, repr=repr)
        return _frozen(cls, eq, repr)

    def replace(record: Any, /, **changes: Any) -> Any:
        """As `dataclasses.replace`, which asks a class for its fields each time and checks them anew."""
        copied = vars(type(record)).get(_COPIED)
        if copied is None:
            return dataclasses.replace(record, **changes)
        names, values = copied
        fields = dict(zip(names, values(record), strict=True)) | changes
        if len(fields) != len(names):
            raise TypeError(f"{type(record).__name__} has no field {(changes.keys() - set(names)).pop()!r}")
        made = object.__new__(type(record))
        object.__setattr__(made, "__dict__", fields)
        return made


__all__ = ["dataclass", "replace"]

_NOT_GIVEN = object()
_COPIED = "_copied"
"""The names of all fields and what reads them, in a class of which a copy of them is a whole record."""


def _frozen(cls: type[Any], eq: bool, repr: bool) -> type[Any]:
    cls.__doc__ = cls.__doc__ or f"{cls.__name__}."  # else dataclasses derives a signature
    cls = dataclasses.dataclass(init=False, repr=False, eq=False)(cls)
    fields = dataclasses.fields(cls)
    methods: dict[str, Any] = {
        "__init__": _init(cls, fields),
        "__setattr__": _refuse_to_set,
        "__delattr__": _refuse_to_delete,
    }
    if eq:
        compared = [field.name for field in fields if field.compare] or ["__class__"]
        methods |= {"_compared": staticmethod(attrgetter(*compared)), "__eq__": _eq, "__hash__": _hash}
    if repr:
        methods["__repr__"] = _repr
    if len(fields) > 1 and all(field.init for field in fields) and not hasattr(cls, "__post_init__"):
        names = [field.name for field in fields]
        methods[_COPIED] = names, attrgetter(*names)
    for name, method in methods.items():
        if vars(cls).get(name) is None:  # a class that defines __eq__ has None for __hash__
            setattr(cls, name, method)
    return cls


def _init(cls: type[Any], fields: tuple[dataclasses.Field[Any], ...]) -> Any:
    """The one function that depends on the class so much that a shared one would be slow."""
    known: dict[str, Any] = {"_set": object.__setattr__, "_NOT_GIVEN": _NOT_GIVEN}
    parameters, lines = [], ["pass"]
    for field in sorted(fields, key=lambda field: bool(field.kw_only)):
        name, value = field.name, field.name
        if field.default_factory is not dataclasses.MISSING:
            known[f"_make_{name}"] = field.default_factory
            value = f"_make_{name}() if {name} is _NOT_GIVEN else {name}" if field.init else f"_make_{name}()"
            parameter = f"{name}=_NOT_GIVEN"
        elif field.default is not dataclasses.MISSING:
            known[f"_default_{name}"] = field.default
            parameter = f"{name}=_default_{name}"
        else:
            parameter = name
        if field.init:
            if field.kw_only and "*" not in parameters:
                parameters.append("*")
            parameters.append(parameter)
        if field.init or field.default_factory is not dataclasses.MISSING:
            lines.append(f"_set(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    body = "\n ".join(lines)
    written = f"def __init__({', '.join(['self', *parameters])}):\n {body}"
    exec(CODE.compiled(written, "exec"), known)  # noqa: S102 - names of fields, as dataclasses does
    made = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _refuse_to_set(_self: Any, name: str, _value: Any) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_self: Any, name: str) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _eq(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return bool(self._compared(self) == other._compared(other))


def _hash(self: Any) -> int:
    return hash(self._compared(self))


def _repr(self: Any) -> str:
    shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{type(self).__qualname__}({shown})"
