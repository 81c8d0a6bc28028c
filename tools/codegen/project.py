"""One description of a firmware project, whatever builds it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from ...hardware_db import Core
from ..core.records import dataclass
from .instrumented import MEASURES
from .tflm import DATA, SOURCE

MODEL = "model.tflite"
MAIN = "main.cc"


class BuildSystem(StrEnum):
    ESP_IDF = "esp-idf"
    PLATFORMIO = "platformio"
    ZEPHYR = "zephyr"

    @property
    def written(self) -> str:
        """As its makers write it."""
        return {"esp-idf": "ESP-IDF", "platformio": "PlatformIO", "zephyr": "Zephyr"}[self.value]


@dataclass(frozen=True)
class Project:
    """What every build system is given."""

    target: str
    """Id of the chip or board."""
    runtime: str
    core: Core
    code: Mapping[str, str]
    """Files that run the model, by name."""
    array_head: str
    """What stands before the bytes of the model's array."""

    @property
    def sources(self) -> tuple[str, ...]:
        """What is compiled; the array is made of the model's file."""
        return tuple(
            dict.fromkeys((MAIN, SOURCE, DATA, *(each for each in self.code if each.endswith(".cc"))))
        )

    @property
    def measures_itself(self) -> bool:
        return MEASURES in self.code


@dataclass(frozen=True)
class Builder:
    """How one build system takes a project."""

    files: Callable[[Project], dict[str, str]]
    """All files by their paths in the project."""
    commands: Callable[[Project], tuple[str, ...]]
    """To run in the project's folder, once the model is copied there."""
    toolchains: frozenset[str]
    """Of the plan's linker hints that the project's own linker script follows."""
    why_not: Callable[[Project], str] = lambda _: ""
    """Why it cannot build this one; nothing where it can."""


def main_text(
    project: Project, entry: str, *, includes: str = "", first: str = "", end: str = "", after: str = ""
) -> str:
    """A program that sets the model up and runs it once, or answers over a serial line for ever.

    Args:
        entry: the function that the platform calls, up to its brace.
        first: what it does before, with its line's end.
        end: what ends it, such as a return.
        after: what stands behind the function.
    """
    if project.measures_itself:
        body = f"{entry} {{\n{first}  BoardMain();\n{end}}}\n{after}"
        return f"{includes}void BoardMain();  // {MEASURES}\n\n{body}"
    return (
        f'{includes}#include "model_runner.h"\n'
        '#include "tensorflow/lite/micro/micro_log.h"\n\n'
        f"{entry} {{\n{first}"
        "  const bool ready = SetUpModel();\n"
        '  if (ready) MicroPrintf("arena: %d bytes used", static_cast<int>(ArenaUsedBytes()));\n'
        "  // Fill the inputs of model_runner.h here.\n"
        '  MicroPrintf(ready && RunModel() ? "done" : "failed");\n'
        f"{end}}}\n{after}"
    )


def readme(project: Project, needs: str, commands: tuple[str, ...], after: str) -> str:
    """How to build it; `needs` ends a sentence, `after` says what another model asks for."""
    lines = "".join(f"    {command}\n" for command in commands)
    return (
        f"# A model on {project.target}\n\n"
        f"Put the model beside this file as `{MODEL}`, then build {needs}:\n\n{lines}"
    ) + (f"\n{after}\n" if after else "")


def array_cmake(head: str) -> str:
    """CMake that writes the model's array, for a file beside the folder of the sources."""
    return (
        f'file(READ "${{CMAKE_CURRENT_LIST_DIR}}/../{MODEL}" digits HEX)\n'
        'string(REGEX REPLACE "(..)" "0x\\\\1," bytes "${digits}")\n'
        f'file(WRITE "${{CMAKE_CURRENT_LIST_DIR}}/{DATA}" [==[\n{head}\n]==] "${{bytes}}\\n}};\\n")\n'
    )
