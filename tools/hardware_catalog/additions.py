"""A first file for a target of the user's own."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

import yaml

from ...hardware_db import MemoryKind, Target, resolve_target
from ...hardware_db.derived import FLASH_KINDS, shared_ram
from ...hardware_db.errors import UsageError
from ...hardware_db.index import read_user_files_again
from ...hardware_db.lint import checked_target
from ..core.files import made_folder, save_all
from ..core.own_figures import GIVEN
from ..core.records import dataclass
from ..core.sanitize import harmless
from ..core.settings import Settings, hardware_of
from .own_accelerator import OwnAccelerator, accelerator_entry, runtime_entry, runtime_name

HEADER = """\
# A target of your own. It says only where it differs from the one it extends; add what else differs.
# Every figure is {value, unit, source, locator}; `edgewright targets show ID` lists the fields.
"""

RUNTIME_HEADER = """\
# What an accelerator of your own takes; every other operator runs on the core.
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
        figures: RAM, flash, external RAM, sleep current, power, price and an accelerator, where they differ.
        force: overwrite the file.
        settings: of the user's environment; None reads it.

    Raises:
        UsageError: an id that cannot be one, a file that is there already, or an operator that there is not.
        UnknownNameError: no such target to extend.
        HardwareFileError: the figures break a rule; the file is kept for mending.

    Example:
        >>> from pathlib import Path
        >>> figures = OwnFigures(energy_per_mac_pj=4.6)
        >>> add_target("drone", like="H743", directory=Path("boards"), source="manual", figures=figures).name
        'drone.yaml'
    """
    if not re.fullmatch(r"[a-z0-9][a-z0-9.-]*", name):
        raise UsageError(f"{name!r} cannot be an id.", hint="Use a-z, 0-9, dots and dashes: drone-board.")
    source = harmless(source)
    own_directories = hardware_of(settings)
    base = resolve_target(like, own_directories)
    file = directory / f"{name}.yaml"
    if file.exists() and not force:
        raise UsageError(f"{str(file)!r} is there already.", hint="Give --force to overwrite it.")
    origin = {"title": source, "where": source, "date": dt.date.today(), "kind": "board-file"}
    document: dict[str, object] = {"extends": base.id, "id": name, "name": name, "sources": {"own": origin}}
    if clock_mhz is not None:
        document["cores"] = [{"id": base.cores[0].id, "clock_max_mhz": _leaf(clock_mhz, "MHz", source)}]
    if supply_v is not None:
        document["supply_v"] = _leaf(supply_v, "V", source)
    own = figures or OwnFigures()
    document |= _own_figures(own, base, source)
    files = {file.name: ""}
    cited = {"source": "own", "locator": source}
    if own.accelerator is not None:
        kernels = runtime_entry(own.accelerator, name, base, cited, own_directories)
        document["accelerators"] = [accelerator_entry(own.accelerator, name, base, cited)]
        document["runtimes"] = [runtime_name(name), *base.runtimes]
        files[f"runtimes/{runtime_name(name)}.yaml"] = _text(
            RUNTIME_HEADER, kernels | {"sources": {"own": dict(origin)}}
        )
    files[file.name] = _text(HEADER, document)
    save_all(files, made_folder(directory), force=True)
    read_user_files_again()
    checked_target(file, (directory, *own_directories))
    return file


def _text(header: str, document: dict[str, object]) -> str:
    return header + yaml.safe_dump(document, sort_keys=False, allow_unicode=True)


@dataclass(frozen=True)
class OwnFigures:
    """What a board has that the target it is like has not; None is as there."""

    ram_bytes: float | None = None
    """Of its largest RAM."""
    flash_bytes: float | None = None
    """Of its largest flash."""
    external_ram_bytes: float | None = None
    """PSRAM or SDRAM beside the chip, in place of what is there."""
    external_bytes_per_s: float | None = None
    """Bandwidth of that; None leaves it as it is, or unknown."""
    sleep_ua: float | None = None
    active_mw: float | None = None
    """Of the whole board while it computes."""
    energy_per_mac_pj: float | None = None
    """Of the whole board, in place of power and time; a power goes before."""
    accelerator: OwnAccelerator | None = None
    price_usd: float | None = None


def _own_figures(figures: OwnFigures, base: Target, source: str) -> dict[str, object]:
    """
    Raises:
        UsageError: a size of a memory that the target has not got.
    """
    found: dict[str, object] = {}
    flashes = [region for region in base.memories if region.kind in FLASH_KINDS]
    regions: list[dict[str, object]] = []
    for name, size, among in (
        ("RAM", figures.ram_bytes, shared_ram(base)), ("flash", figures.flash_bytes, flashes)
    ):  # fmt: skip
        if size is None:
            continue
        if not among:
            raise UsageError(f"No {name} of {base.id} is known.", hint="Write the region into the file.")
        largest = max(among, key=lambda region: region.size_bytes.value)
        regions.append({"id": largest.id, "size_bytes": _leaf(int(size), "B", source)})
    if figures.external_ram_bytes is not None:
        regions.append(_external(figures, base, source))
    if regions:
        found["memories"] = regions
    if power := _own_power(figures, base, source):
        found["power"] = power
    if figures.price_usd is not None:
        found["price_usd"] = _leaf(figures.price_usd, "USD", source)
    return found


def _external(figures: OwnFigures, base: Target, source: str) -> dict[str, object]:
    """
    Raises:
        UsageError: a size or a bandwidth that is not above zero.
    """
    size, rate = figures.external_ram_bytes or 0.0, figures.external_bytes_per_s
    if size < 1 or (rate is not None and rate <= 0):
        raise UsageError("An external RAM has a size and a bandwidth above zero.", hint="Write 8MiB.")
    known = next((r.id for r in base.memories if r.external and r.kind in _EXTERNAL), None)
    region: dict[str, object] = {"id": known or "external-ram", "size_bytes": _leaf(int(size), "B", source)}
    if known is None:
        region |= {"kind": "psram", "external": True}
    if rate is not None:
        region["bandwidth_bytes_per_s"] = _leaf(rate, "B/s", source)
    return region


_EXTERNAL = (MemoryKind.PSRAM, MemoryKind.DRAM)


def _own_power(figures: OwnFigures, base: Target, source: str) -> list[dict[str, object]]:
    """The current asleep in the mode that has one; the rest in the one that goes before what was read."""
    modes: list[dict[str, object]] = []
    if figures.sleep_ua is not None:
        mode = next((mode.id for mode in base.power if mode.sleep_ua is not None), "own")
        modes.append({"id": mode, "sleep_ua": _leaf(figures.sleep_ua, "µA", source)})
    given = {
        "active_mw": (figures.active_mw, "mW"),
        "energy_per_mac_pj": (figures.energy_per_mac_pj, "pJ"),
    }
    known = {name: _leaf(value, unit, source) for name, (value, unit) in given.items() if value is not None}
    return [*modes, {"id": GIVEN, **known}] if known else modes


def _leaf(value: float, unit: str, locator: str) -> dict[str, object]:
    return {"value": value, "unit": unit, "source": "own", "locator": locator}
