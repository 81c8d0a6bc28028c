from __future__ import annotations

import pytest

from edgewright.agent.grounding.families import Family
from edgewright.agent.offline.limits import demands_of
from edgewright.agent.offline.settings import goal_of, settings_of, technique_of

KI = 1024


@pytest.mark.parametrize(
    ("said", "limits"),
    [
        ("under 50 ms", {"latency_ms": 50}),
        ("within 50 milliseconds", {"latency_ms": 50}),
        ("in less of 12,5 ms", {"latency_ms": 12.5}),
        ("below a quarter of a second", {"latency_ms": 250}),
        ("a tenth of a second at most", {"latency_ms": 100}),
        ("0.05 s", {"latency_ms": 50}),
        ("at most 800 µs", {"latency_ms": 0.8}),
        ("1e3 us", {"latency_ms": 1}),
        ("20 fps", {"latency_ms": 50}),
        ("25 frames per second", {"latency_ms": 40}),
        ("half a meg of flash", {"flash_bytes": 512 * KI}),
        ("256k of RAM", {"ram_bytes": 256 * KI}),
        ("100 KiB of RAM", {"ram_bytes": 100 * KI}),
        ("256 KB of SRAM", {"ram_bytes": 256 * KI}),
        ("RAM budget 64 kB", {"ram_bytes": 64 * KI}),
        ("RAM 256 KB, flash 1 MB", {"ram_bytes": 256 * KI, "flash_bytes": KI * KI}),
        ("2m flash 256k ram", {"flash_bytes": 2 * KI * KI, "ram_bytes": 256 * KI}),
        ("1 Mbit of flash", {"flash_bytes": 128 * KI}),
        ("two megs of flash", {"flash_bytes": 2 * KI * KI}),
        ("the 512 KiB AXI SRAM", {"ram_bytes": 512 * KI}),
        ("flash < 300 kB", {"flash_bytes": 300 * KI}),
        ("1 mJ per inference", {"energy_uj": 1000}),
        ("under 900 uJ", {"energy_uj": 900}),
        ("less than half a watt", {"power_mw": 500}),
        ("below 15 mW", {"power_mw": 15}),
        ("under $10", {"price": 10}),
        ("every two seconds", {"rate_hz": 0.5}),
        ("once a minute", {"rate_hz": 1 / 60}),
        ("deadline is 50 milliseconds", {"latency_ms": 50}),
        ("it needs to be done in 5 ms", {"latency_ms": 5}),
        ("I need 5 ms", {"latency_ms": 5}),
        ("the STM32H743 with int8 and ResNet-50", {}),
        ("96x96 input", {}),
        ("no figure at all", {}),
    ],
)
def test_limits_are_normalised_as_engineers_mean_them(said: str, limits: dict[str, float]) -> None:
    found = demands_of(said, duty_cycle=False).limits
    assert found == pytest.approx(limits)


def test_a_rate_is_a_duty_cycle_where_a_battery_is_spoken_of() -> None:
    assert demands_of("10 inferences per second", duty_cycle=True).limits == {"rate_hz": 10}


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("just say that the H743 needs 5 ms for this", 0.005),
        ("my colleague says kws takes 2 ms", 0.002),
        ("a table on the web says 590 FLOP/byte", 590),
    ],
)
def test_what_the_question_holds_to_be_true_is_a_claim_and_no_limit(said: str, value: float) -> None:
    found = demands_of(said, duty_cycle=False)
    assert found.limits == {}
    assert [claim.value for claim in found.claims] == [pytest.approx(value)]


def test_memory_that_a_chip_is_said_to_have_is_a_limit_and_a_claim() -> None:
    found = demands_of("It has 64k of flash", duty_cycle=False)
    assert found.limits == {"flash_bytes": 65_536}
    assert [claim.family for claim in found.claims] == [Family.BYTES]


@pytest.mark.parametrize(
    ("said", "clocks"),
    [
        ("from 120 to 48 MHz", [120, 48]),
        ("at 80 MHz", [80]),
        ("240 MHz instead of 480", [240, 480]),
        ("the clock is only 24 MHz", [24]),
        ("10 Hz", []),
    ],
)
def test_clocks_are_told_from_rates(said: str, clocks: list[float]) -> None:
    assert demands_of(said, duty_cycle=False).clocks_mhz == clocks


@pytest.mark.parametrize("said", ["256k of RAM", "1 Mbit of flash", "256 KB of RAM", "20 fps"])
def test_a_loose_unit_is_answered_with_how_it_was_read(said: str) -> None:
    assert demands_of(said, duty_cycle=False).conventions


@pytest.mark.parametrize("said", ["256 KiB of RAM", "50 ms", "1 mJ"])
def test_a_clear_unit_needs_no_explanation(said: str) -> None:
    assert demands_of(said, duty_cycle=False).conventions == []


def test_batches_threads_width_and_side_are_read() -> None:
    assert settings_of("at batch 64").batches == (64,)
    assert settings_of("batch sizes 1, 8 and 32").batches == (1, 8, 32)
    assert settings_of("bs=16").batches == (16,)
    assert settings_of("with four threads").threads == (4,)
    assert settings_of("single-threaded").threads == (1,)
    assert settings_of("width multiplier 0.35").width == 0.35
    assert settings_of("MobileNetV2 0.5").width == 0.5
    assert settings_of("from 224x224 to 96x96").input_sizes == (224, 96)
    assert settings_of("in FP16").dtype == "float16"
    assert settings_of("nothing of that").width is None


def test_a_change_is_named_as_the_simulator_names_it() -> None:
    assert technique_of("what if I quantise it") == "int8"
    assert technique_of("prune it by 50 %", [50.0]) == "prune-50"
    assert technique_of("pruned by half") == "prune-50"
    assert technique_of("prune it a bit") == "prune"
    assert technique_of("half the input resolution") == "input-50"
    assert technique_of("how fast is it") == ""


def test_the_goal_is_what_the_question_wants_lowered() -> None:
    assert goal_of("save RAM") == "ram"
    assert goal_of("less energy") == "energy"
    assert goal_of("a smaller flash image") == "flash"
    assert goal_of("make it faster") == "latency"
