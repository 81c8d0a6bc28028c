"""Firmware of `code --instrument`: compiled here with a stand-in for the interpreter, and talked to over a line."""

from __future__ import annotations

import os
import shutil
import subprocess
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from edgewright.tools import (
    FirmwareCode,
    InputError,
    UsageError,
    deployment,
    firmware_code,
    profile_on_board,
    write_firmware,
)
from edgewright.tools.host_runs import golden
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.model_zoo.named import build_architecture

STUBS = Path(__file__).parents[2] / "stubs" / "tflm"
H743 = deployment("stm32h743zi", "tflm-cmsis-nn")
KWS = build_architecture("kws", dtype="int8")
WARNINGS = ("-std=c++17", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror")
FAKE = """
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <unistd.h>
#include "board_model.h"
#include "tensorflow/lite/micro/micro_interpreter.h"
#include "tensorflow/lite/micro/micro_time.h"

#if defined(BOARD_ETHOS_U)
#include <pmu_ethosu.h>
extern "C" void ethosu_inference_begin(struct ethosu_driver* driver, void*);
extern "C" void ethosu_inference_end(struct ethosu_driver* driver, void*);
#endif

// Takes 50 us an operator, and knows the answers to the questions that it was given.
bool FakeInvoke(tflite::MicroProfilerInterface* profiler, void* input, void* output) {
  static int runs = 0;
  const char* fault = std::getenv("FAULT");
  if (fault != nullptr && std::strcmp(fault, "reset") == 0 && ++runs == 9) execl("/proc/self/exe", "program", nullptr);
  if (fault != nullptr && std::strcmp(fault, "invoke") == 0 && ++runs == 9) return false;
  for (const char* tag : {%s}) {
    const uint32_t handle = profiler->BeginEvent(tag);
    const uint32_t begin = tflite::GetCurrentTimeTicks();
    const uint32_t inner = profiler->BeginEvent("INNER");
    while (tflite::GetCurrentTimeTicks() - begin < 500) {
    }
#if defined(BOARD_ETHOS_U)
    static ethosu_driver npu;
    ethosu_inference_begin(&npu, nullptr);
    FakeNpuRuns(&npu);
    ethosu_inference_end(&npu, nullptr);
#endif
    profiler->EndEvent(inner);
    profiler->EndEvent(handle);
  }
  for (int at = 0; at < board::kVectors; ++at) {
    if (std::memcmp(input, board::kGoldenInputs[at], board::kInputs[0].bytes) != 0) continue;
    std::memcpy(output, board::kGoldenOutputs[at], board::kOutputs[0].bytes);
    if (fault != nullptr && std::strcmp(fault, "wrong") == 0) static_cast<signed char*>(output)[at] ^= 4;
  }
  return true;
}
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("model") / "kws.tflite"
    file.write_bytes(write_tflite(KWS))
    return file


@pytest.fixture(scope="module")
def code(model: Path) -> FirmwareCode:
    pytest.importorskip("ai_edge_litert.interpreter")
    return firmware_code(model, H743, instrument=True)


@pytest.fixture(scope="module")
def program(code: FirmwareCode, tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("no C++ compiler on this machine")
    folder = tmp_path_factory.mktemp("firmware")
    write_firmware(code, folder, force=True)
    tags = ", ".join(f'"{op.kind}"' for op in KWS.ops)
    (folder / "fake.cc").write_text(FAKE % tags, encoding="utf-8")
    return built(folder, "program")


def built(folder: Path, name: str, *defines: str) -> Path:
    compiler = shutil.which("g++") or shutil.which("clang++")
    assert compiler is not None
    made = folder / name
    sources = sorted(map(str, folder.glob("*.cc")))
    done = subprocess.run(
        [compiler, "-O1", *WARNINGS, *defines, f"-I{STUBS}", f"-I{folder}", *sources, "-o", str(made)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return made


@contextmanager
def running(program: Path, fault: str = "") -> Iterator[str]:
    """The firmware behind a pseudo-terminal, whose other end is the port."""
    master, slave = os.openpty()
    tty.setraw(master)
    tty.setraw(slave)
    with subprocess.Popen([program], stdin=master, stdout=master, env={"FAULT": fault}) as firmware:
        try:
            yield os.ttyname(slave)
        finally:
            firmware.kill()
            firmware.wait()
            os.close(slave)
            os.close(master)


def test_the_firmware_times_each_operator_and_proves_its_outputs(model: Path, program: Path) -> None:
    with running(program) as port:
        found = profile_on_board(model, H743, port, repeat=100, wait_s=20)
    assert found.board is not None
    assert found.board.outputs_match is True
    assert found.board.elements == 3 * 12
    assert found.deployment.clock_mhz == 480
    assert all(layer.measured_ms is not None and layer.measured_ms > 0.049 for layer in found.layers)
    assert found.layers[0].low_ms == pytest.approx(0.05, rel=0.5)  # other work here can only delay it
    assert found.latency_ms.value is not None
    assert found.latency_ms.value >= 0.05 * len(KWS.ops)
    assert not found.unmatched_events
    assert found.board.build.startswith(("gcc", "clang"))


def test_wrong_outputs_are_told_by_element_and_size(model: Path, program: Path) -> None:
    with running(program, "wrong") as port:
        found = profile_on_board(model, H743, port, repeat=10, wait_s=20)
    assert found.board is not None
    assert (found.board.outputs_match, found.board.different_elements) == (False, 3)
    assert found.board.largest_difference == 4


def test_a_restart_of_the_firmware_is_noticed(model: Path, program: Path) -> None:
    with running(program, "reset") as port, pytest.raises(InputError, match="restarted amid its runs"):
        profile_on_board(model, H743, port, repeat=50, wait_s=20)


def test_an_operator_that_fails_is_told(model: Path, program: Path) -> None:
    with running(program, "invoke") as port, pytest.raises(InputError, match="an operator failed"):
        profile_on_board(model, H743, port, repeat=50, wait_s=20)


def test_another_file_of_the_same_network_is_told_from_the_flashed_one(program: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.tflite"
    other.write_bytes(write_tflite(KWS, seed=1))
    with running(program) as port, pytest.raises(InputError, match="holds another model"):
        profile_on_board(other, H743, port, repeat=10, wait_s=20)


def test_a_command_can_be_typed_without_a_checksum(program: Path) -> None:
    done = subprocess.run(
        [program], input="hello?\n@ew1 run warm=0 runs=1\n@ew1 dance\n@ew1 check*0000\n", capture_output=True,
        text=True, check=True, timeout=20,
    )  # fmt: skip
    assert "@ew1 done of=run runs=1*" in done.stdout
    assert "@ew1 fail of=command why=unknown*" in done.stdout
    assert "@ew1 fail of=command why=checksum*" in done.stdout


@pytest.mark.parametrize(("generation", "beats"), [(55, 4000), (65, 4000), (85, 5000)])
def test_an_npus_own_counters_come_with_each_operator(
    model: Path, program: Path, generation: int, beats: int
) -> None:
    made = built(program.parent, f"with_npu_{generation}", f"-DBOARD_ETHOS_U={generation}")
    with running(made) as port:
        found = profile_on_board(model, H743, port, repeat=10, wait_s=20)
    operators = len(KWS.ops)
    counts = {name: count / operators for name, count in found.counters.items() if name != "cycles"}
    assert counts == {"npu_idle": 1000, "npu_active": 2000, "mac_cycles": 3000, "read_beats": beats}


def test_only_firmware_for_an_ethos_u_has_its_pmu() -> None:
    place = deployment("ensemble-e7", "ethos-u")
    files = firmware_code(KWS, place, instrument=True).files
    assert "#define BOARD_ETHOS_U 55" in files["board_model.h"]
    assert "ethosu_inference_begin" in files["board.cc"]
    plain = firmware_code(KWS, H743, instrument=True).files
    assert "BOARD_ETHOS_U" not in plain["board_model.h"]


COUNTERS = {
    "a Cortex-M4 or M7": ("__ARM_ARCH_7EM__",),
    "a Cortex-M33": ("__ARM_ARCH_8M_MAIN__",),
    "a Cortex-M55 or M85": ("__ARM_ARCH_8_1M_MAIN__",),
    "a Cortex-M55 with an Ethos-U85": ("__ARM_ARCH_8_1M_MAIN__", "BOARD_ETHOS_U=85"),
    "an ESP32": ("ESP_PLATFORM",),
    "its own": ("BOARD_OWN_COUNTER", "BOARD_OWN_UART"),
}


@pytest.mark.parametrize("core", COUNTERS)
def test_the_counter_of_each_core_compiles(core: str, program: Path) -> None:
    compiler = shutil.which("g++") or shutil.which("clang++")
    assert compiler is not None
    defines = [f"-D{name}" for name in COUNTERS[core]]
    done = subprocess.run(
        [compiler, "-fsyntax-only", *WARNINGS, *defines, f"-I{STUBS}", f"-I{program.parent}",
         str(program.parent / "board.cc")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("core", ["cortex-m4", "cortex-m55"])
def test_the_cross_compiler_takes_it(core: str, program: Path) -> None:
    compiler = shutil.which("arm-none-eabi-g++")
    if compiler is None:
        pytest.skip("arm-none-eabi-g++ is not installed")
    done = subprocess.run(
        [compiler, f"-mcpu={core}", "-mthumb", "-O2", "-c", "-std=c++17", "-fno-exceptions", "-fno-rtti",
         f"-I{STUBS}", f"-I{program.parent}", str(program.parent / "board.cc"), "-o", os.devnull],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


PROJECTS = {
    "esp-idf": (deployment("esp32-s3", "tflm-esp-nn"), "main", "main/CMakeLists.txt"),
    "zephyr": (deployment("nrf52840", "tflm-cmsis-nn"), "src", "CMakeLists.txt"),
    "platformio": (deployment("teensy-4.1", "tflm-cmsis-nn"), "src", None),
}


@pytest.mark.parametrize("system", PROJECTS)
def test_a_whole_project_is_built_of_the_measuring_files_and_asks_for_its_line(system: str) -> None:
    pytest.importorskip("ai_edge_litert.interpreter")
    place, folder, listing = PROJECTS[system]
    code = firmware_code("kws", place, project=system, instrument=True)
    assert {f"{folder}/{name}" for name in ("board.cc", "golden_vectors.cc", "main.cc")} <= set(code.files)
    assert f"{folder}/model_data.cc" not in code.files  # the project makes it of the model's file
    assert "BoardMain();" in code.files[f"{folder}/main.cc"]
    sources = [Path(name).name for name in code.files if name.endswith(".cc")]
    assert listing is None or all(name in code.files[listing] for name in sources)
    own_uart = "namespace board {" in code.files[f"{folder}/main.cc"]
    assert own_uart == any(
        "BOARD_OWN_UART" in text for name, text in code.files.items() if "board" not in name
    )


def test_a_model_that_vela_still_compiles_is_compared_by_its_name_alone() -> None:
    pytest.importorskip("ai_edge_litert.interpreter")
    code = firmware_code("kws", deployment("alif-e7", "ethos-u"), instrument=True)
    assert "kModelBytes = 0;" in code.files["board_model.h"]
    assert "model_data.cc" not in code.files
    assert "constexpr int kVectors = 3;" in code.files["board_model.h"]


def test_without_a_library_to_compute_with_there_is_firmware_and_the_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    worker = tmp_path / "worker.py"
    worker.write_text("raise ModuleNotFoundError('no module')")
    monkeypatch.setattr(golden, "_WORKER", worker)
    code = firmware_code("kws", H743, instrument=True)
    assert "constexpr int kVectors = 0;" in code.files["board_model.h"]
    assert any("No golden vectors: neither" in note for note in code.notes)


def test_a_model_with_large_tensors_gets_no_vectors_that_fill_the_flash() -> None:
    code = firmware_code("mobilenet_v2:int8", H743, instrument=True)
    assert any("of flash" in note and note.startswith("No golden") for note in code.notes) or any(
        note.startswith("One golden vector") for note in code.notes
    )


def test_a_runtime_that_is_not_tflite_micro_is_refused_with_the_one_that_is() -> None:
    with pytest.raises(UsageError, match=r"TFLite Micro, not for x-cube-ai.*tflm-cmsis-nn"):
        firmware_code("kws", deployment("stm32h743zi", "x-cube-ai"), instrument=True)
