"""A later question reads none of the earlier ones again, unless what they were read by has changed."""

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner, planner
from edgewright.agent.workspace import Workspace
from edgewright.hardware_db import index

TALK = ("Does kws fit on an nrf52840?", "And how long does it take?", "At 32 MHz?", "And on an rp2040?")


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The questions that were read, in order."""
    asked: list[str] = []
    as_it_is = planner.understood

    def noted(question: str, *given: object) -> object:
        asked.append(question)
        return as_it_is(question, *given)

    monkeypatch.setattr(planner, "understood", noted)
    return asked


def test_each_question_is_read_to_be_answered_and_once_for_what_it_leaves(
    tmp_path: Path, read: list[str]
) -> None:
    talk = Planner(Workspace(tmp_path))
    for question in TALK:
        talk.ask(question)
    assert [read.count(question) for question in TALK] == [2, 2, 2, 1]


def test_a_talk_that_goes_on_answers_as_one_that_is_read_anew(tmp_path: Path) -> None:
    talk = Planner(Workspace(tmp_path))
    for question in TALK[:-1]:
        talk.ask(question)
    resumed = Planner(talk.workspace, session=talk.session)
    assert resumed._understood(TALK[-1], talk.session.turns) == talk._understood(TALK[-1], talk.session.turns)


def test_what_the_user_took_back_is_no_longer_gone_by(tmp_path: Path, read: list[str]) -> None:
    talk = Planner(Workspace(tmp_path))
    for question in TALK[:3]:
        talk.ask(question)
    talk.session.said.turns = talk.session.turns[:1]
    assert "64 MHz" in talk.ask(TALK[1]).answer
    assert read.count(TALK[0]) == 2


def test_other_hardware_of_the_users_own_has_earlier_questions_read_again(
    tmp_path: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = Planner(Workspace(tmp_path))
    for question in TALK[:2]:
        talk.ask(question)
    changed = index.read_index()._replace()
    monkeypatch.setattr(planner, "read_index", lambda _own: changed)
    talk.ask(TALK[2])
    assert read.count(TALK[0]) == 3
