from edgewright.hardware_db.coefficients import load_coefficients
from edgewright.tools import Settings, deployment, estimate_performance
from edgewright.tools.core.deployment import Deployment
from edgewright.tools.cost_model.deployment_path import deployment_path

ESTIMATED = Settings(measured_first=False)
SOFT = "soft:mcu/float32"


def on(target: str, runtime: str) -> Deployment:
    return deployment(target, runtime, settings=ESTIMATED)


def latency_ms(model: str, target: str, runtime: str) -> float:
    found = estimate_performance(model, on(target, runtime)).latency_ms.value
    assert found is not None
    return found


def test_float32_without_a_unit_for_it_is_computed_by_calls() -> None:
    assert SOFT in deployment_path(on("rp2040", "tflm-reference"), "float32")
    assert SOFT not in deployment_path(on("rp2040", "tflm-reference"), "int8")
    assert SOFT not in deployment_path(on("stm32l4r5zi", "tflm-reference"), "float32")


def test_calls_take_several_times_as_long_as_a_floating_point_unit() -> None:
    # EdgeMark's firmware on one STM32L4R5 takes 2.8 to 4.3 times as long with the FPU off, in convolutions
    per_mhz = latency_ms("kws:float32", "rp2040", "tflm-reference") * 133
    with_a_unit = latency_ms("kws:float32", "stm32l4r5zi", "tflm-reference") * 120
    assert per_mhz > 2.8 * with_a_unit


def test_an_npu_whose_peak_nobody_states_is_known_less_than_others() -> None:
    untold = "untold:npu/sa8295p"
    assert untold in deployment_path(on("sa8295p", "qnn"), "int8")
    assert untold in load_coefficients().nodes
    assert not [s for s in deployment_path(on("rk3588", "rknn"), "int8") if s.startswith("untold:")]


def test_an_interval_that_is_no_estimate_says_what_would_make_it_one() -> None:
    wide = estimate_performance("kws", on("k210", "tflm-reference"))
    assert any("is unknown, between" in said and "one measurement" in said for said in wide.warnings)
    known = estimate_performance("yolov8n", on("raspberry-pi-4b", "ncnn"))
    assert not any("is unknown" in said for said in known.warnings)
