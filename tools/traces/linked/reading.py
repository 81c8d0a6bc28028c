"""A linked firmware, read by its content, and set against the plan for a model."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ....hardware_db.errors import InputError
from ...core.deployment import Deployment
from ...core.sanitize import clean_text
from ...graph import ModelGraph
from ...memory_planner.reporting import plan
from ...placement.model_source import ModelSource, as_graph
from ..trace_file import read_content
from . import armlink_map, elf, gnu_map, iar_map
from .against import against
from .firmware_report import FirmwarePart, FirmwareRegion, FirmwareReport, FirmwareSymbol
from .image import Image, Symbol, is_loaded, region_at
from .roles import Role, role_of

MAPS = (gnu_map.read, armlink_map.read, iar_map.read)
_MOST_SHOWN = 2_000
_ENDS = {"map of GNU ld": "OUTPUT(", "map of IAR's linker": "Errors: "}
_NEAR = 0.01
"""A constant whose size is this near to the model's file may be it."""


def firmware_explained(
    path: str | os.PathLike[str], model: ModelSource | None, deployment: Deployment | str | None
) -> FirmwareReport:
    content = read_content(path)
    image = elf.read(content.data)
    if image is None:
        image = next((found for read in MAPS if (found := read(content.lines)) is not None), None)
    if image is None:
        raise InputError(
            f"{content.shown} is no firmware that I can read.",
            hint="I read ELF files, and maps of GNU ld, lld's in that form, armlink and IAR's linker.",
        )
    planned: dict[str, Any] = {}
    graph = None
    if model is not None and deployment is not None:
        graph, place = as_graph(model, deployment)
        planned = {"model": graph.name, "deployment": place.ref}
    roles = _roles(image.symbols, graph)
    parts = tuple(_parts(roles))
    report = FirmwareReport(
        file=clean_text(Path(path).name),
        format=image.format,
        flash_bytes=sum(part.flash_bytes for part in parts),
        ram_bytes=sum(part.ram_bytes for part in parts),
        parts=parts,
        symbols=tuple(_symbols(roles)),
        regions=tuple(_regions(image)),
        assumptions=("what a symbol is for is told by its name, its object file and its bytes",),
        warnings=(*image.warnings, *_no_end(image.format, content.lines if content.is_text else ())),
        **planned,
    )
    if graph is None:
        return report
    return report.model_copy(update=against(report, roles, graph, plan(graph, place)))


def _no_end(form: str, lines: Sequence[str]) -> tuple[str, ...]:
    """A linker ends its map with its own sums or the name of its output."""
    end = _ENDS.get(form)
    if end is None or any(line.startswith(end) for line in lines):
        return ()
    return (f"the map has no {end!r}, which stands at the end of each: it may be cut off",)


def _roles(symbols: Sequence[Symbol], graph: ModelGraph | None) -> list[tuple[Symbol, Role]]:
    """By name and bytes; where nothing is called weights, what is as large as the model's file."""
    found = [(symbol, role_of(symbol)) for symbol in symbols]
    size = None if graph is None else graph.file_bytes
    if size and not any(role is Role.WEIGHTS for _, role in found):
        alike = [
            at
            for at, (symbol, role) in enumerate(found)
            if role is Role.REST and symbol.in_flash and not symbol.is_code
            and abs(symbol.size - size) <= max(16, _NEAR * size)
        ]  # fmt: skip
        for at in alike[:1]:
            found[at] = (found[at][0], Role.WEIGHTS)
    return found


def _parts(roles: Sequence[tuple[Symbol, Role]]) -> Iterator[FirmwarePart]:
    for role in Role:
        own = [symbol for symbol, found in roles if found is role]
        if own:
            yield FirmwarePart(
                role=role,
                flash_bytes=sum(symbol.size for symbol in own if symbol.in_flash),
                ram_bytes=sum(symbol.size for symbol in own if symbol.in_ram),
                symbols=sum(bool(symbol.name) for symbol in own),
            )


def _symbols(roles: Sequence[tuple[Symbol, Role]]) -> Iterator[FirmwareSymbol]:
    for symbol, role in sorted(roles, key=lambda pair: (-pair[0].size, pair[0].name))[:_MOST_SHOWN]:
        yield FirmwareSymbol(
            name_untrusted=symbol.name or f"({symbol.part or symbol.section})",
            role=role,
            section_untrusted=symbol.section,
            object_untrusted=symbol.object,
            bytes=symbol.size,
            in_flash=symbol.in_flash,
            in_ram=symbol.in_ram,
        )


def _regions(image: Image) -> Iterator[FirmwareRegion]:
    used: dict[str, int] = defaultdict(int)
    for symbol in image.symbols:
        region = region_at(symbol.address, image.regions)
        if region is not None and is_loaded(symbol.section):
            used[region.name] += symbol.size
    for region in image.regions:
        if region.name != "*default*":
            yield FirmwareRegion(
                name_untrusted=region.name, used_bytes=used[region.name], size_bytes=region.size
            )
