from __future__ import annotations

from collections.abc import Callable
from typing import Any

from edgewright.agent.assistant import RunLimits
from edgewright.agent.sessions.database import read_log
from stubs.scripted_chat_model import calls, says

TURNS = 120


def test_hours_of_chat_keep_what_is_shown_held_and_written_a_turn_flat(seat: Callable[..., Any]) -> None:
    script = [
        step
        for turn in range(TURNS)
        for step in (calls("get_latency", f"c{turn}", target="stm32h743zi"), says("It takes 12.5 ms."))
    ]
    assistant, model, session = seat(*script)
    shown, held, written, transcribed = [], [], [], []
    before = _written(session)
    for _ in range(TURNS):
        assistant.ask("How long does it take on the H743?")
        shown.append(sum(len(m.text) for m in model.shown[-1]))
        held.append(len(assistant.session.turns))
        now = _written(session)
        written.append(now[0] - before[0])
        transcribed.append(now[1] - before[1])
        before = now
        model.shown[:-1] = [[]] * (len(model.shown) - 1)
    kept = RunLimits().kept_turns
    assert max(shown[kept + 1 :]) <= 1.02 * max(shown[: kept + 1])  # r100 is longer than r1
    assert max(shown) < 4 * 1.5 * RunLimits().context_tokens
    assert max(held) == kept
    assert set(written[1:]) == {4}
    assert max(transcribed[1:]) - min(transcribed[1:]) < 200
    session.close()
    resumed, again, _ = seat(says("Well."), resume=session.id)
    resumed.ask("And?")
    assert sum(len(m.text) for m in again.shown[0]) <= 1.1 * max(shown)


def _written(session: Any) -> tuple[int, int]:
    """Events of the log, and their bytes; without drafts, of which a slow machine writes one a second."""
    if not session.file.exists():
        return 0, 0
    entries = [entry for entry in read_log(session.file).entries if entry.kind != "draft"]
    return len(entries), sum(len(entry.data) for entry in entries)
