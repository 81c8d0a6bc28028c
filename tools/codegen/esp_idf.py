"""A project that ESP-IDF builds as it is, around the code.

espressif/esp-tflite-micro at 99f49e14: idf_component.yml (version 1.4.0, idf >= 5.1), examples/hello_world
with its CMakeLists.txt, main/CMakeLists.txt, main/idf_component.yml and sdkconfig.defaults.
"""

from __future__ import annotations

import re

from .project import Builder, Project, array_cmake, main_text, readme

COMPONENT_VERSION = "1.4.0"
MAIN_FOLDER = "main"
_CHIP = re.compile(r"esp32(?:-?[a-z]\d+)?")
_PROJECT = """\
cmake_minimum_required(VERSION 3.16)
include($ENV{IDF_PATH}/tools/cmake/project.cmake)
project(model)
"""
_COMPONENT = """\
include("${{CMAKE_CURRENT_LIST_DIR}}/model_data.cmake")
idf_component_register(
    SRCS {}
    INCLUDE_DIRS "")
"""
_DEPENDENCIES = f"""\
dependencies:
  idf: ">=5.1"
  espressif/esp-tflite-micro: "{COMPONENT_VERSION}"
"""
_DEFAULTS = "CONFIG_COMPILER_OPTIMIZATION_PERF=y\n"
_OUTSIDE = "CONFIG_SPIRAM=y\nCONFIG_SPIRAM_ALLOW_BSS_SEG_EXTERNAL_MEMORY=y\n"
"""Where an array is declared EXT_RAM_BSS_ATTR."""


def sources(project: Project) -> dict[str, str]:
    """What ESP-IDF's CMake reads, under whichever front end."""
    outside = any("EXT_RAM_BSS_ATTR" in text for text in (*project.code.values(), project.array_head))
    return {
        "CMakeLists.txt": _PROJECT,
        "sdkconfig.defaults": _DEFAULTS + (_OUTSIDE if outside else ""),
        f"{MAIN_FOLDER}/CMakeLists.txt": _COMPONENT.format(" ".join(f'"{name}"' for name in project.sources)),
        f"{MAIN_FOLDER}/idf_component.yml": _DEPENDENCIES,
        f"{MAIN_FOLDER}/model_data.cmake": array_cmake(project.array_head),
        f"{MAIN_FOLDER}/main.cc": main_text(project, 'extern "C" void app_main()'),
        **{f"{MAIN_FOLDER}/{name}": text for name, text in project.code.items()},
    }


def is_supported(target: str) -> bool:
    """ESP-IDF is for the ESP32 family, not for the ESP8266."""
    return _CHIP.match(target) is not None


def _commands(project: Project) -> tuple[str, ...]:
    found = _CHIP.match(project.target)
    chip = found[0].replace("-", "") if found else "CHIP"
    return (f"idf.py set-target {chip} build",)


def _files(project: Project) -> dict[str, str]:
    after = "After another model `idf.py reconfigure build` makes its array anew."
    return {
        **sources(project),
        "README.md": readme(project, "with ESP-IDF 5.1 or later", _commands(project), after),
    }


def _why_not(project: Project) -> str:
    return "" if is_supported(project.target) else f"ESP-IDF is not for {project.target}."


ESP_IDF = Builder(_files, _commands, frozenset({"ESP-IDF"}), _why_not)
