"""What stands for a module that few runs need: the module itself, for whoever reads of it."""

import subprocess
import sys

CODE = """
import sys
from edgewright.hardware_db.later import postpone
postpone("colorsys", "hls_to_rgb")
from colorsys import hls_to_rgb
import colorsys
print(type(sys.modules["colorsys"]).__name__, end=" ")
print(hls_to_rgb(0.5, 0.5, 0.0), end=" ")
print(type(sys.modules["colorsys"]).__name__, colorsys.ONE_SIXTH == 1 / 6, end=" ")
from colorsys import rgb_to_hsv
postpone("colorsys")
print(rgb_to_hsv is sys.modules["colorsys"].rgb_to_hsv)
"""
STARTED = """
import sys
sys.argv = ["edgewright", "--version"]
from edgewright import start
import importlib.metadata
import numpy
print(importlib.metadata.version("numpy") == numpy.__version__, numpy.array([1.5]).sum(), numpy.sum.__name__)
"""


def printed(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_a_postponed_module_is_itself_once_it_is_used() -> None:
    assert printed(CODE) == "Postponed (0.5, 0.5, 0.5) module True True"


def test_libraries_work_without_what_the_command_postpones() -> None:
    assert printed(STARTED) == "True 1.5 sum"


def test_a_question_needs_neither_docstrings_of_numpy_nor_plugins_of_pydantic() -> None:
    code = """
import sys
sys.argv = ["edgewright", "ask", "--no-save", "--llm", "offline", "what is an arena"]
from edgewright import start
from edgewright.cli import main
try: main()
except SystemExit: print(*(type(sys.modules[name]).__name__ for name in ("importlib.metadata",
    "numpy._core._add_newdocs")), "email.message" in sys.modules, "yaml" in sys.modules)
"""
    assert printed(code).splitlines()[-1] == "Postponed Postponed False False"
