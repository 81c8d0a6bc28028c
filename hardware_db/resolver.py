"""From what people write to the target or runtime they mean."""

from __future__ import annotations

import re

from .errors import AmbiguousNameError, UnknownNameError
from .index import Names, read_index
from .loader import load_runtime, load_target
from .names import closest, spellings
from .schema import Runtime, Target
from .user_files import Directories

_ORDER_CODE_REST = re.compile(r"[a-z][a-z0-9+]{0,11}")
_NEAREST = 5


def resolve_target(name: str, where: Directories | None = None) -> Target:
    """The target that an id, board, nickname or order code means, however it is spelt.

    Args:
        where: directories of the user's own files; None takes those in use.

    Raises:
        AmbiguousNameError: a family; carries its members.
        UnknownNameError: nothing goes by it; carries the nearest ids, best first.
    """
    return load_target(_resolved("target", name, read_index(where).target_names), where)


def resolve_runtime(name: str, where: Directories | None = None) -> Runtime:
    """The runtime that an id or nickname means; as `resolve_target`."""
    return load_runtime(_resolved("runtime", name, read_index(where).runtime_names), where)


def is_family(name: str, where: Directories | None = None) -> bool:
    """Whether a name is that of a family of targets, of which `resolve_target` takes the only one."""
    names = read_index(where).target_names
    found = (lookup(key, names) for key in spellings(name))
    return isinstance(next((each for each in found if each is not None), None), tuple)


def suggest_target(name: str) -> list[str]:
    """Ids of the targets that a name may mean: itself, the members of a family, or the nearest."""
    return _suggested(name, read_index().target_names)


def suggest_runtime(name: str) -> list[str]:
    """As `suggest_target`, for runtimes."""
    return _suggested(name, read_index().runtime_names)


def lookup(key: str, names: Names) -> str | tuple[str, ...] | None:
    """Id, or members of the family, that one folded spelling stands for."""
    if key in names.exact:
        return names.exact[key]
    if key in names.families:
        return names.families[key]
    return part_lookup(key, names)


def part_lookup(key: str, names: Names) -> str | None:
    """Id whose part number an order code starts with, if package and grade are all that follows."""
    matching = [part for part in names.parts if key.startswith(part)]
    if not matching:
        return None
    part = max(matching, key=len)
    rest = key[len(part) :]
    return names.parts[part] if not rest or _ORDER_CODE_REST.fullmatch(rest) else None


def nearest_ids(key: str, names: Names, count: int = _NEAREST) -> tuple[str, ...]:
    """Ids whose names are the closest in spelling, best first."""
    found = closest(key, names.exact, 4 * count)
    return tuple(dict.fromkeys(names.exact[spelling] for spelling in found))[:count]


def _resolved(kind: str, name: str, names: Names) -> str:
    for key in spellings(name):
        match lookup(key, names):
            case str(identifier):
                return identifier
            case (only,):
                return only
            case tuple(members):
                raise AmbiguousNameError(kind, name, members)
            case None:
                continue
    hint = f"`edgewright {kind}s list` shows all."
    raise UnknownNameError(kind, name, nearest_ids(name, names), hint=hint)


def _suggested(name: str, names: Names) -> list[str]:
    for key in spellings(name):
        match lookup(key, names):
            case str(identifier):
                return [identifier]
            case tuple(members):
                return list(members)
            case None:
                continue
    return list(nearest_ids(name, names))
