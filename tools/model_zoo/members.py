"""The members of a network's family: yolov8n beside yolov8s, resnet18 beside resnet50, 3B beside 7B."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import PurePath

from .catalogue import ARCHITECTURES
from .language_model import is_language_model, load_catalogue
from .named import build_architecture

_WORD = re.compile(r"[a-z]+?(?=v\d)|v\d+|b\d(?!\d)|(?<=-)\d+(?:\.\d+)?[bm](?![a-z])|[a-z]+|\d[\d.]*")
_VERSION, _BILLIONS, _NUMBER = map(re.compile, (r"v\d+", r"\d[\d.]*[bm]", r"b?\d+"))
_FIXED = frozenset(("patch", "window"))
_SIZES = {
    "nano": "n", "small": "s", "b": "base", "medium": "m", "large": "l", "xlarge": "x", "xl": "x",
    **{size: size for size in ("n", "tiny", "mini", "s", "base", "m", "l", "x")},
}  # fmt: skip
"""Words for a size → the word of a name."""
_WIDTH = re.compile(r"[01]\.\d{1,2}")
_Key = tuple[tuple[str, ...], str]


def members(name: str) -> tuple[str, ...]:
    """All of the family of a network, the smallest first; none where it has no family."""
    key = _key(_plain(name))
    return _by_size(_families().get(key[0], ())) if key else ()


def by_size(names: Iterable[str]) -> tuple[str, ...]:
    """Known networks of any family by their weights, the smallest first; none where one is not known."""
    plain = tuple(dict.fromkeys(map(_plain, names)))
    known = all(name in ARCHITECTURES or is_language_model(name) for name in plain)
    return _by_size(plain) if known else ()


def member(name: str, size: str) -> str:
    """The one of the family of a network that goes by a size: nano, m, 101, b3, 3B; empty for none.

    Of a network whose width varies, `0.5` is that width.
    """
    plain, said = _plain(name), size.casefold().strip().replace(" ", "")
    if _WIDTH.fullmatch(said):
        known = ARCHITECTURES.get(plain)
        return f"{plain}:{float(said):g}" if known and known.width is not None else ""
    said = _SIZES.get(said, said)
    key = _key(plain)
    every = _families().get(key[0], ()) if key else ()
    return next((each for each in every if (of := _key(each)) and of[1] == said), "")


def beside(name: str, *, larger: bool) -> str:
    """The next smaller or larger of the family; empty where there is none."""
    every, plain = members(name), _plain(name)
    at = every.index(plain) + (1 if larger else -1) if plain in every else -1
    return every[at] if 0 <= at < len(every) else ""


def _plain(name: str) -> str:
    """Without a folder, an ending, and what is said of width, side and type."""
    stem = PurePath(name).stem if PurePath(name).suffix[1:].isalpha() or "/" in name else name
    return stem.partition(":")[0]


@cache
def _key(name: str) -> _Key | None:
    """What the members of a family share, with a mark where the size stands, and the size."""
    words = _WORD.findall(name)
    at = next((i for i, word in enumerate(words) if i and word in _SIZES), None)
    if at is None:
        sized = [i for i, word in enumerate(words) if _BILLIONS.fullmatch(word)]
        numbers = [i for i, word in enumerate(words) if i and _is_size(words[i - 1], word)]
        at = next(iter(sized or (numbers[-1:] if name in ARCHITECTURES else ())), None)
    if at is None:
        return ((*words, "*"), "") if words else None
    size, behind = words[at], words[at + 1 :]
    behind = behind[1:] if behind and _VERSION.fullmatch(behind[0]) else behind
    return (*words[:at], "*", *behind), _SIZES.get(size, size)


def _is_size(before: str, word: str) -> bool:
    return _NUMBER.fullmatch(word) is not None and before not in _FIXED


@cache
def _families() -> dict[tuple[str, ...], tuple[str, ...]]:
    found: dict[tuple[str, ...], list[str]] = {}
    for name in (*ARCHITECTURES, *(model.id for model in load_catalogue().models)):
        if key := _key(name):
            found.setdefault(key[0], []).append(name)
    return {key: tuple(every) for key, every in found.items() if len(every) > 1}


@cache
def _by_size(every: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(every, key=_bytes))


def _bytes(name: str) -> float:
    """Of its weights, to compare members of one family."""
    if name in ARCHITECTURES:
        return float(build_architecture(name).parameter_bytes)
    return float(next(model.parameters for model in load_catalogue().models if model.id == name))
