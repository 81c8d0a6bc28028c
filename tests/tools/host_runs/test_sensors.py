"""What a machine says of itself: RAPL, NVML, thermal zones and throttling, as files and a library of our own."""

from __future__ import annotations

import types
from pathlib import Path

import pytest

from edgewright.tools import GpuMeter
from edgewright.tools.host_runs import sensors

RAPL = {
    "intel-rapl:0": (5_000_000, "package-0"), "intel-rapl:0:0": (9, "core"), "intel-rapl:1": (100, "package-1"),
    "intel-rapl:2": (7, "psys"),
}  # fmt: skip


@pytest.fixture
def powercap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, (used, domain) in RAPL.items():
        write(tmp_path / name / "name", domain)
        write(tmp_path / name / "energy_uj", used)
        write(tmp_path / name / "max_energy_range_uj", 262143328850)
    monkeypatch.setattr(sensors, "POWERCAP", tmp_path)
    return tmp_path


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without sensors; what a test writes below it is what the machine has."""
    monkeypatch.setattr(sensors, "THERMAL", tmp_path / "thermal")
    monkeypatch.setattr(sensors, "PROCESSORS", tmp_path / "cpu")
    monkeypatch.setattr(sensors, "RASPBERRY", tmp_path / "get_throttled")
    monkeypatch.setattr(sensors, "psutil", None)
    return tmp_path


def write(file: Path, content: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{content}\n")


def zone(system: Path, number: int, kind: str, millidegrees: int) -> None:
    write(system / f"thermal/thermal_zone{number}/type", kind)
    write(system / f"thermal/thermal_zone{number}/temp", millidegrees)


def test_energy_is_that_of_all_packages_and_no_part_twice(powercap: Path) -> None:
    before = sensors.package_energy()
    write(powercap / "intel-rapl:0" / "energy_uj", 8_000_000)
    write(powercap / "intel-rapl:1" / "energy_uj", 1_000_100)
    write(powercap / "intel-rapl:2" / "energy_uj", 9_000_100)
    found = sensors.energy_between(before, sensors.package_energy(), 2.0, 100)
    assert (found["energy_uj"], found["power_mw"]) == (40_000, 2_000)


def test_a_meter_that_went_round_is_counted_on(powercap: Path) -> None:
    before = sensors.package_energy()
    write(powercap / "intel-rapl:0" / "energy_uj", 1_000_000)
    found = sensors.energy_between(before, sensors.package_energy(), 1.0, 1)
    assert found["energy_uj"] == pytest.approx(262143328850 - 4_000_000)


def test_without_a_meter_or_time_enough_energy_is_not_known(
    powercap: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = sensors.package_energy()
    assert "too short" in sensors.energy_between(now, now, 0.01, 3)["why_not"]
    monkeypatch.setattr(sensors, "POWERCAP", powercap / "none")
    gone = sensors.package_energy()
    assert sensors.energy_between(gone, gone, 5.0, 3) == {"why_not": "there is no RAPL meter here"}


class FakeNvml(types.SimpleNamespace):
    """nvidia-ml-py, as far as it is called, with GPUs whose counters a test sets."""

    class NVMLError(Exception):
        pass

    def __init__(self, *millijoules: int | None) -> None:
        super().__init__(millijoules=list(millijoules), opened=0)

    def nvmlInit(self) -> None:
        if not self.millijoules:
            raise self.NVMLError("Driver Not Loaded")
        self.opened += 1

    def nvmlShutdown(self) -> None:
        self.opened -= 1

    def nvmlDeviceGetCount(self) -> int:
        return len(self.millijoules)

    def nvmlDeviceGetHandleByIndex(self, index: int) -> int:
        if index >= len(self.millijoules):
            raise self.NVMLError("Invalid Argument")
        return index

    def nvmlDeviceGetName(self, _handle: int) -> bytes:
        return b"NVIDIA T4"

    def nvmlDeviceGetTotalEnergyConsumption(self, handle: int) -> int:
        if self.millijoules[handle] is None:
            raise self.NVMLError("Not Supported")
        return int(self.millijoules[handle])


@pytest.fixture
def slow_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the clock is a second after the last."""
    seconds = iter(range(1000))
    monkeypatch.setattr(
        "edgewright.tools.host_runs.gpu_meter.time.perf_counter", lambda: float(next(seconds))
    )


@pytest.mark.usefixtures("slow_clock")
def test_a_gpus_energy_is_what_its_counter_rose_by(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = FakeNvml(1_000, 500)
    monkeypatch.setattr(sensors, "pynvml", nvml)
    meter = GpuMeter(0)
    meter.start()
    nvml.millijoules = [41_000, 9_500]
    found = meter.energy(runs=100)
    assert found.energy_uj == pytest.approx(400_000)
    assert found.power_mw == pytest.approx(40_000)
    assert found.by.startswith("NVML, the whole of NVIDIA T4")
    assert nvml.opened == 0


@pytest.mark.usefixtures("slow_clock")
def test_all_gpus_together_are_the_sum_of_their_counters(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = FakeNvml(0, 0)
    monkeypatch.setattr(sensors, "pynvml", nvml)
    meter = GpuMeter()
    nvml.millijoules = [3_000, 1_000]
    assert meter.energy(runs=4).energy_uj == pytest.approx(1_000_000)


@pytest.mark.parametrize(
    ("nvml", "why"),
    [
        (None, "nvidia-ml-py is not installed"),
        (FakeNvml(), "NVML finds no GPU: Driver Not Loaded"),
        (FakeNvml(None), "NVML meters no energy here: Not Supported"),
    ],
)
@pytest.mark.usefixtures("slow_clock")
def test_without_library_driver_or_meter_a_gpus_energy_is_unavailable_and_says_why(
    monkeypatch: pytest.MonkeyPatch, nvml: FakeNvml | None, why: str
) -> None:
    monkeypatch.setattr(sensors, "pynvml", nvml)
    found = GpuMeter().energy(runs=3)
    assert found.energy_uj is None
    assert found.why_not.startswith(why)


def test_a_processors_own_zone_goes_before_a_hotter_one_of_something_else(system: Path) -> None:
    zone(system, 0, "battery", 99_000)
    zone(system, 1, "x86_pkg_temp", 54_500)
    zone(system, 2, "iwlwifi_1", 61_000)
    assert sensors.temperature() == ("x86_pkg_temp", 54.5)


def test_a_sensor_that_is_not_connected_is_no_temperature(system: Path) -> None:
    zone(system, 0, "cpu-thermal", -273_000)
    assert sensors.temperature() is None


def test_without_zones_the_sensors_of_psutil_are_read(system: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reading = types.SimpleNamespace(label="Tctl", current=67.25)
    fake = types.SimpleNamespace(sensors_temperatures=lambda: {"k10temp": [reading]})
    monkeypatch.setattr(sensors, "psutil", fake)
    assert sensors.temperature() == ("k10temp Tctl", 67.25)


def test_heat_that_slows_a_core_during_the_runs_is_seen(system: Path) -> None:
    zone(system, 0, "x86_pkg_temp", 60_000)
    counter = system / "cpu/cpu0/thermal_throttle/core_throttle_count"
    write(counter, 12)
    write(system / "cpu/cpu0/cpufreq/scaling_cur_freq", 3_200_000)
    watch = sensors.Watch()
    zone(system, 0, "x86_pkg_temp", 98_000)
    write(system / "cpu/cpu0/cpufreq/scaling_cur_freq", 1_200_000)
    watch.look()
    zone(system, 0, "x86_pkg_temp", 91_000)
    write(counter, 14)
    assert watch.over() == {
        "sensor": "x86_pkg_temp", "start_c": 60, "end_c": 91, "most_c": 98, "throttled": True,
        "least_clock_mhz": 1200, "most_clock_mhz": 3200,
    }  # fmt: skip


def test_throttling_of_before_the_runs_is_not_theirs(system: Path) -> None:
    write(system / "cpu/cpu0/thermal_throttle/package_throttle_count", 12)
    assert sensors.Watch().over()["throttled"] is False


def test_a_raspberry_pi_that_is_slowed_for_a_moment_is_seen(system: Path) -> None:
    write(system / "get_throttled", "50000")
    watch = sensors.Watch()
    write(system / "get_throttled", "50004")
    watch.look()
    write(system / "get_throttled", "50000")
    assert watch.over()["throttled"] is True


def test_a_machine_that_says_nothing_is_unknown_and_never_cool(system: Path) -> None:
    found = sensors.Watch().over()
    assert found["throttled"] is None
    assert found["start_c"] is None
    assert found["sensor"] == ""
