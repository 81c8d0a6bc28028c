from edgewright.tools import Settings, deployment, estimate_performance, parse_model
from edgewright.tools.core.releases import newest_first
from edgewright.tools.cost_model.deployment_path import deployment_path
from edgewright.tools.cost_model.kernels import release_taken
from edgewright.tools.graph.requantize import to_float16, to_int8


def taken(target: str, runtime: str, dtype: str) -> str:
    return release_taken(deployment_path(deployment(target, runtime), dtype))


def test_an_estimate_stands_for_the_newest_release_that_was_measured() -> None:
    assert taken("stm32h743zi", "x-cube-ai", "int8") == newest_first({"8.1", "10.0", "9.1"})[0]
    assert taken("raspberry-pi-4b", "litert-builtin", "float32") == "2.7"


def test_builds_that_have_no_number_stay_the_usual_one() -> None:
    assert taken("stm32l4r5zi", "tflm-cmsis-nn", "int8").startswith("-O")


def test_a_release_that_is_named_is_taken() -> None:
    assert taken("stm32h743zi", "x-cube-ai@8.1", "int8") == "8.1"


ALONE = Settings(measured_first=False)


def test_an_estimate_by_a_new_release_of_few_rows_stays_near_that_of_the_usual_one() -> None:
    """MLPerf Tiny v1.3 over v1.1: X-CUBE-AI 10.2 takes 0.66 (ad on U575), 0.70 (ad on L4R5) and 0.75 (kws on
    U575) of what 8.1 took."""
    new, usual = (
        estimate_performance("kws", deployment("stm32u585ai", runtime, settings=ALONE)).latency_ms.value
        for runtime in ("x-cube-ai", "x-cube-ai@8.1")
    )
    assert 0.66 < new / usual < 1.33


def test_int8_with_tensorrt_is_faster_than_float16_on_a_jetson_or_may_be() -> None:
    """AGX Orin's float16 was measured at its highest clocks, its int8 nowhere: intervals overlap there."""
    for target, margin in (
        ("jetson-orin-nano-8gb", False),
        ("jetson-orin-nx-16gb", False),
        ("jetson-agx-orin-64gb", True),
    ):
        place = deployment(target, "tensorrt")
        graph = parse_model("yolov8n")
        int8, float16 = (estimate_performance(to(graph), place).latency_ms for to in (to_int8, to_float16))
        assert int8.low < float16.high if margin else int8.value < float16.value
