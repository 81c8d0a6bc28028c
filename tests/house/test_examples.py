"""Every public function and type shows its use, and what its docstring shows is what it does."""

import doctest
import inspect
import sys
from pathlib import Path

import pytest

from edgewright import tools
from edgewright.tools.model_formats.writer.save import save_tflite
from edgewright.tools.model_zoo import build_architecture

FUNCTIONS = [name for name in tools.__all__ if inspect.isfunction(getattr(tools, name))]
TYPES = ["Quantity", "Limits"]


@pytest.fixture
def _two_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save_tflite(build_architecture("kws:int8"), Path("kws.tflite"))
    save_tflite(build_architecture("kws:float32"), Path("kws-float32.tflite"))


def failures(text: str, name: str) -> str:
    names = {each: getattr(tools, each) for each in tools.__all__} | {"Path": Path}
    test = doctest.DocTestParser().get_doctest(text, names, name, None, None)
    said: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    return "".join(said)


@pytest.mark.usefixtures("_two_models")
@pytest.mark.parametrize("name", [*FUNCTIONS, *TYPES])
def test_a_public_name_shows_an_example_that_holds(name: str) -> None:
    text = inspect.getdoc(getattr(tools, name)) or ""
    assert ">>> " in text
    assert not (said := failures(text, name)), said


def test_the_example_of_the_package_holds() -> None:
    text = sys.modules["edgewright.tools"].__doc__ or ""
    assert not (said := failures(text, "tools")), said
