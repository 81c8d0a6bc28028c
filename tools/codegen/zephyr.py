"""An application that Zephyr's west builds as it is.

zephyrproject-rtos/zephyr: samples/modules/tflite-micro/hello_world (CMakeLists.txt at 4d0b43fc, README.rst
with the project filter, prj.conf at ee4e8f24) and modules/tflite-micro/Kconfig at 79cdeb6e, whose kernels are
the reference ones and CMSIS-NN's; of the console samples/subsys/console/getchar and subsys/console/Kconfig.
"""

from __future__ import annotations

from .boards import board_of
from .project import Builder, Project, array_cmake, main_text, readme

SOURCE_FOLDER = "src"
_PROJECT = """\
cmake_minimum_required(VERSION 3.20.0)
find_package(Zephyr REQUIRED HINTS $ENV{{ZEPHYR_BASE}})
project(model)

# The runner's statics are set up by one thread, and Zephyr has no guards for them.
set(no_guards $<TARGET_PROPERTY:compiler-cpp,no_threadsafe_statics>)
zephyr_compile_options($<$<COMPILE_LANGUAGE:CXX>:${{no_guards}}>)

include("${{CMAKE_CURRENT_LIST_DIR}}/src/model_data.cmake")
target_sources(app PRIVATE {}){}
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS model.tflite)
"""
_OPTIONS = """\
CONFIG_CPP=y
CONFIG_STD_CPP17=y
CONFIG_TENSORFLOW_LITE_MICRO=y
CONFIG_MAIN_STACK_SIZE=4096
CONFIG_SPEED_OPTIMIZATIONS=y
"""
_CMSIS_NN = "CONFIG_TENSORFLOW_LITE_MICRO_CMSIS_NN_KERNELS=y\n"
_FPU = "CONFIG_FPU=y\n"
_KERNELS = ("tflm-reference", "tflm-cmsis-nn")


_OWN_UART = "\ntarget_compile_definitions(app PRIVATE BOARD_OWN_UART)"
_CONSOLE = "CONFIG_CONSOLE_SUBSYS=y\nCONFIG_CONSOLE_GETCHAR=y\n"
_LINE = """\
#include <zephyr/console/console.h>

#include <cstddef>

namespace board {
void Write(const char* text, size_t size) {
  for (size_t at = 0; at < size; ++at) console_putchar(text[at]);
}
int Read() { return console_getchar(); }
}  // namespace board

"""


def _main(project: Project) -> str:
    if not project.measures_itself:
        return main_text(project, "int main()", end="  return 0;\n")
    return main_text(project, "int main()", includes=_LINE, first="  console_init();\n", end="  return 0;\n")


def _files(project: Project) -> dict[str, str]:
    measured = project.measures_itself
    options = _OPTIONS + (_CONSOLE if measured else "")
    sources = " ".join(f"{SOURCE_FOLDER}/{name}" for name in project.sources)
    if project.runtime == "tflm-cmsis-nn":
        options += _CMSIS_NN
    if project.core.fpu is not None and project.core.fpu.value != "none":
        options += _FPU
    return {
        "CMakeLists.txt": _PROJECT.format(sources, _OWN_UART if measured else ""),
        "prj.conf": options,
        "README.md": readme(
            project,
            "in a workspace of Zephyr 4; the first two commands fetch its library",
            _commands(project),
            "Another model is built in by the same last command.",
        ),
        f"{SOURCE_FOLDER}/model_data.cmake": array_cmake(project.array_head),
        f"{SOURCE_FOLDER}/main.cc": _main(project),
        **{f"{SOURCE_FOLDER}/{name}": text for name, text in project.code.items()},
    }


def _commands(project: Project) -> tuple[str, ...]:
    return (
        "west config manifest.project-filter -- +tflite-micro",
        "west update",
        f"west build -b {board_of(project.target).zephyr or 'BOARD'} .",
    )


def _why_not(project: Project) -> str:
    if project.runtime in _KERNELS:
        return ""
    return (
        f"Zephyr's module of TFLite Micro has no kernels of {project.runtime}: name --runtime tflm-reference."
    )


ZEPHYR = Builder(_files, _commands, frozenset(), _why_not)
