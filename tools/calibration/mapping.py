"""A row of a table of published measurements, by our names."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping

from ...hardware_db import Target, resolve_target
from ...hardware_db.errors import EdgewrightError
from ...hardware_db.user_files import Directories
from ..cost_model.hierarchy import computed_type, kin_of, kind_of_isa
from .names import CORES, DTYPES, UNITS, named
from .releases import release_of, threads_said
from .runtime_names import ON_UNITS, runtime_named

COLUMNS = (
    "id", "repository", "path", "commit", "network", "dtype", "batch", "target", "device", "kind",
    "processor", "threads", "clock_mhz", "runtime", "release", "runtime_version", "latency_ms", "energy_uj",
    "supply_mv", "ram_activation_kib", "ram_runtime_kib", "ram_total_kib", "flash_weights_kib",
    "flash_code_kib", "flash_total_kib", "flag", "hint",
)  # fmt: skip
KEPT = {
    "repository": "source_repo", "path": "source_path", "commit": "source_commit", "flag": "flag",
    "hint": "use_hint", "device": "device",
}  # fmt: skip
SAME = (
    "id", "batch", "runtime_version", "latency_ms", "energy_uj", "supply_mv", "ram_activation_kib",
    "ram_runtime_kib", "ram_total_kib", "flash_weights_kib", "flash_code_kib", "flash_total_kib",
)  # fmt: skip
CLOCKS_ELSEWHERE = {"Renesas RX65N": "120"}
"""Clocks that another source of the same table states for the board."""
SAID_OF_THE_RUN = re.compile(r"@.*$|\s+\([^()]*\)$")
"""What tables add to a device's name: how many of its cores ran, its memory, its packaging."""


OTHERS = frozenset({"Loongson 2K1000", "Loongson 3A4000"})
"""Devices that only sound like a target: these are MIPS, the 2K1000LA is LoongArch."""
NOT_THERE = frozenset({("ncnn-vulkan", "int8")})
"""Runtime and type whose operators all fall back to the cores: ncnn has no shader for int8 convolutions."""


def mapped_row(raw: Mapping[str, str], network: str, own_hardware: Directories = ()) -> dict[str, str]:
    """A row of a table of published measurements, in our columns and by our names.

    Args:
        own_hardware: directories of a user's own hardware, which the row may name.
    """
    board = "" if raw["device"] in OTHERS else raw["board"]
    target = target_named(raw["device"], own_hardware) or target_named(board, own_hardware)
    core = named(raw["core"], CORES) or _slug(raw["core"].partition(" x")[0])
    dtype = named(raw["dtype"], DTYPES)
    runtime = runtime_named(raw["runtime"], core, raw["accelerator"], raw["source_repo"]) or _slug(
        raw["runtime"]
    )
    unit = _unit(raw, runtime, target)
    threads = re.search(r" x(\d+)$", raw["core"])
    processor = unit or core_of(target, core)
    return {
        **{name: raw[name] for name in SAME},
        **{name: raw[column] for name, column in KEPT.items()},
        "network": network,
        "dtype": "tfloat32" if "tf32" in raw["flag"] else computed_type(runtime, processor, dtype),
        "target": target.id if target and (unit or _has(target, processor)) else "",
        "kind": "unit" if unit else "core",
        "processor": processor,
        "threads": "" if unit else (threads.group(1) if threads else threads_said(raw["runtime_version"])),
        "clock_mhz": raw["clock_mhz"] or CLOCKS_ELSEWHERE.get(raw["device"], ""),
        "runtime": runtime,
        "release": release_of(raw["runtime"], raw["runtime_version"]),
        "hint": "exclude" if (runtime, dtype) in NOT_THERE else raw["use_hint"],
    }


def _has(target: Target, processor: str) -> bool:
    """Whether it is one of its cores; of a phone's CPU it is not said which."""
    return any(core.isa.value == processor for core in target.cores)


def _unit(raw: Mapping[str, str], runtime: str, target: Target | None) -> str:
    """Family of the accelerator that the row ran on; empty where it ran on a core."""
    if not raw["accelerator"] and runtime not in ON_UNITS:
        return ""
    of_target = _gpu(target) if raw["accelerator"] in ("", "GPU") and runtime == "tflite-gpu" else ""
    stated = of_target or named(raw["accelerator"], UNITS) or ON_UNITS.get(runtime, "")
    return stated or named(raw["runtime"], UNITS) or _slug(raw["accelerator"])


def _gpu(target: Target | None) -> str:
    units = target.accelerators if target else ()
    return next((unit.family for unit in units if unit.kind == "gpu" and unit.family), "gpu")


@functools.cache
def target_named(device: str, own_hardware: Directories = ()) -> Target | None:
    """The target that a table's name for a device means, without what it adds of the run."""
    if device in OTHERS:
        return None
    for name in (device, SAID_OF_THE_RUN.sub("", device)):
        try:
            return resolve_target(name, own_hardware) if name else None
        except EdgewrightError:
            continue
    return None


def core_of(target: Target | None, stated: str) -> str:
    """The instruction set by which a target knows the core that a table names: estimates go by it.

    A table may name the core (Zen, SiFive U74) where the target names what it runs (x86-64, rv64gc).
    """
    isas = list(dict.fromkeys(core.isa.value for core in target.cores)) if target else []
    if not isas or stated in isas:
        return stated
    akin = [isa for isa in isas if kin_of(isa) == kin_of(stated)]
    if akin or not stated:
        return (akin or isas)[0]
    return isas[0] if len(isas) == 1 and kind_of_isa(isas[0]) is kind_of_isa(stated) else stated


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
