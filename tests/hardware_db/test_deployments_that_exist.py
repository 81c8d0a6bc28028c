import pytest

from edgewright.hardware_db import Target, load_runtime, load_target, runtime_ids, target_ids
from edgewright.hardware_db.derived import accelerator_for
from edgewright.hardware_db.index import obtainable
from edgewright.tools import recommend_hardware, score_compatibility
from edgewright.tools.core.deployment import deployment
from edgewright.tools.core.deployment_table import all_deployments
from edgewright.tools.model_zoo.named import build_architecture

CUDA = ("tensorrt", "tensorflow", "pytorch")


@pytest.fixture(scope="module")
def targets() -> list[Target]:
    return [load_target(name) for name in target_ids()]


def test_every_runtime_runs_somewhere(targets: list[Target]) -> None:
    used = {name for target in targets for name in target.runtimes}
    assert set(runtime_ids()) == used


@pytest.mark.parametrize("runtime", CUDA)
def test_what_is_made_for_cuda_does_not_run_on_videocore_mali_or_adreno(
    runtime: str, targets: list[Target]
) -> None:
    driven = {
        unit.family
        for target in targets
        if runtime in target.runtimes and (unit := accelerator_for(target, load_runtime(runtime)))
    }
    assert driven <= {"nvidia-gpu", "amd-gpu", "apple-gpu"}
    assert not driven - {"nvidia-gpu"} or runtime != "tensorrt"


def test_pytorch_on_a_raspberry_pi_runs_on_the_cores() -> None:
    assert deployment("raspberry-pi-4b", "pytorch").accelerator is None


def test_every_runtime_says_how_one_gets_it() -> None:
    assert [name for name in runtime_ids() if load_runtime(name).availability is None] == []


def test_what_nobody_can_get_is_no_advice() -> None:
    assert obtainable(("tflm-cmsis-nn", "bosch-hale")) == ("tflm-cmsis-nn",)
    assert "bosch-hale" not in {place.runtime.id for place in all_deployments(targets=["stm32l4r5zi"])}
    ranking = recommend_hardware(build_architecture("kws", dtype="int8"), {"latency_ms": 1000}).ranking
    assert ranking
    assert not {row.runtime for row in ranking} & {"bosch-hale"}


def test_what_nobody_can_get_is_compared_with_where_it_is_asked_for() -> None:
    table = all_deployments(targets=["stm32l4r5zi"], runtimes=["bosch-hale", "tflm-cmsis-nn"])
    assert {place.runtime.id for place in table} == {"bosch-hale", "tflm-cmsis-nn"}


@pytest.mark.parametrize("network", ["vit_tiny_patch16", "bert_base:128", "resnet50"])
def test_an_int8_transformer_runs_in_whole_where_the_runtime_mixes_types(network: str) -> None:
    report = score_compatibility(
        build_architecture(network, dtype="int8"), deployment("a100-sxm4-40gb", "tensorrt")
    )
    assert all(op.supported for op in report.ops)
    assert {op.op for op in report.ops if "computed in float16" in op.reason} >= {"SOFTMAX"}


@pytest.mark.parametrize(
    ("target", "runtime", "family"),
    [
        ("raspberry-pi-5-hailo-8", "hailort", "hailo8"),
        ("k210", "nncase", "kpu"),
        ("rz-v2l", "drp-ai", "drp-ai"),
        ("kria-kv260", "vitis-ai", "dpu"),
        ("jetson-agx-xavier", "tensorrt-dla", "nvdla"),
    ],
)
def test_an_accelerator_beside_its_host_is_a_deployment(target: str, runtime: str, family: str) -> None:
    place = deployment(target, runtime)
    assert place.accelerator is not None
    assert place.accelerator.family == family


def test_the_cores_of_a_board_with_a_module_are_those_of_the_board() -> None:
    alone, with_module = (load_target(name) for name in ("raspberry-pi-5", "raspberry-pi-5-hailo-8"))
    assert with_module.cores == alone.cores
