"""Whole projects: each one's own main, runner and array are compiled with stand-ins and run."""

from __future__ import annotations

import configparser
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from _pytest.monkeypatch import MonkeyPatch

from edgewright.tools import FirmwareCode, InputError, deployment, firmware_code, write_firmware
from edgewright.tools.codegen.boards import board_of

STUBS = Path(__file__).parents[2] / "stubs" / "tflm"
BYTES = bytes(range(40))
CASES = [
    ("zephyr", "stm32h743zi", "src", ""),
    ("zephyr", "nrf5340", "src", ""),
    ("platformio", "stm32l4r5zi", "src", "int main() { setup(); loop(); }"),
    ("platformio", "teensy-4.1", "src", "int main() { setup(); loop(); }"),
    ("platformio", "esp32-s3", "main", 'extern "C" void app_main(); int main() { app_main(); }'),
    ("esp-idf", "esp32-s3", "main", 'extern "C" void app_main(); int main() { app_main(); }'),
]


def written(system: str, target: str, folder: Path) -> FirmwareCode:
    code = write_firmware(firmware_code("kws", deployment(target), project=system), folder)
    (folder / "model.tflite").write_bytes(BYTES)
    return code


def make_array(project: Path, sources: Path, monkeypatch: MonkeyPatch) -> None:
    """As the build system would: its script of CMake, or of Python."""
    script = project / "model_data.py"
    if script.exists():
        scope = {"Import": lambda _: None, "env": {"PROJECT_DIR": str(project)}}
        exec(compile(script.read_text(encoding="utf-8"), str(script), "exec"), scope)
        return
    if shutil.which("cmake") is None:
        pytest.skip("no cmake on this machine")
    subprocess.run(["cmake", "-P", str(sources / "model_data.cmake")], check=True, capture_output=True)


@pytest.mark.parametrize(("system", "target", "folder", "caller"), CASES)
def test_the_sources_of_a_project_compile_together_and_run_the_model(
    system: str,
    target: str,
    folder: str,
    caller: str,
    compiler: str,
    tmp_path: Path,
    monkeypatch: MonkeyPatch,
) -> None:
    project = tmp_path / "project"
    written(system, target, project)
    sources = project / folder
    make_array(project, sources, monkeypatch)
    assert "model_data[] = {\n0x00,0x01," in (sources / "model_data.cc").read_text(encoding="utf-8")
    made = [str(sources / name) for name in ("main.cc", "model_runner.cc", "model_data.cc")]
    if caller:
        (tmp_path / "caller.cc").write_text(f"#include <Arduino.h>\n{caller}\n", encoding="utf-8")
        made.append(str(tmp_path / "caller.cc"))
    program = tmp_path / "program"
    flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{STUBS}", f"-I{sources}"]
    subprocess.run([compiler, *flags, *made, "-o", str(program)], check=True)
    ran = subprocess.run([str(program)], capture_output=True, text=True, check=True)
    assert "operators 6 of 6" in ran.stdout


@pytest.mark.parametrize("target", ["stm32h743zi", "esp32-s3", "nrf52840", "teensy-4.0"])
def test_platformio_is_given_a_board_that_its_platform_has(target: str, tmp_path: Path) -> None:
    code = written("platformio", target, tmp_path / "project")
    ini = configparser.ConfigParser()
    ini.read_string(code.files["platformio.ini"])
    board = board_of(target)
    section = ini[f"env:{board.platformio}"]
    assert (section["platform"], section["board"]) == (board.platform, board.platformio)
    assert code.commands[-1] == "pio run"


def test_platformio_builds_an_esp32_from_the_sources_of_esp_idf() -> None:
    both = [firmware_code("kws", deployment("esp32-s3"), project=name) for name in ("platformio", "esp-idf")]
    platformio, esp_idf = ({**code.files, "README.md": ""} for code in both)
    assert "src_dir = main" in platformio.pop("platformio.ini")
    assert platformio == esp_idf


def test_platformio_takes_the_kernels_that_the_estimate_is_for() -> None:
    of = {
        runtime: firmware_code("kws", deployment("stm32h743zi", runtime), project="platformio")
        for runtime in ("tflm-cmsis-nn", "tflm-reference")
    }
    assert ["CMSIS_NN" in code.files["platformio.ini"] for code in of.values()] == [True, False]
    assert ["OPTIMIZED_KERNEL_DIR=cmsis_nn" in " ".join(code.commands) for code in of.values()] == [
        True,
        False,
    ]
    manifest = json.loads(of["tflm-cmsis-nn"].files["lib/tflite-micro/library.json"])
    assert "+<signal/>" in manifest["build"]["srcFilter"]


def test_zephyr_takes_the_kernels_and_the_unit_for_floats_that_the_core_has() -> None:
    fast = firmware_code("kws", deployment("stm32h743zi"), project="zephyr").files["prj.conf"]
    slow = firmware_code("kws", deployment("rp2040", "tflm-reference"), project="zephyr").files["prj.conf"]
    assert "CONFIG_TENSORFLOW_LITE_MICRO_CMSIS_NN_KERNELS=y" in fast
    assert "CONFIG_FPU=y" in fast
    assert "CMSIS_NN" not in slow
    assert "FPU" not in slow
    assert all(re.fullmatch(r"CONFIG_[A-Z0-9_]+=(y|\d+)", line) for line in fast.splitlines())


def test_a_board_that_nothing_names_is_left_to_the_user() -> None:
    code = firmware_code("kws", deployment("apollo3"), project="zephyr")
    assert code.commands[-1] == "west build -b BOARD ."


@pytest.mark.parametrize("system", ["zephyr", "platformio"])
def test_a_linker_script_of_the_board_is_not_asked_for_sections_that_it_lacks(system: str) -> None:
    plain = firmware_code("kws", deployment("stm32h743zi")).files["model_runner.cc"]
    built = firmware_code("kws", deployment("stm32h743zi"), project=system).files["src/model_runner.cc"]
    assert "section(" in plain
    assert "section(" not in built


@pytest.mark.parametrize(
    ("system", "target", "reason"),
    [
        ("zephyr", "esp32-s3", "--runtime tflm-reference"),
        ("platformio", "apollo3", "No board of PlatformIO"),
        ("esp-idf", "stm32h743zi", "ESP-IDF is not for"),
        ("zephyr", "raspberry-pi-4b", "for TFLite Micro alone"),
    ],
)
def test_what_cannot_be_built_says_why(system: str, target: str, reason: str) -> None:
    code = firmware_code("kws", deployment(target), project=system)
    assert code.files == {}
    assert reason in code.why_not


def test_a_build_system_that_is_not_there_names_those_that_are() -> None:
    with pytest.raises(InputError) as refused:
        firmware_code("kws", "esp32-s3", project="platform-io")
    assert "platformio" in refused.value.hint


def test_an_esp8266_gets_files_and_no_project_of_esp_idf() -> None:
    assert "CMakeLists.txt" not in firmware_code("kws", deployment("esp8266")).files
