"""What the GPUs of this machine take while something runs on them."""

from __future__ import annotations

import time

from ...hardware_db.errors import install_line
from ..core.sanitize import clean_text
from ..traces.measured_profile import MeasuredEnergy
from .sensors import energy_between, gpu_energy


class GpuMeter:
    """Energy of NVIDIA's GPUs by NVML (`nvidia-ml-py`), for a backend of one's own that runs on them.

    Args:
        index: of one GPU, as nvidia-smi numbers them; None is all of them together.

    Example:
        >>> meter = GpuMeter()
        >>> meter.start()
        >>> meter.energy(runs=100).why_not != "" or meter.energy(runs=100).power_mw > 0
        True
    """

    def __init__(self, index: int | None = None) -> None:
        self._index = index
        self._before = gpu_energy(index)
        self._begin = time.perf_counter()

    def start(self) -> None:
        """Count from now."""
        self._before, self._begin = gpu_energy(self._index), time.perf_counter()

    def energy(self, runs: int) -> MeasuredEnergy:
        """Of one of the runs since `start`, what else ran on the GPU included; or why it is not known."""
        after = gpu_energy(self._index)
        found = energy_between(self._before, after, time.perf_counter() - self._begin, max(1, runs))
        if "is not installed" in found.get("why_not", ""):
            found["why_not"] += f": {install_line('gpu')}"
        return MeasuredEnergy(**{key: _clean(value) for key, value in found.items()})


def _clean(value: float | str) -> float | str:
    return clean_text(value, 200) if isinstance(value, str) else value
