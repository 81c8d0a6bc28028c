from __future__ import annotations

import pytest

from edgewright.tools import UsageError, deployment


@pytest.mark.parametrize("name", ["tflm", "TFLM", "TensorFlow Lite Micro", "tflite-micro"])
@pytest.mark.parametrize(
    ("target", "kernels"),
    [("stm32h743zi", "tflm-cmsis-nn"), ("esp32-s3", "tflm-esp-nn"), ("nrf52840", "tflm-cmsis-nn")],
)
def test_tflm_without_its_kernels_means_those_that_are_usual_there(
    name: str, target: str, kernels: str
) -> None:
    """The portable kernels take some ten times as long: nobody who names TFLM means them by it."""
    chosen = deployment(target, name)
    assert chosen.runtime.id == kernels
    assert f"{name} taken as {kernels}, its usual kernels on {target}" in chosen.assumptions


@pytest.mark.parametrize("name", ["tflm-reference", "tflm-ref", "TFLM reference kernels"])
def test_the_portable_kernels_are_taken_where_they_are_named(name: str) -> None:
    assert deployment("stm32h743zi", name).runtime.id == "tflm-reference"


def test_of_a_family_the_only_member_is_taken_and_that_is_said() -> None:
    chosen = deployment("STM32N6")
    assert chosen.target.id == "stm32n657x0"
    assert "STM32N6 taken as stm32n657x0, the only one known of that family" in chosen.assumptions
    assert not any("family" in note for note in deployment("stm32n657x0").assumptions)


@pytest.mark.parametrize(
    ("target", "runtime", "threads"),
    [
        ("raspberry-pi-5", None, 4),
        ("raspberry-pi-5", "tflm-reference", 1),
        ("rk3588", "rknn", 1),
        ("esp32-s3", None, 1),
        ("rtx-4090", None, 1),
    ],
)
def test_all_cores_are_those_that_the_kernels_divide_their_work_over(
    target: str, runtime: str | None, threads: int
) -> None:
    assert deployment(target, runtime, threads=0).threads == threads


def test_more_threads_than_fast_cores_take_slower_ones_and_wait_for_them() -> None:
    place = deployment("tensor-g1", "litert-xnnpack", threads=4)
    assert (place.core.isa.value, place.clock_mhz) == ("cortex-a76", 2250)
    assert "4 threads on 2 cortex-x1 and 2 cortex-a76 cores, reckoned as 4 cortex-a76" in place.assumptions
    with pytest.raises(UsageError, match="cannot run 9 threads"):
        deployment("tensor-g1", "litert-xnnpack", threads=9)
    with pytest.raises(UsageError, match="1 cortex-m7 cores"):
        deployment("stm32h747xi", "tflm-cmsis-nn", threads=2)
