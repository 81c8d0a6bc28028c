"""What an accelerator and its host exchange data over, and how fast it is before packets and protocol."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from .cited import Closed, Leaf


class LinkKind(StrEnum):
    PCIE = "pcie"
    USB = "usb"


class Link(Closed):
    """Between an accelerator and its host's memory: frames, results, and weights that do not stay on chip."""

    kind: LinkKind
    generation: Leaf[int]
    """Of the standard, as the two of them run it: 3 for PCIe 3.0 and for USB 3.0."""
    lanes: Leaf[int] | None = Field(default=None)
    """Lanes of PCIe that both sides have; USB has none."""

    def __str__(self) -> str:
        """PCIe 3.0 x1, USB 3.0."""
        name = f"{'PCIe' if self.kind is LinkKind.PCIE else 'USB'} {self.generation.value}.0"
        return f"{name} x{self.lanes.value}" if self.lanes is not None else name


LANE_BYTES_PER_S = {
    (LinkKind.PCIE, 1): 2.5e9 * 8 / 10 / 8,
    (LinkKind.PCIE, 2): 5e9 * 8 / 10 / 8,
    (LinkKind.PCIE, 3): 8e9 * 128 / 130 / 8,
    (LinkKind.PCIE, 4): 16e9 * 128 / 130 / 8,
    (LinkKind.PCIE, 5): 32e9 * 128 / 130 / 8,
    (LinkKind.USB, 2): 480e6 / 8,
    (LinkKind.USB, 3): 5e9 * 8 / 10 / 8,
}
"""Of one lane and one direction, after the line code: transfers a second times the bits that carry data.

PCIe: torvalds/linux drivers/pci/pci.h, PCIE_SPEED2MBS_ENC. USB: 480 Mb/s without a line code, and 5 Gb/s of
which 8 bits in 10 carry data (blog.csdn.net/qq_31020665/article/details/105103677).
"""


def link_bytes_per_s(link: Link) -> float | None:
    """Rate of one direction after the line code; None for a generation whose rate is not known."""
    lane = LANE_BYTES_PER_S.get((link.kind, link.generation.value))
    return None if lane is None else lane * (link.lanes.value if link.lanes is not None else 1)
