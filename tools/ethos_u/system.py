"""What Vela is given of a target: clock, memories and their rates, and where it may put what."""

from __future__ import annotations

from collections.abc import Sequence

from ...hardware_db import MemoryKind, Region, Target
from ...hardware_db.derived import FLASH_KINDS, contiguous_runs
from ..core.deployment import Deployment
from ..core.records import dataclass
from .configurations import Configuration, configuration_of

_MOST_PORTS = 4
CACHE_BYTES = 384 * 1024
"""Of SRAM that feature maps pass through where they live in DRAM: Memory_Mode.Dedicated_Sram_384KB."""


@dataclass(frozen=True)
class _Port:
    """What Vela's own configurations say of a kind of memory, for where no source of the target does."""

    burst_bytes: int
    read_latency: int
    write_latency: int
    reads: int
    """Requests under way at once."""
    writes: int
    scale: float
    """Of a port's full width."""


_SRAM, _FLASH, _DRAM = "Sram", "OffChipFlash", "Dram"
_USUAL = {
    ("ethos-u55", _SRAM): _Port(32, 32, 32, 4, 4, 1.0),
    ("ethos-u55", _FLASH): _Port(128, 64, 0, 2, 0, 0.125),
    ("ethos-u55", _DRAM): _Port(128, 500, 250, 24, 12, 0.234375),
    ("ethos-u65", _SRAM): _Port(32, 32, 32, 16, 16, 1.0),
    ("ethos-u65", _FLASH): _Port(128, 64, 0, 2, 0, 0.0625),
    ("ethos-u65", _DRAM): _Port(128, 500, 250, 24, 12, 0.234375),
    ("ethos-u85", _SRAM): _Port(64, 32, 32, 8, 8, 1.0),
    ("ethos-u85", _FLASH): _Port(128, 64, 0, 2, 0, 0.0625),
    ("ethos-u85", _DRAM): _Port(128, 500, 250, 64, 32, 0.75),
}
"""In config_files/Arm/vela.ini of ethos-u-vela 5.2.0: Ethos_U55_High_End_Embedded, Ethos_U65_High_End and
Ethos_U65_Embedded, Ethos_U85_SYS_DRAM_Mid and Ethos_U85_SYS_Flash_High; an Ethos-U55 on DRAM is given what an
Ethos-U65 is."""
_SLOW_U85_MHZ = 500
_SLOW_U85_DRAM = (24, 12)
"""Requests that Ethos_U85_SYS_DRAM_Low has under way at its 500 MHz, reads and writes."""


@dataclass(frozen=True)
class System:
    """All that decides what Vela makes of a model."""

    configuration: Configuration
    text: str
    """Sections [architecture], [vela], [System_Config…] and [Memory_Mode…].

    Vela takes an Ethos-U55's ports for 8 bytes wide only where the system's name begins with Ethos_U55.
    """
    options: str
    memory_mode: str
    clock_mhz: float
    arena_area: str
    """Memory that the feature maps live in: Sram or Dram."""
    rates_cited: bool
    """Whether sources of the target give the NPU's size and the rate of every memory that it uses."""
    assumptions: tuple[str, ...]


def system_of(deployment: Deployment) -> System | None:
    """Vela's view of a deployment; None where its NPU is none of Arm's, or nothing tells its size."""
    if deployment.accelerator is None or (found := configuration_of(deployment.accelerator)) is None:
        return None
    configuration, assumed = found
    sram, slow = _fast_region(deployment.target), _slow_region(deployment.target)
    if sram is None:
        return None
    area = None if slow is None else _FLASH if slow.kind in FLASH_KINDS else _DRAM
    mode = {None: "Sram_Only", _FLASH: "Shared_Sram", _DRAM: "Dedicated_Sram"}[area]
    lines, notes = _memory(_SRAM, sram, configuration, deployment.clock_mhz)
    if area is not None and slow is not None:
        more, also = _memory(area, slow, configuration, deployment.clock_mhz)
        lines, notes = [*lines, *more], [*notes, *also]
    room = sum(region.size_bytes.value for region in _neighbours(deployment.target, sram))
    limit = min(room, CACHE_BYTES) if mode == "Dedicated_Sram" else room
    ports = [f"core_clock={deployment.clock_mhz * 1e6:g}", f"axi0_port={_SRAM}", f"axi1_port={area or _SRAM}"]
    name = f"Ethos_{configuration.series.removeprefix('ethos-').upper()}_Target"
    text = [
        "[architecture]", f"macs={configuration.macs}", f"cores={configuration.cores}",
        "[vela]", f"system_config_name={name}", f"memory_mode_name={mode}",
        f"[System_Config.{name}]", *ports, *lines, *_MODES[mode],
    ]  # fmt: skip
    second = f" and {slow.id}" if slow is not None else ""
    clock = f"{deployment.clock_mhz:g} MHz"
    used = f"given to Vela: {configuration.name} at {clock}, memory mode {mode}, {sram.id}{second}"
    return System(
        configuration=configuration,
        text="\n".join(text) + "\n",
        options=_OPTIONS.format(limit=limit),
        memory_mode=mode,
        clock_mhz=deployment.clock_mhz,
        arena_area=_DRAM if mode == "Dedicated_Sram" else _SRAM,
        rates_cited=not assumed and not notes,
        assumptions=(used, *assumed, *notes),
    )


_OPTIONS = """
[compiler]
enable_db=true
output_format=TFLite
cop_format=COP1

[scheduler]
optimize=Performance
arena_size_limit={limit}
disable_feature=
cpu_tensor_alignment=16
tensor_allocator=HillClimb

[graph]
"""
"""What `vela` passes without further options (get_compiler_config in ethosu/vela/vela.py)."""

_MODES = {
    "Sram_Only": ("[Memory_Mode.Sram_Only]", "const_mem_area=Axi0", "arena_mem_area=Axi0",
                  "cache_mem_area=Axi0"),
    "Shared_Sram": ("[Memory_Mode.Shared_Sram]", "const_mem_area=Axi1", "arena_mem_area=Axi0",
                    "cache_mem_area=Axi0"),
    "Dedicated_Sram": ("[Memory_Mode.Dedicated_Sram]", "const_mem_area=Axi1", "arena_mem_area=Axi1",
                       "cache_mem_area=Axi0"),
}  # fmt: skip


def _memory(
    area: str, region: Region, configuration: Configuration, clock_mhz: float
) -> tuple[list[str], list[str]]:
    """Lines on one memory, and what of them no source of the target gives."""
    usual, notes = _USUAL[configuration.series, area], []
    rate = _bytes_per_cycle(region, clock_mhz * 1e6)
    if rate is None:
        notes.append(f"rate of {region.id} not known to a source: taken as in a system of Arm's")
        rate = usual.scale * configuration.port_bytes
    ports = 1
    if configuration.series == "ethos-u85":
        ports = max(1, min(_MOST_PORTS, round(rate / configuration.port_bytes)))
    reads, writes = usual.reads, usual.writes
    if (configuration.series, area) == ("ethos-u85", _DRAM) and clock_mhz <= _SLOW_U85_MHZ:
        reads, writes = _SLOW_U85_DRAM
    read, write, burst = region.read_latency_cycles, region.write_latency_cycles, region.burst_bytes
    lines = {
        "clock_scale": f"{min(rate / configuration.port_bytes / ports, 1.0):g}",
        "ports_used": ports,
        "burst_length": burst.value if burst else usual.burst_bytes,
        "read_latency": read.value if read else usual.read_latency,
        "write_latency": write.value if write else usual.write_latency,
        "max_reads": reads,
        "max_writes": writes,
    }
    return [f"{area}_{name}={value}" for name, value in lines.items()], notes


def _bytes_per_cycle(region: Region, clock_hz: float) -> float | None:
    if region.bandwidth_bytes_per_s is not None:
        return region.bandwidth_bytes_per_s.value / clock_hz
    return region.bytes_per_cycle.value if region.bytes_per_cycle is not None else None


def _fast_region(target: Target) -> Region | None:
    """SRAM that the NPU shares with the cores; its own where there is none."""
    return _widest([r for r in target.memories if r.kind is MemoryKind.SRAM]) or _widest(
        [r for r in target.memories if r.kind is MemoryKind.ACCELERATOR]
    )


def _slow_region(target: Target) -> Region | None:
    """Where the compiled model lies: flash, else external RAM."""
    return _widest([r for r in target.memories if r.kind in FLASH_KINDS]) or _widest(
        [r for r in target.memories if r.kind in {MemoryKind.DRAM, MemoryKind.PSRAM}]
    )


def _widest(regions: Sequence[Region]) -> Region | None:
    """The largest of those whose rate is known, else the largest."""

    def rank(region: Region) -> tuple[bool, int]:
        known = region.bytes_per_cycle is not None or region.bandwidth_bytes_per_s is not None
        return known, region.size_bytes.value

    return max(regions, key=rank, default=None)


def _neighbours(target: Target, region: Region) -> Sequence[Region]:
    return next((run for run in contiguous_runs(target.memories) if region in run), [region])
