"""How alike the hardware around two accelerators is: the covariance of a Gaussian process over boards."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

LEVELS = ("hardware", "hardware_of")
"""Of a path: likeness among all boards of a class, and among those with the same family of accelerator."""
LENGTHS = np.array([1.5, 1.5, 0.7, 0.5])
"""How far apart, in natural logarithms, boards are that tell each other little."""


class HardwareFigures(NamedTuple):
    """Natural logarithms, rounded as data sheets are; usual ones stand in for unknown figures."""

    peak: float = 27.6
    """Of multiply-accumulates per second."""
    bandwidth: float = 24.6
    """Of bytes per second of the memory that processors share."""
    clock: float = 7.7
    """Of the megahertz of the fastest core: of the chip's generation."""
    microcontroller: float = 0.0
    """1 where the accelerator is part of one."""
    host: str = ""
    """Class of the target that the accelerator is part of."""
    peak_is_own: bool = True
    """Where another's stands in for it, boards differ by far more."""

    @classmethod
    def of(
        cls,
        peak_macs: float | None,
        bytes_per_s: float | None,
        chip_mhz: float | None,
        host_class: str,
        *,
        peak_is_own: bool = True,
    ) -> HardwareFigures:
        figures = {"peak": peak_macs, "bandwidth": bytes_per_s, "clock": chip_mhz}
        known = {name: round(math.log(figure), 1) for name, figure in figures.items() if figure}
        micro = float(host_class == "mcu")
        return cls(**known, microcontroller=micro, host=host_class, peak_is_own=peak_is_own)

    def __str__(self) -> str:
        """The figures alone."""
        return " ".join(f"{value:g}" for value in self[: len(LENGTHS)])


@functools.lru_cache(maxsize=1 << 14)
def columns_of(node: str) -> Floats:
    """The hardware that stands at the end of a node's name."""
    columns = np.array([float(value) for value in node.rpartition("/")[2].split(" ")])
    columns.setflags(write=False)
    return columns


def covariance(one: Sequence[Floats], other: Sequence[Floats]) -> Floats:
    """(one, other): 1 of the same hardware, less the farther apart, by the squared exponential kernel.

    Rasmussen, Williams, Gaussian Processes for Machine Learning, 2006, equation 4.9.
    """
    apart = (np.array(one)[:, None, :] - np.array(other)[None, :, :]) / LENGTHS
    alike: Floats = np.exp(-0.5 * (apart**2).sum(axis=-1))
    return alike
