"""What is known: targets, kernel libraries, architectures, model files and batteries."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from ...tools.core.units import Dimension, parse_measure
from ..workspace import Workspace
from .arguments import LookUp
from .plans import Call, conditions

_WHERE = {
    "class": ("target_class", None),
    "core": ("core", None),
    "runtime": ("runtime", None),
    "ram": ("min_ram_bytes", Dimension.BYTES),
    "flash": ("min_flash_bytes", Dimension.BYTES),
    "power": ("max_power_mw", Dimension.POWER_MW),
    "price": ("max_price_usd", Dimension.PRICE_USD),
}
"""Condition → argument of `list_targets`, and what it measures."""


def look_up(args: LookUp, _workspace: Workspace) -> Iterator[Call]:
    match args.kind, args.names:
        case "targets", ():
            yield Call("list_targets", _conditions(args.where))
        case "targets", names:
            yield from (Call("get_target", {"target": name}) for name in names)
            yield from (
                Call("diff_targets", {"one": one, "other": other})
                for one, other in combinations(names[:3], 2)
            )
        case "runtimes", ():
            yield Call("list_runtimes", {})
        case "runtimes", names:
            yield from (Call("get_runtime", {"runtime": name}) for name in names)
        case "models", ():
            yield Call("list_architectures", {})
            yield Call("list_model_files", {})
        case "models", names:
            yield from (Call("parse_model", {"model": name}) for name in names)
        case "batteries", _:
            yield Call("list_batteries", {})


def _conditions(where: str | None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, text in conditions(where, tuple(_WHERE)).items():
        argument, dimension = _WHERE[name]
        found[argument] = text if dimension is None else _figure(text, dimension)
    return found


def _figure(text: str, dimension: Dimension) -> float:
    is_bare_price = dimension is Dimension.PRICE_USD and text.replace(".", "", 1).isdecimal()
    figure = parse_measure(f"{text}USD" if is_bare_price else text.lstrip("$"), dimension)
    return int(figure) if dimension is Dimension.BYTES else figure
