from __future__ import annotations

import pytest

from edgewright.tools import deployment


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
