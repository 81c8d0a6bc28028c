"""The list of the networks says of each what stands beside the function that writes it."""

from edgewright.tools.model_zoo.architecture import LIST
from edgewright.tools.model_zoo.builders import BUILT, text_of
from edgewright.tools.model_zoo.catalogue import ARCHITECTURES


def test_the_list_is_fresh() -> None:
    fresh = LIST.read_text(encoding="utf-8") == text_of(BUILT.values())
    assert fresh, "run `python -m edgewright.tools.model_zoo.builders`"


def test_what_is_read_of_the_list_is_what_was_written() -> None:
    assert text_of(ARCHITECTURES.values()) == LIST.read_text(encoding="utf-8")
    assert list(ARCHITECTURES) == list(BUILT)
