"""From what people write to the target or runtime they mean."""

from __future__ import annotations

import functools
import re
from pathlib import Path

from .errors import AmbiguousNameError, UnknownNameError
from .index import Names, read_index
from .loader import load_runtime, load_target
from .name_tokens import TokenNames
from .names import closest, spellings
from .schema import Runtime, Target
from .user_files import Directories, directories

_ORDER_CODE_REST = re.compile(r"[a-z][a-z0-9+]{0,11}")
_NEAREST = 5
_SHORT = 3
_ALIKE = {"disco": "discovery"}


def resolve_target(name: str, where: Directories | None = None) -> Target:
    """The target that an id, board, nickname or order code means, however it is spelt.

    Args:
        where: directories of the user's own files; None takes those in use.

    Raises:
        AmbiguousNameError: a family; carries its members.
        UnknownNameError: nothing goes by it; carries the nearest ids, best first.
    """
    return load_target(_resolved("target", name, read_index(where).target_names, target_words(where)), where)


def resolve_runtime(name: str, where: Directories | None = None) -> Runtime:
    """The runtime that an id or nickname means; as `resolve_target`."""
    return load_runtime(_resolved("runtime", name, read_index(where).runtime_names), where)


def target_words(where: Directories | None = None) -> TokenNames:
    """The names of targets by the words that they are made of, in any order."""
    return _target_words(directories() if where is None else where)


@functools.cache
def _target_words(where: tuple[Path, ...]) -> TokenNames:
    index = read_index(where)
    makers = {summary.id: summary.vendor for summary in index.targets}
    return TokenNames(index.target_names.written, _ALIKE, makers)


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
    return part_lookup(key, names) or package_lookup(key, names)


def part_lookup(key: str, names: Names) -> str | None:
    """Id whose part number an order code starts with, if package and grade are all that follows."""
    matching = [part for part in names.parts if key.startswith(part)]
    if not matching:
        return None
    part = max(matching, key=len)
    rest = key[len(part) :]
    return names.parts[part] if not rest or _ORDER_CODE_REST.fullmatch(rest) else None


def package_lookup(key: str, names: Names) -> str | None:
    """Id of the STM32 of the same line and as much flash as an order code says, in another package.

    `STM32` `H743` `V` `I` `T6`: line, count of pins, size of the flash, package and grade.
    """
    if not key.startswith("stm32"):
        return None
    for part, identifier in names.parts.items():
        line, flash, rest = part[:-2], part[-1], key[len(part) :]
        same = len(key) >= len(part) and key.startswith(line) and key[len(part) - 1] == flash
        if same and key[len(line)].isalpha() and (not rest or _ORDER_CODE_REST.fullmatch(rest)):
            return identifier
    return None


def nearest_ids(key: str, names: Names, count: int = _NEAREST) -> tuple[str, ...]:
    """Ids whose names are the closest in spelling, best first."""
    found = closest(key, names.exact, 4 * count)
    return tuple(dict.fromkeys(names.exact[spelling] for spelling in found))[:count]


def _resolved(kind: str, name: str, names: Names, words: TokenNames | None = None) -> str:
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
    match words and len(name) > _SHORT and words.meaning(token.word for token in words.tokens(name)):
        case ((str(identifier),), 0, _):
            return identifier
        case ((_, _, *_) as several, 0 | 1, _):
            raise AmbiguousNameError(kind, name, several)
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
