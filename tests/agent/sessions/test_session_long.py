from __future__ import annotations

from collections.abc import Callable
from typing import Any

from edgewright.agent.assistant import RunLimits
from stubs.scripted_chat_model import calls, says

TURNS = 200


def test_hours_of_chat_keep_what_is_shown_held_and_written_a_turn_flat(seat: Callable[..., Any]) -> None:
    script = [
        step
        for turn in range(TURNS)
        for step in (calls("get_latency", f"c{turn}", target="stm32h743zi"), says("It takes 12.5 ms."))
    ]
    assistant, model, session = seat(*script)
    saver = session._saver
    shown, held, written, transcribed = [], [], [], []
    for _ in range(TURNS):
        before, size = saver.messages_written, _size(session)
        assistant.ask("How long does it take on the H743?")
        shown.append(sum(len(m.text) for m in model.shown[-1]))
        held.append(len(saver.messages("thread")))
        written.append(saver.messages_written - before)
        transcribed.append(_size(session) - size)
        model.shown[:-1] = [[]] * (len(model.shown) - 1)
    kept = RunLimits().kept_turns
    assert max(shown[kept + 1 :]) <= max(shown[: kept + 1])
    assert max(shown) < 4 * 1.5 * RunLimits().context_tokens
    assert max(held) <= 4 * (kept + 1)
    assert set(written[1:]) == {4}
    assert max(transcribed[1:]) - min(transcribed[1:]) < 200
    session.close()
    resumed, again, _ = seat(says("Well."), resume=session.transcript.session)
    resumed.ask("And?")
    assert sum(len(m.text) for m in again.shown[0]) <= 1.1 * max(shown)


def _size(session: Any) -> int:
    path = session.transcript.path
    return path.stat().st_size if path.exists() else 0
