from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from edgewright.hardware_db import resolve_runtime, runtime_ids, suggest_runtime
from edgewright.hardware_db.errors import AmbiguousNameError, UnknownNameError

FILE = Path(__file__).with_name("runtime_spellings.yaml")
SPELLINGS: dict[str, str | list[str]] = yaml.load(FILE.read_text(), yaml.BaseLoader)
NAMES = [(typed, meant) for typed, meant in SPELLINGS.items() if isinstance(meant, str)]
QUESTIONS = [(typed, meant) for typed, meant in SPELLINGS.items() if isinstance(meant, list)]


@pytest.mark.parametrize(("typed", "runtime"), NAMES)
def test_a_spelling_in_the_list_means_its_runtime(typed: str, runtime: str) -> None:
    assert resolve_runtime(typed).id == runtime


@pytest.mark.parametrize(("typed", "candidates"), QUESTIONS)
def test_a_spelling_that_means_none_for_sure_asks_back(typed: str, candidates: list[str]) -> None:
    with pytest.raises((AmbiguousNameError, UnknownNameError)) as caught:
        resolve_runtime(typed)
    assert set(candidates) <= set(caught.value.candidates)
    assert set(candidates) <= set(suggest_runtime(typed))


def test_every_runtime_is_spelt_in_some_way() -> None:
    meant = {name for given in SPELLINGS.values() for name in ([given] if isinstance(given, str) else given)}
    assert meant == set(runtime_ids())
