"""A project that ESP-IDF builds as it is, around the code.

espressif/esp-tflite-micro at 99f49e14: idf_component.yml (version 1.4.0, idf >= 5.1), examples/hello_world
with its CMakeLists.txt, main/CMakeLists.txt, main/idf_component.yml and sdkconfig.defaults.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping

from .tflm import DATA, SOURCE

COMPONENT_VERSION = "1.4.0"
MAIN, MODEL = "main", "model.tflite"
_CHIP = re.compile(r"esp32(?:-?[a-z]\d+)?")
_PROJECT = """\
cmake_minimum_required(VERSION 3.16)
include($ENV{IDF_PATH}/tools/cmake/project.cmake)
project(model)
"""
_COMPONENT = f"""\
include("${{CMAKE_CURRENT_LIST_DIR}}/model_data.cmake")
idf_component_register(
    SRCS "main.cc" "{SOURCE}" "{DATA}"
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
_MAIN = """\
#include "model_runner.h"
#include "tensorflow/lite/micro/micro_log.h"

extern "C" void app_main() {
  if (!SetUpModel()) return;
  MicroPrintf("arena: %d bytes used", static_cast<int>(ArenaUsedBytes()));
  // Fill the inputs of model_runner.h here.
  MicroPrintf(RunModel() ? "done" : "failed");
}
"""


def project(code: Mapping[str, str], command: str, target: str) -> dict[str, str]:
    """All files of the project by their paths in it.

    Args:
        code: files that run the model, which go into the main component.
        command: of the shell, that makes the model's array.
        target: id of the chip or board.
    """
    outside = any("EXT_RAM_BSS_ATTR" in text for text in (*code.values(), command))
    return {
        "CMakeLists.txt": _PROJECT,
        "sdkconfig.defaults": _DEFAULTS + (_OUTSIDE if outside else ""),
        "README.md": _readme(target),
        f"{MAIN}/CMakeLists.txt": _COMPONENT,
        f"{MAIN}/idf_component.yml": _DEPENDENCIES,
        f"{MAIN}/model_data.cmake": _array(command),
        f"{MAIN}/main.cc": _MAIN,
        **{f"{MAIN}/{name}": text for name, text in code.items()},
    }


def build_command(target: str) -> str:
    found = _CHIP.match(target)
    chip = found[0].replace("-", "") if found else "CHIP"
    return f"idf.py set-target {chip} build"


def _readme(target: str) -> str:
    return (
        f"# A model on {target}\n\n"
        f"Put the model beside this file as `{MODEL}`, then build with ESP-IDF 5.1 or later:\n\n"
        f"    {build_command(target)}\n\n"
        "After another model `idf.py reconfigure build` makes its array anew.\n"
    )


def _array(command: str) -> str:
    """CMake that writes the model's array as the command of the shell does."""
    words = shlex.split(command)
    first = words.index("%s\\n") + 1
    last = next(at for at in range(first, len(words)) if words[at].rstrip(";").endswith("{"))
    head = "\n".join(words[first : last + 1]).rstrip(";")
    return (
        f'file(READ "${{CMAKE_CURRENT_LIST_DIR}}/../{MODEL}" digits HEX)\n'
        'string(REGEX REPLACE "(..)" "0x\\\\1," bytes "${digits}")\n'
        f'file(WRITE "${{CMAKE_CURRENT_LIST_DIR}}/{DATA}" [==[\n{head}\n]==] "${{bytes}}\\n}};\\n")\n'
    )
