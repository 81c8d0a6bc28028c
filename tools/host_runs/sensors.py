"""What a machine says of itself while it runs a model: energy, temperature, clock, throttling.

Each reading is the kernel's or the driver's own: RAPL as power/powercap of Linux's documentation has it,
temperatures as driver-api/thermal/sysfs-api (millidegrees Celsius), throttling of x86 as
ABI/testing/sysfs-devices-system-cpu (thermal_throttle), a Raspberry Pi's as its firmware's get_throttled,
energy of NVIDIA's GPUs as NVML's nvmlDeviceGetTotalEnergyConsumption (millijoules since the driver was
loaded; Volta and newer). Where there are no zones, psutil's sensors stand in, if it is installed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

try:
    import pynvml
except ImportError:
    pynvml = None
try:
    import psutil
except ImportError:
    psutil = None

POWERCAP = Path("/sys/class/powercap")
THERMAL = Path("/sys/class/thermal")
PROCESSORS = Path("/sys/devices/system/cpu")
RASPBERRY = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")
METER_S = 0.1
"""Shorter is too near to the steps in which the counters are renewed."""
_COLDEST, _HOTTEST = -40.0, 150.0
"""Beyond stands a sensor that is not connected."""
_OF_A_PROCESSOR = ("x86_pkg_temp", "cpu", "soc", "coretemp", "k10temp", "zenpower", "tctl")
"""How zones and sensors of a processor are called, the best first."""
_THROTTLED = 0b1111
"""Bits 0 to 3 of get_throttled are what holds now: undervoltage, clock capped, throttled, soft limit."""


class Energy(NamedTuple):
    """Of meters that count up: microjoules so far by meter, or why they are not known."""

    by: str
    so_far_uj: dict[str, int]
    why_not: str = ""
    wraps_at_uj: dict[str, int] = {}  # noqa: RUF012 - a NamedTuple's default, never written to


def package_energy() -> Energy:
    """Of each processor package."""
    zones = sorted(POWERCAP.glob("intel-rapl:[0-9]*")) if POWERCAP.is_dir() else []
    packages = [zone for zone in zones if _is_package(zone)]
    if not packages:
        return Energy("", {}, "there is no RAPL meter here")
    try:
        used = {str(zone): int(_text(zone / "energy_uj")) for zone in packages}
        wraps = {str(zone): int(_text(zone / "max_energy_range_uj")) for zone in packages}
    except PermissionError:
        return Energy("", {}, f"only root may read {packages[0]}/energy_uj here")
    except (OSError, ValueError):
        return Energy("", {}, f"{packages[0]}/energy_uj cannot be read")
    return Energy("RAPL, the whole processor package with whatever else ran on it", used, "", wraps)


def _is_package(zone: Path) -> bool:
    """Not a part of one (intel-rapl:0:0), and not the whole platform, which holds them all (psys)."""
    try:
        name = _text(zone / "name")
    except OSError:
        return False
    return name.startswith("package") and ":" not in zone.name.removeprefix("intel-rapl:")


def gpu_energy(index: int | None = None) -> Energy:
    """Of NVIDIA's GPUs together, or of one of them."""
    if pynvml is None:
        return Energy("", {}, "nvidia-ml-py is not installed, which reads the meters of NVIDIA's GPUs")
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError as error:
        return Energy("", {}, f"NVML finds no GPU: {error}")
    try:
        chosen = range(pynvml.nvmlDeviceGetCount()) if index is None else (index,)
        devices = [pynvml.nvmlDeviceGetHandleByIndex(each) for each in chosen]
        names = [_word(pynvml.nvmlDeviceGetName(device)) for device in devices]
        used = {
            f"GPU {at}": 1000 * int(pynvml.nvmlDeviceGetTotalEnergyConsumption(device))
            for at, device in zip(chosen, devices, strict=True)
        }
    except pynvml.NVMLError as error:
        return Energy("", {}, f"NVML meters no energy here: {error}")
    finally:
        pynvml.nvmlShutdown()
    if not used:
        return Energy("", {}, "NVML finds no GPU")
    return Energy(f"NVML, the whole of {', '.join(names)} with whatever else ran on it", used)


def _word(name: str | bytes) -> str:
    return name.decode("utf-8", "replace") if isinstance(name, bytes) else name


def energy_between(before: Energy, after: Energy, seconds: float, runs: int) -> dict[str, Any]:
    """Fields of a `MeasuredEnergy`: of one run, or why it is not known."""
    if before.why_not or after.why_not:
        return {"why_not": before.why_not or after.why_not}
    if seconds < METER_S:
        took = f"the runs took {seconds * 1e3:.3g} ms in all"
        return {"why_not": f"{took}, too short for the meter: repeat more"}
    used = 0
    for meter, end in after.so_far_uj.items():
        turned = end < before.so_far_uj[meter]
        used += end - before.so_far_uj[meter] + (after.wraps_at_uj.get(meter, 0) if turned else 0)
    return {"energy_uj": used / runs, "power_mw": used / seconds / 1e3, "by": after.by}


def temperature() -> tuple[str, float] | None:
    """Sensor and degrees Celsius of the processor, or of what is hottest; None where nothing says."""
    found = [*_zones()] or [*_of_psutil()]
    known = [(name, degrees) for name, degrees in found if _COLDEST < degrees < _HOTTEST]
    for wanted in _OF_A_PROCESSOR:
        own = [each for each in known if wanted in each[0].casefold()]
        if own:
            return max(own, key=lambda each: each[1])
    return max(known, key=lambda each: each[1], default=None)


def _zones() -> Iterator[tuple[str, float]]:
    for zone in sorted(THERMAL.glob("thermal_zone*")) if THERMAL.is_dir() else ():
        with contextlib.suppress(OSError, ValueError):
            yield _text(zone / "type")[:40], int(_text(zone / "temp")) / 1e3


def _of_psutil() -> Iterator[tuple[str, float]]:
    read = getattr(psutil, "sensors_temperatures", None)
    for chip, readings in (read() if read is not None else {}).items():
        yield from ((f"{chip} {one.label}".strip()[:40], float(one.current)) for one in readings)


def clock_mhz(processor: int = 0) -> float | None:
    """Of a core, as the kernel sets it now."""
    with contextlib.suppress(OSError, ValueError):
        return int(_text(PROCESSORS / f"cpu{processor}" / "cpufreq" / "scaling_cur_freq")) / 1e3
    return None


def times_throttled() -> int | None:
    """How often heat has slowed the processors so far; None where nothing counts it."""
    counts = []
    for name in ("core_throttle_count", "package_throttle_count"):
        for file in sorted(PROCESSORS.glob(f"cpu[0-9]*/thermal_throttle/{name}")):
            with contextlib.suppress(OSError, ValueError):
                counts.append(int(_text(file)))
    return sum(counts) if counts else None


def throttled_now() -> bool | None:
    """Whether a Raspberry Pi's firmware slows it at the moment; None elsewhere."""
    with contextlib.suppress(OSError, ValueError):
        return bool(int(_text(RASPBERRY), 16) & _THROTTLED)
    return None


class Watch:
    """Temperature, clock and throttling from the first run to the last, read between runs now and then."""

    def __init__(self, processor: int = 0) -> None:
        self._processor = processor
        self._temperatures: list[tuple[str, float]] = []
        self._clocks: list[float] = []
        self._slow: list[bool] = []
        self._counted = times_throttled()
        self.look()

    def look(self) -> None:
        if (degrees := temperature()) is not None:
            self._temperatures.append(degrees)
        if (mhz := clock_mhz(self._processor)) is not None:
            self._clocks.append(mhz)
        if (slow := throttled_now()) is not None:
            self._slow.append(slow)

    def over(self) -> dict[str, Any]:
        """Fields of a `ThermalState`."""
        self.look()
        slowed = any(self._slow) if self._slow else None
        if self._counted is not None and (counted := times_throttled()) is not None:
            slowed = counted > self._counted
        degrees = [each[1] for each in self._temperatures]
        return {
            "sensor": self._temperatures[0][0] if degrees else "",
            "start_c": degrees[0] if degrees else None,
            "end_c": degrees[-1] if degrees else None,
            "most_c": max(degrees, default=None),
            "throttled": slowed,
            "least_clock_mhz": min(self._clocks, default=None),
            "most_clock_mhz": max(self._clocks, default=None),
        }


def _text(file: Path) -> str:
    return file.read_text(encoding="ascii", errors="replace").strip()
