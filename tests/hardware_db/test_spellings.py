from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from edgewright.hardware_db import resolve_target, suggest_target, target_ids
from edgewright.hardware_db.errors import AmbiguousNameError, UnknownNameError

FILES = sorted(Path(__file__).parent.glob("spellings_*.yaml"))
SPELLINGS: list[tuple[str, str | list[str]]] = [
    (str(typed), meant)
    for path in FILES
    for typed, meant in yaml.load(path.read_text(), yaml.BaseLoader).items()
]
NAMES = [(typed, meant) for typed, meant in SPELLINGS if isinstance(meant, str)]
QUESTIONS = [(typed, meant) for typed, meant in SPELLINGS if isinstance(meant, list)]


@pytest.mark.parametrize(("typed", "target"), NAMES)
def test_a_spelling_in_the_lists_means_its_target(typed: str, target: str) -> None:
    assert resolve_target(typed).id == target


@pytest.mark.parametrize(("typed", "candidates"), QUESTIONS)
def test_a_spelling_that_could_mean_several_asks_back_with_them(typed: str, candidates: list[str]) -> None:
    with pytest.raises((AmbiguousNameError, UnknownNameError)) as caught:
        resolve_target(typed)
    assert set(candidates) <= set(caught.value.candidates)
    assert set(candidates) <= set(suggest_target(typed))


def test_the_lists_speak_of_targets_that_exist() -> None:
    meant = {name for _, target in SPELLINGS for name in ([target] if isinstance(target, str) else target)}
    assert meant <= set(target_ids())
    assert len(SPELLINGS) >= 25 * len(FILES)
