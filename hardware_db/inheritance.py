"""`extends: stm32h743zi` — a file that says only where it differs from another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from .errors import HardwareFileError
from .yaml_reader import Document, read_yaml

KEY = "extends"
OWN = ("aliases", "part_numbers")
"""What a heir does not inherit: names mean one thing only."""
SILICON = ("accelerators", "cores", "memories")
"""What the latency depends on: a heir that changes none of these is measured as its base is."""


def whole(document: Document, file_of: Callable[[str, Path], Path]) -> Document:
    """The document with all that it inherits; `file_of` finds the file of an id, seen from another file.

    Maps are merged field by field, lists of things with an id by their ids; a leaf and any other list is
    taken whole from the heir.

    Raises:
        HardwareFileError: a base that is not there, or a circle of files that extend each other.
    """
    data, chain = document.data, [document]
    while isinstance(data, dict) and KEY in data:
        heir = chain[-1]
        try:
            base = file_of(str(data[KEY]), heir.path)
        except LookupError as missing:
            raise _broken(heir, f"there is no {str(data[KEY])!r}", f"Nearest: {missing.args[0]}.") from None
        if any(base == link.path for link in chain):
            names = " -> ".join(link.path.stem for link in chain)
            raise _broken(heir, f"{names} -> {base.stem} is a circle", "Take one of them out of it.")
        chain.append(read_yaml(base))
        same = base.stem == heir.path.stem
        data = _merged(_heritage(chain[-1].data, same), {k: v for k, v in data.items() if k != KEY})
    if len(chain) > 1 and isinstance(data, dict) and isinstance(document.data, dict):
        data = data | {"sources": _still_cited(data, own=document.data.get("sources") or {})}
        data |= _same_silicon(chain)
    return replace(document, data=data)


def _same_silicon(chain: Sequence[Document]) -> dict[str, str]:
    """The last base in `chain` that no heir changed the silicon of, unless it has the heir's own id."""
    same = chain[0]
    for heir, base in pairwise(chain):
        if any(part in heir.data for part in SILICON):
            break
        same = base
    return {"same_silicon_as": same.path.stem} if same.path.stem != chain[0].path.stem else {}


def _heritage(data: Any, same: bool) -> Any:
    if same or not isinstance(data, dict):
        return data
    return {name: value for name, value in data.items() if name not in OWN}


def _merged(base: Any, heir: Any) -> Any:
    if isinstance(base, dict) and isinstance(heir, dict) and "value" not in heir:
        return base | {name: _merged(base.get(name), value) for name, value in heir.items()}
    if _are_things(base) and _are_things(heir):
        known = {thing["id"]: thing for thing in base}
        changed = {thing["id"]: _merged(known.get(thing["id"]), thing) for thing in heir}
        return list((known | changed).values())
    return heir


def _still_cited(data: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """The heir's own sources, and of those inherited the ones that some figure still rests on."""
    sources = data.get("sources") or {}
    cited = set(_citations(data))
    return {name: source for name, source in sources.items() if name in own or name in cited}


def _citations(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("source"), str):
            yield value["source"]
        for part in value.values():
            yield from _citations(part)
    elif isinstance(value, list):
        for part in value:
            yield from _citations(part)


def _are_things(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) and "id" in item for item in value)


def _broken(document: Document, problem: str, hint: str) -> HardwareFileError:
    return HardwareFileError(problem, file=document.path, line=document.line_of((KEY,)), field=KEY, hint=hint)
