import pytest

from edgewright.hardware_db import load_target
from edgewright.hardware_db.measurements import collected_rows, rows, shared_rows
from edgewright.tools.calibration.mapping import core_of, mapped_row, target_named
from edgewright.tools.calibration.runtime_names import runtime_named
from edgewright.tools.cost_model.hierarchy import calibration_path, computed_type

LEAST = {"tensorrt in a data centre": 100, "x86": 100, "npu": 100}
DATA_CENTRE = {"a10", "a30", "a100-sxm4-40gb", "a100-sxm4-80gb", "l40s", "t4", "v100-sxm2-16gb"}

RAW = dict.fromkeys(
    ("id", "source_repo", "source_path", "source_commit", "flag", "use_hint", "device", "board", "core",
     "accelerator", "dtype", "clock_mhz", "runtime", "runtime_version", "batch", "latency_ms", "energy_uj",
     "supply_mv", "ram_activation_kib", "ram_runtime_kib", "ram_total_kib", "flash_weights_kib",
     "flash_code_kib", "flash_total_kib"), ""
)  # fmt: skip


@pytest.mark.parametrize(
    ("runtime", "core", "accelerator", "repository", "meant"),
    [
        ("TFLM (CMSIS-NN)", "cortex-m7", "", "", "tflm-cmsis-nn"),
        ("TFLM with CMSIS-NN kernels", "cortex-m55", "", "", "tflm-cmsis-nn"),
        ("TFLM", "cortex-m33", "", "", "tflm-cmsis-nn"),
        ("TFLM", "xtensa-lx6", "", "", "tflm-reference"),
        ("TFLM+ESP-NN", "xtensa-lx7", "", "", "tflm-esp-nn"),
        ("TFLM (reference kernels)", "cortex-m7", "", "", "tflm-reference"),
        ("TFLM (MCUXpresso SDK/eIQ)", "cortex-m33", "eIQ Neutron NPU", "", "neutron"),
        ("TFLM (Ethos-U delegate, Vela)", "cortex-m55", "Ethos-U55", "", "ethos-u"),
        ("TFLite", "cortex-a75", "", "tensorflow/tensorflow", "litert-builtin"),
        ("TFLite", "cortex-a53", "", "NXP/eiq-model-zoo", "litert-xnnpack"),
        ("TFLite v2.7.1 (ruy)", "cortex-a72", "", "mlcommons/inference_results_v2.1", "litert-builtin"),
        ("TFLite", "cortex-a75", "Adreno 630", "tensorflow/tensorflow", "tflite-gpu"),
        ("TFLite", "cortex-a75", "NNAPI (Hexagon DSP/GPU)", "tensorflow/tensorflow", "litert-nnapi"),
        ("TFLite (C++ benchmark)", "", "Edge TPU", "https://coral.ai/docs/edgetpu/benchmarks", "edgetpu"),
        ("ArmNN OpenCL", "", "", "", "armnn-gpu"),
        ("ST Edge AI Core", "cortex-m55", "ST Neural-ART NPU", "", "neural-art"),
        ("OpenVINO (ARM CPU plugin)", "cortex-a73", "", "", "openvino-arm"),
    ],
)
def test_a_published_runtime_is_named_by_the_kernels_that_ran(
    runtime: str, core: str, accelerator: str, repository: str, meant: str
) -> None:
    assert runtime_named(runtime, core, accelerator, repository) == meant


def test_a_device_is_found_without_what_a_table_adds_of_the_run() -> None:
    found = target_named("RK3576@single_core")
    assert found is not None
    assert found.id == "rk3576"
    assert target_named("Loongson 2K1000") is None


def test_a_board_says_nothing_of_a_device_that_only_sounds_like_a_target() -> None:
    raw = RAW | {"device": "Loongson 3A4000", "board": "loongson-2k1000la", "core": "Loongson"}
    assert mapped_row(raw, "resnet18")["target"] == ""


@pytest.mark.parametrize(
    ("target", "told", "known_as"),
    [
        ("amd-ryzen-5700g", "zen", "x86-64"), ("intel-celeron-n5105", "tremont", "x86-64"),
        ("jh7110", "sifive-u74", "rv64gc"), ("esp32-c3", "rv32", "rv32imc"), ("rk3588", "cortex-a55", "cortex-a55"),
    ],
)  # fmt: skip
def test_a_row_goes_by_the_core_that_its_target_has(target: str, told: str, known_as: str) -> None:
    assert core_of(load_target(target), told) == known_as


def test_rows_of_a_known_target_are_on_a_core_that_it_has() -> None:
    strange = {
        (row["target"], row["processor"])
        for row in rows()
        if row["target"]
        and row["kind"] == "core"
        and row["processor"] not in {core.isa.value for core in load_target(row["target"]).cores}
    }
    assert strange == set()


def test_ncnn_computes_float32_in_float16_where_the_core_can() -> None:
    assert computed_type("ncnn", "cortex-a76", "float32") == "float16"
    assert computed_type("ncnn", "cortex-a72", "float32") == "float32"
    assert computed_type("litert-xnnpack", "cortex-a76", "float32") == "float32"
    as_asked = calibration_path("cpu", "cortex-a76", "float32", "ncnn", target="raspberry-pi-5")
    assert as_asked == calibration_path("cpu", "cortex-a76", "float16", "ncnn", target="raspberry-pi-5")


def test_what_falls_back_to_the_cores_in_whole_is_no_row_of_the_gpu() -> None:
    raw = RAW | {"runtime": "ncnn Vulkan", "accelerator": "Mali-G52", "dtype": "int8", "latency_ms": "9"}
    assert mapped_row(raw, "resnet18")["hint"] == "exclude"
    assert not [r for r in rows() if (r["runtime"], r["dtype"]) == ("ncnn-vulkan", "int8")]


def test_threads_and_releases_are_read_where_a_table_says_them() -> None:
    row = mapped_row(RAW | {"runtime": "TFLite", "runtime_version": "4 threads", "core": "Cortex-A76"}, "")
    assert (row["threads"], row["release"]) == ("4", "")
    row = mapped_row(RAW | {"runtime": "X-CUBE-AI", "runtime_version": "10.2.0", "core": "Cortex-M4"}, "")
    assert row["release"] == "10.2"


def test_no_measurement_of_a_gpu_or_of_mlperf_lacks_its_type() -> None:
    timed = [row for row in shared_rows() if row["latency_ms"] and row["runtime"] == "tensorrt"]
    assert timed
    assert not [row["id"] for row in timed if not row["dtype"]]


def test_collected_rows_are_many_and_of_many_sources_none_of_which_prevails() -> None:
    found = collected_rows()
    sources = [row["repository"] for row in found]
    assert len(found) >= 1500
    assert len(set(sources)) >= 15
    tables = [row["id"].rpartition("-")[0] for row in found]
    assert max(tables.count(name) for name in set(tables)) <= 300


def test_collected_rows_fill_what_was_thin() -> None:
    npu = [r for r in collected_rows() if r["kind"] == "unit" and r["processor"] != "nvidia-gpu"]
    counts = {
        "tensorrt in a data centre": sum(
            r["runtime"] == "tensorrt" and r["target"] in DATA_CENTRE for r in collected_rows()
        ),
        "x86": sum(r["processor"] == "x86-64" for r in collected_rows()),
        "npu": sum(r["processor"] not in ("mali", "adreno") for r in npu),
    }
    assert all(counts[name] >= least for name, least in LEAST.items()), counts


def test_every_collected_row_says_where_it_was_read() -> None:
    own = [r for r in collected_rows() if not r["commit"]]
    assert {r["repository"] for r in own} == {"own"}
