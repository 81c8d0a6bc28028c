import pytest

from edgewright.hardware_db import load_target
from edgewright.tools.cost_model.reference_peaks import nominal_macs_per_s, typical_macs_per_s


def of(name: str, dtype: str, typical: dict[str, float] | None = None) -> float | None:
    target = load_target(name)
    unit = target.accelerators[0]
    return nominal_macs_per_s(target, unit, unit.family, dtype, None, typical or {})


def test_a_peak_that_the_database_has_is_taken() -> None:
    # 1,024 MACs a cycle at 1 GHz on one of its three cores (RK3588 TRM 36.1)
    assert of("rk3588", "int8") == pytest.approx(1.024e12)
    assert of("rk3588", "uint8") == of("rk3588", "int8")


def test_the_peak_of_another_type_is_halved_for_twice_the_bits() -> None:
    int8 = of("rk3566", "int8")
    assert int8 is not None
    assert of("rk3566", "float16") == pytest.approx(int8 / 2)


def test_an_unknown_peak_is_that_of_the_family_before_that_of_the_class() -> None:
    typical = {"hexagon/int8": 2e13, "class mpu/int8": 1e12}
    assert nominal_macs_per_s(load_target("rk3588"), None, "hexagon", "int8", None, typical) == 2e13
    assert nominal_macs_per_s(load_target("rk3588"), None, "new", "int8", None, typical) == 1e12
    assert nominal_macs_per_s(None, None, "new", "int8", None, typical) is None


def test_graphics_processors_have_no_typical_peak_of_their_class() -> None:
    assert (
        nominal_macs_per_s(load_target("rk3588"), None, "mali", "float32", None, {"class mpu/float32": 1e12})
        is None
    )


def test_typical_is_the_median_of_the_peaks_that_are_told() -> None:
    names = ("rk3562", "rk3566", "rk3588")
    peaks = sorted(peak for name in names if (peak := of(name, "int8")) is not None)
    assert len(peaks) == 3
    assert typical_macs_per_s(load_target(name) for name in names)["rknpu/int8"] == pytest.approx(peaks[1])


def test_one_inference_has_the_peak_of_one_core_of_an_npu_with_several() -> None:
    # two NPUs of 100 TOPS together
    assert of("qcs9075", "int8") == 25e12


def test_units_that_multiply_matrices_halve_their_rate_with_every_doubling_of_the_width() -> None:
    # 284 TOPS int8; NVIDIA's 71 TFLOPS accumulate in float32, as GeForce cards do at half the rate
    assert of("rtx-3090", "int8") == pytest.approx(142e12)
    assert of("rtx-3090", "float16") == pytest.approx(71e12)
    assert of("a100-sxm4-80gb", "tfloat32") == pytest.approx(78e12)  # 156 TFLOPS
    assert of("a100-sxm4-80gb", "float32") == pytest.approx(9.75e12)


def test_without_such_units_float16_is_no_slower_than_float32_and_int8_four_times_as_fast() -> None:
    # Pascal: 0.09 TFLOPS in float16 beside 5.7 in float32, and the dot products of four bytes
    assert of("tesla-p4", "float16") == of("tesla-p4", "float32")
    assert of("tesla-p4", "int8") == pytest.approx(4 * 2.85e12)


@pytest.mark.parametrize(
    "card", ["rtx-2080-ti", "rtx-3070", "rtx-4070", "rtx-5080", "l40", "quadro-rtx-6000"]
)
def test_cards_with_tensor_cores_have_their_peaks(card: str) -> None:
    int8, float16, float32 = (of(card, dtype) for dtype in ("int8", "float16", "float32"))
    assert int8 is not None
    assert float16 is not None
    assert float32 is not None
    assert int8 == pytest.approx(2 * float16, rel=0.01)
    assert float16 >= 3.9 * float32
