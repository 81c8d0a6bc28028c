"""The sizes that Ethos-U is built in, and which one a target has."""

from __future__ import annotations

from ...hardware_db import Accelerator
from ..core.records import dataclass

OPS_PER_MAC = 2


@dataclass(frozen=True)
class Configuration:
    """One size of NPU, under the name that Vela knows it by."""

    name: str
    series: str
    macs: int
    """MACs a cycle of one core, of 8 bits."""
    cores: int
    port_bytes: int
    """Width of one memory port."""

    @property
    def architecture(self) -> str:
        """As Vela's compiler spells it: EthosU55."""
        return f"EthosU{self.series.removeprefix('ethos-u')}"


def _sizes(series: str, port_bytes: int, *sizes: tuple[int, int]) -> list[Configuration]:
    return [
        Configuration(f"{series}-{macs * cores}", series, macs, cores, port_bytes) for macs, cores in sizes
    ]


CONFIGURATIONS = {
    configuration.name: configuration
    for configuration in (
        *_sizes("ethos-u55", 8, (32, 1), (64, 1), (128, 1), (256, 1)),
        *_sizes("ethos-u65", 16, (256, 1), (256, 2)),
        *_sizes("ethos-u85", 16, (128, 1), (256, 1), (512, 1), (1024, 1), (2048, 1)),
    )
}
"""By name. MACs, cores and ports: accelerator_configs and axi_port_bytes_per_cycle in
ethosu/vela/architecture_features.py of ethos-u-vela 5.2.0."""


def is_ethos_u(accelerator: Accelerator | None) -> bool:
    return accelerator is not None and any(c.series == accelerator.family for c in CONFIGURATIONS.values())


def configuration_of(accelerator: Accelerator) -> tuple[Configuration, tuple[str, ...]] | None:
    """The configuration of a target's NPU, with what had to be assumed; None where nothing tells its size."""
    known = [c for c in CONFIGURATIONS.values() if c.series == accelerator.family]
    stated = accelerator.macs_per_cycle.get("int8")
    if stated is not None:
        cores = accelerator.count.value if accelerator.count and accelerator.family == "ethos-u65" else 1
        found = next((c for c in known if (c.macs, c.cores) == (int(stated.value), cores)), None)
        return None if found is None else (found, ())
    rate, clock = accelerator.peak.get("int8"), accelerator.clock_max_mhz
    if rate is None or rate.dense is None or clock is None or not known:
        return None
    macs = rate.dense.value / OPS_PER_MAC / (clock.value * 1e6)
    near = min(known, key=lambda c: abs(c.macs * c.cores - macs))
    text = f"{near.name}: the nearest to a peak of {rate.dense.value / 1e12:g} TOPS at {clock.value:g} MHz"
    return near, (text,)
