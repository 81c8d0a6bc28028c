"""Planned arenas of the networks whose activation RAM was published: stored, as planning all takes seconds.

`hardware_db/coefficients/arenas.json` is written by `make calibrate` (alone:
`python -m edgewright.tools.calibration.fit.arenas`) under a fingerprint of what plans: the planner's sources
and those below it, the networks and the hardware. Where that is another, arenas are planned anew.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path

from ...hardware_db import coefficients
from ...hardware_db.measurements import networks_digest
from ..core.quantity import Quantity

FILE = "arenas.json"
ArenaKey = tuple[str, str, str]
"""Network, target and runtime."""
Planned = Quantity | str
"""The arena, or why it is not known."""
_HERE = Path(__file__).parents[1]
_PLANS = ("core", "graph", "ethos_u", "placement", "memory_planner")
_HARDWARE = ("entries.tsv", "index.json", "runtime_schema.py", "schema.py", "derived.py")


@functools.cache
def fingerprint() -> str:
    """Of everything that a planned arena follows from."""
    found = hashlib.sha256(networks_digest().encode())
    sources = [file for part in _PLANS for file in sorted((_HERE / part).rglob("*.py"))]
    for file in [*sources, *(Path(coefficients.__file__).parents[1] / name for name in _HARDWARE)]:
        found.update(file.name.encode())
        found.update(file.read_bytes())
    return found.hexdigest()


def stored_arena(case: ArenaKey, plan: Callable[[str, str, str], Planned]) -> Planned:
    """As it was stored for what plans today, else planned."""
    stored = _stored()
    return stored[case] if case in stored else plan(*case)


def write_arenas(folder: Path, cases: Iterable[ArenaKey], plan: Callable[[str, str, str], Planned]) -> None:
    """Plan all cases and store them."""
    found = {"\t".join(case): _written(plan(*case)) for case in sorted(set(cases))}
    document = {"fingerprint": fingerprint(), "arenas": found}
    (folder / FILE).write_text(json.dumps(document, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
    _stored.cache_clear()


def _written(arena: Planned) -> object:
    return arena if isinstance(arena, str) else arena.model_dump(mode="json")


@functools.cache
def _stored() -> dict[ArenaKey, Planned]:
    """Empty where something else plans by now."""
    try:
        document = json.loads(Path(coefficients.__file__).with_name(FILE).read_bytes())
        if document["fingerprint"] != fingerprint():
            return {}
        found = {}
        for name, arena in document["arenas"].items():
            network, target, runtime = name.split("\t")
            known = arena if isinstance(arena, str) else Quantity.model_validate(arena)
            found[network, target, runtime] = known
    except (OSError, ValueError, KeyError):
        return {}
    return found
