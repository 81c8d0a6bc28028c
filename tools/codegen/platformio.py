"""A project that PlatformIO builds as it is.

An ESP32 is built by ESP-IDF under PlatformIO, from the same sources: platformio/platform-espressif32 at
4ed1943, examples/espidf-ulp-adc (src_dir), and its issue 1157 (idf_component.yml beside the sources). Other
boards take the Arduino framework with TFLite Micro as a library of the project, from the tree that
create_tflm_tree.py of tflite-micro at 90b983c2 writes (tensorflow/lite/micro/docs/new_platform_support.md,
flags and include paths of tools/project_generation/Makefile). Options and scripts: docs.platformio.org,
projectconf, scripting/launch_types and manifests/library-json.
"""

from __future__ import annotations

import json

from . import esp_idf
from .boards import board_of
from .project import MODEL, Builder, Project, main_text, readme
from .tflm import DATA

LIBRARY = "lib/tflite-micro"
REVISION = "90b983c2b"
_ESP_IDF = "espressif32"
_INCLUDES = (
    "",
    "/third_party/flatbuffers/include",
    "/third_party/gemmlowp",
    "/third_party/kissfft",
    "/third_party/ruy",
)
_CMSIS_INCLUDES = ("/third_party/cmsis_nn", "/third_party/cmsis_nn/Include")
_MANIFEST = {
    "name": "tflite-micro",
    "version": "0.0.0",
    "build": {
        "srcDir": ".",
        "includeDir": ".",
        "srcFilter": ["-<*>", "+<tensorflow/>", "+<signal/>", "+<third_party/>"],
    },
}
_ENVIRONMENT = """\
[env:{board}]
platform = {platform}
board = {board}
"""
_SCRIPT = f"""\
Import("env")

from pathlib import Path

folder = Path(env["PROJECT_DIR"])
digits = ",".join(f"0x{{byte:02x}}" for byte in (folder / "{MODEL}").read_bytes())
text = HEAD + "\\n" + digits + "\\n}};\\n"
made = folder / "src" / "{DATA}"
if not made.exists() or made.read_text(encoding="utf-8") != text:
    made.write_text(text, encoding="utf-8")
"""


_LOG_HEADER = "tensorflow/lite/micro/cortex_m_generic/debug_log_callback.h"
_SERIAL = f"""\
#include "{_LOG_HEADER}"

namespace board {{
void Write(const char* text, size_t size) {{ Serial.write(text, size); }}
int Read() {{ return Serial.read(); }}
}}  // namespace board

"""


def _files(project: Project) -> dict[str, str]:
    if board_of(project.target).platform == _ESP_IDF:
        text = f"[platformio]\nsrc_dir = {esp_idf.MAIN_FOLDER}\n\n{_environment(project)}framework = espidf\n"
        return {"platformio.ini": text, "README.md": _readme(project), **esp_idf.sources(project)}
    return {
        "platformio.ini": _arduino(project),
        "README.md": _readme(project),
        "model_data.py": f"HEAD = {project.array_head!r}\n{_SCRIPT}",
        f"{LIBRARY}/library.json": json.dumps(_MANIFEST, indent=2) + "\n",
        "src/main.cc": _arduino_main(project),
        **{f"src/{name}": text for name, text in project.code.items()},
    }


def _environment(project: Project) -> str:
    found = board_of(project.target)
    return _ENVIRONMENT.format(platform=found.platform, board=found.platformio)


def _arduino(project: Project) -> str:
    is_cmsis = project.runtime == "tflm-cmsis-nn"
    folders = (*_INCLUDES, *(_CMSIS_INCLUDES if is_cmsis else ()))
    flags = ["-O2 -std=gnu++17 -fno-threadsafe-statics", "-DTF_LITE_STATIC_MEMORY -DPROJECT_GENERATION"]
    if is_cmsis:
        flags.append("-DCMSIS_NN")
    flags += [f"-I{LIBRARY}{folder}" for folder in folders]
    if project.measures_itself:
        flags.append("-DBOARD_OWN_UART")
    listed = "".join(f"  {flag}\n" for flag in flags)
    return (
        f"{_environment(project)}framework = arduino\nmonitor_speed = 115200\n"
        "extra_scripts = pre:model_data.py\nbuild_unflags = -Os -std=gnu++14\n"
        f"build_flags =\n{listed}"
    )


def _arduino_main(project: Project) -> str:
    own_uart = _SERIAL if project.measures_itself else ""
    return main_text(
        project,
        "void setup()",
        includes=f"#include <Arduino.h>\n\n{own_uart}",
        first=(
            "  Serial.begin(115200);\n"
            "  RegisterDebugLogCallback([](const char* text) { Serial.print(text); });\n"
        ),
        after="\nvoid loop() {}\n",
    ).replace(
        '#include "tensorflow/lite/micro/micro_log.h"\n',
        f'#include "{_LOG_HEADER}"\n#include "tensorflow/lite/micro/micro_log.h"\n',
    )


def _commands(project: Project) -> tuple[str, ...]:
    if board_of(project.target).platform == _ESP_IDF:
        return ("pio run",)
    options = "TARGET=cortex_m_generic TARGET_ARCH=project_generation"
    if project.runtime == "tflm-cmsis-nn":
        options += " OPTIMIZED_KERNEL_DIR=cmsis_nn"
    return (
        "git clone https://github.com/tensorflow/tflite-micro .tflite-micro",
        f"git -C .tflite-micro checkout {REVISION}",
        "(cd .tflite-micro && python3 tensorflow/lite/micro/tools/project_generation/create_tflm_tree.py "
        f'--makefile_options="{options}" ../{LIBRARY})',
        "pio run",
    )


def _readme(project: Project) -> str:
    many = len(_commands(project)) > 1
    needs = "with PlatformIO" + ("; all but the last command fetch the library, once" if many else "")
    after = "" if many else "`pio run -t clean` comes before the build of another model."
    return readme(project, needs, _commands(project), after)


def _why_not(project: Project) -> str:
    found = board_of(project.target)
    if found.platformio is None:
        return f"No board of PlatformIO that was read has a {project.target}."
    if found.platform == _ESP_IDF or project.runtime in ("tflm-reference", "tflm-cmsis-nn"):
        return ""
    return f"TFLite Micro's tree has no kernels of {project.runtime}: name --runtime tflm-reference."


PLATFORMIO = Builder(_files, _commands, frozenset({"ESP-IDF", "Teensy 4 core"}), _why_not)
