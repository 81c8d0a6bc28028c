"""A first file for a target of the user's own."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

import yaml

from ...hardware_db import Target, resolve_target
from ...hardware_db.derived import FLASH_KINDS, shared_ram
from ...hardware_db.errors import UsageError
from ...hardware_db.lint import checked_target
from ..core.records import dataclass
from ..core.settings import Settings, hardware_of

HEADER = """\
# A target of your own. It says only where it differs from the one it extends; add what else differs.
# Every figure is {value, unit, source, locator}; `edgewright targets show ID` lists the fields.
"""


def add_target(
    name: str,
    *,
    like: str,
    directory: Path,
    source: str,
    clock_mhz: float | None = None,
    supply_v: float | None = None,
    figures: OwnFigures | None = None,
    force: bool = False,
    settings: Settings | None = None,
) -> Path:
    """Write `name`.yaml into `directory` and check it by the rules of the database.

    Args:
        name: id of the new target: lower-case letters, digits, dots and dashes.
        like: the target that it extends.
        directory: where the user's hardware files are; made if it is not there.
        source: what the figures are from.
        clock_mhz: maximum clock of its first core, where it differs.
        supply_v: supply, where it differs.
        figures: RAM, flash, sleep current and price, where they differ.
        force: overwrite the file.
        settings: of the user's environment; None reads it.

    Raises:
        UsageError: an id that cannot be one, or a file that is there already.
        UnknownNameError: no such target to extend.
        HardwareFileError: the figures break a rule; the file is kept for mending.
    """
    if not re.fullmatch(r"[a-z0-9][a-z0-9.-]*", name):
        raise UsageError(f"{name!r} cannot be an id.", hint="Use a-z, 0-9, dots and dashes: drone-board.")
    own = hardware_of(settings)
    base = resolve_target(like, own)
    file = directory / f"{name}.yaml"
    if file.exists() and not force:
        raise UsageError(f"{str(file)!r} is there already.", hint="Give --force to overwrite it.")
    directory.mkdir(parents=True, exist_ok=True)
    today = dt.date.today()
    document: dict[str, object] = {
        "extends": base.id,
        "id": name,
        "name": name,
        "sources": {"own": {"title": source, "where": source, "date": today, "kind": "board-file"}},
    }
    if clock_mhz is not None:
        document["cores"] = [{"id": base.cores[0].id, "clock_max_mhz": _leaf(clock_mhz, "MHz", source)}]
    if supply_v is not None:
        document["supply_v"] = _leaf(supply_v, "V", source)
    if figures is not None:
        document |= _own_figures(figures, base, source)
    file.write_text(HEADER + yaml.safe_dump(document, sort_keys=False, allow_unicode=True), encoding="utf-8")
    checked_target(file, own)
    return file


@dataclass(frozen=True)
class OwnFigures:
    """What a board has that the target it is like has not; None is as there."""

    ram_bytes: float | None = None
    """Of its largest RAM."""
    flash_bytes: float | None = None
    """Of its largest flash."""
    sleep_ua: float | None = None
    price_usd: float | None = None


def _own_figures(figures: OwnFigures, base: Target, source: str) -> dict[str, object]:
    """
    Raises:
        UsageError: a size of a memory that the target has not got.
    """
    found: dict[str, object] = {}
    flashes = [region for region in base.memories if region.kind in FLASH_KINDS]
    regions = []
    for name, size, among in (
        ("RAM", figures.ram_bytes, shared_ram(base)), ("flash", figures.flash_bytes, flashes)
    ):  # fmt: skip
        if size is None:
            continue
        if not among:
            raise UsageError(f"No {name} of {base.id} is known.", hint="Write the region into the file.")
        largest = max(among, key=lambda region: region.size_bytes.value)
        regions.append({"id": largest.id, "size_bytes": _leaf(int(size), "B", source)})
    if regions:
        found["memories"] = regions
    if figures.sleep_ua is not None:
        mode = next((mode.id for mode in base.power if mode.sleep_ua is not None), "own")
        found["power"] = [{"id": mode, "sleep_ua": _leaf(figures.sleep_ua, "µA", source)}]
    if figures.price_usd is not None:
        found["price_usd"] = _leaf(figures.price_usd, "USD", source)
    return found


def _leaf(value: float, unit: str, locator: str) -> dict[str, object]:
    return {"value": value, "unit": unit, "source": "own", "locator": locator}
