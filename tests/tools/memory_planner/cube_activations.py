"""Activation sizes of X-CUBE-AI that were published, beside the bounds that are drawn from the network."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from edgewright.hardware_db.measurements import networks, rows
from edgewright.tools.graph.serialize import graph_from_json
from edgewright.tools.memory_planner.cube_arena import Bounds, at_most, bounds_of

_FAMILIES = (
    "ssd_mobilenet", "fdmobilenet", "mobilenet_v1", "mobilenet_v2", "squeezenet", "efficientnet",
    "miniresnet", "yamnet", "yolo", "kws", "str_ww", "vww", "ad01", "resnet",
)  # fmt: skip
_NEWEST = ("9.0", "10.0", "10.2")


@dataclass(frozen=True)
class Published:
    network: str
    release: str
    activation_bytes: float
    bounds: Bounds

    @property
    def family(self) -> str:
        return next((name for name in _FAMILIES if name in self.network.lower()), self.network)


@functools.cache
def published() -> tuple[Published, ...]:
    """Each size of a network and a release once."""
    sizes = {
        (row["network"], row["release"], float(row["ram_activation_kib"]))
        for row in rows()
        if row["runtime"] == "x-cube-ai" and row["ram_activation_kib"] and row["network"] in networks()
    }
    bounds = {name: bounds_of(graph_from_json(networks()[name])) for name in {name for name, _, _ in sizes}}
    return tuple(Published(n, release, 1024 * kib, bounds[n]) for n, release, kib in sorted(sizes))


def newest() -> Sequence[Published]:
    return [row for row in published() if row.release in _NEWEST]


def newest_published() -> list[tuple[float, float]]:
    """(estimate, published) in bytes."""
    return [(at_most(row.bounds, row.release), row.activation_bytes) for row in newest()]
