"""The component files that ESP-IDF needs around the code.

espressif/esp-tflite-micro at 99f49e14: idf_component.yml, examples/hello_world/main.
"""

from __future__ import annotations

from .tflm import DATA, SOURCE

_CMAKE = f"""\
idf_component_register(
    SRCS "main.cc" "{SOURCE}" "{DATA}"
    INCLUDE_DIRS "")
"""
_COMPONENT = """\
dependencies:
  idf: ">=5.1"
  espressif/esp-tflite-micro: ">=1.4.0"
"""


def component_files() -> dict[str, str]:
    return {"CMakeLists.txt": _CMAKE, "idf_component.yml": _COMPONENT}


NOTE = "ESP-IDF: all of these go into the folder main, beside a main.cc with app_main that calls SetUpModel()"
