"""Which units a field may have, and what its value can be on real hardware.

Bounds are wide: they catch a slipped unit or a misplaced power of ten, not an unusual part.
"""

from __future__ import annotations

from typing import NamedTuple

from .schema import MemoryKind, TargetClass

KIB, MIB, GIB, TIB = 2**10, 2**20, 2**30, 2**40

UNITS: dict[str, str] = {
    "active_mw": "mW",
    "energy_per_mac_pj": "pJ",
    "active_ua_per_mhz": "µA/MHz",
    "arena_alignment": "B",
    "bandwidth_bytes_per_s": "B/s",
    "board_active_w": "W",
    "board_idle_w": "W",
    "board_power_w": "W",
    "burst_bytes": "B",
    "bus_bits": "bit",
    "bytes_per_cycle": "B/cycle",
    "clock_max_mhz": "MHz",
    "clock_mhz": "MHz",
    "code_bytes": "B",
    "data": "B",
    "dense": "op/s",
    "further_prices_usd": "USD",
    "further_rents_usd_per_hour": "USD/h",
    "instruction": "B",
    "last_level": "B",
    "macs_per_cycle": "MAC/cycle",
    "price_usd": "USD",
    "read_latency_cycles": "cycle",
    "rent_usd_per_hour": "USD/h",
    "size_bytes": "B",
    "sleep_ua": "µA",
    "sparse": "op/s",
    "standby_ua": "µA",
    "supply_max_v": "V",
    "supply_min_v": "V",
    "supply_v": "V",
    "wait_states": "cycle",
    "write_latency_cycles": "cycle",
}
"""By field; what is not listed is a pure number, a name or a truth value, of unit 1."""


class Span(NamedTuple):
    low: float
    high: float

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high


SPANS: dict[str, Span] = {
    "active_mw": Span(0.01, 2e6),
    "energy_per_mac_pj": Span(0.001, 1e7),
    "active_ua_per_mhz": Span(1, 2000),
    "bandwidth_bytes_per_s": Span(1e6, 5e13),
    "board_active_w": Span(0.05, 3000),
    "board_idle_w": Span(0.01, 3000),
    "board_power_w": Span(0.05, 3000),
    "burst_bytes": Span(1, 4 * KIB),
    "bus_bits": Span(8, 16_384),
    "bytes_per_cycle": Span(0.125, 1024),
    "code_bytes": Span(512, 4 * GIB),
    "count": Span(1, 100_000),
    "data": Span(256, 16 * MIB),
    "dense": Span(1e7, 1e17),
    "further_prices_usd": Span(0.05, 1e6),
    "further_rents_usd_per_hour": Span(0.01, 1000),
    "generation": Span(1, 7),
    "instruction": Span(256, 16 * MIB),
    "lanes": Span(1, 32),
    "last_level": Span(KIB, 4 * GIB),
    "macs_per_cycle": Span(0.01, 1e6),
    "price_usd": Span(0.05, 1e6),
    "read_latency_cycles": Span(0, 10_000),
    "rent_usd_per_hour": Span(0.01, 1000),
    "sleep_ua": Span(0.001, 1e6),
    "sparse": Span(1e7, 1e17),
    "standby_ua": Span(0.001, 1e6),
    "supply_max_v": Span(0.5, 60),
    "supply_min_v": Span(0.5, 60),
    "supply_v": Span(0.5, 60),
    "wait_states": Span(0, 64),
    "write_latency_cycles": Span(0, 10_000),
}

CLOCKS: dict[TargetClass, Span] = {
    TargetClass.MCU: Span(1, 1500),
    TargetClass.DSP: Span(1, 2500),
    TargetClass.NPU: Span(1, 3000),
    TargetClass.MPU: Span(50, 5000),
    TargetClass.GPU_SOC: Span(50, 5000),
    TargetClass.GPU: Span(50, 5000),
    TargetClass.CPU: Span(50, 8000),
}

SIZES: dict[MemoryKind, Span] = {
    MemoryKind.ITCM: Span(KIB, 4 * MIB),
    MemoryKind.DTCM: Span(KIB, 4 * MIB),
    MemoryKind.SRAM: Span(256, 256 * MIB),
    MemoryKind.BACKUP: Span(16, MIB),
    MemoryKind.FLASH: Span(KIB, 64 * MIB),
    MemoryKind.XIP_FLASH: Span(64 * KIB, 2 * GIB),
    MemoryKind.PSRAM: Span(64 * KIB, GIB),
    MemoryKind.DRAM: Span(MIB, 16 * TIB),
    MemoryKind.HBM: Span(GIB, 2 * TIB),
    MemoryKind.ACCELERATOR: Span(256, GIB),
}

WORDS: dict[str, frozenset[str]] = {
    "fpu": frozenset({"none", "sp", "dp"}),
    "vector": frozenset({"none", "mve", "neon", "sve", "pie", "rvv", "avx2", "avx512", "vnni"}),
}
"""Fields whose value is one of a few words."""
