"""Whisper: all of it where sound is spoken of, by the hour, by the stream and beside a language model."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def test_hours_of_recordings_take_their_windows_one_after_another(planner: Planner) -> None:
    answer = planner.ask("600 hours of recorded calls through whisper large-v3 on one T4, how long?")
    (call,) = answer.tool_calls
    result = call["result"]
    window_ms = result["time_to_first_token_ms"]["value"] + 1e5 / result["decode_tokens_per_s"]["value"]
    assert call["arguments"]["model"] == "whisper-large-v3"
    assert float(answer.answer.partition(" h")[0]) == pytest.approx(600 * 120 * window_ms / 3.6e6, rel=1e-2)


def test_a_later_turn_keeps_the_sound_and_takes_another_size_more_streams_and_a_time(
    planner: Planner,
) -> None:
    planner.ask("I have 8,000 hours of recordings and a T4. How long does Whisper large-v3 need?")
    planner.ask("too slow. what about large-v3-turbo?")
    several = planner.ask("could I push several through at the same time, say 8?")
    (call,) = several.tool_calls
    assert (call["arguments"]["model"], call["arguments"]["batch"]) == ("whisper-large-v3-turbo", 8)
    assert "8,000 hours" in several.answer
    assert "against 60 hours" in planner.ask("or an A10G instead, done in 60 hours?").answer


def test_whether_a_stream_is_kept_up_with_is_judged_by_the_whole_interval(planner: Planner) -> None:
    assert planner.ask("whisper small on a pi 5, does it keep up with live speech?").answer.startswith(
        "Probably,"
    )
    assert planner.ask("and base?").answer.startswith("Yes")


def test_what_listens_and_what_replies_share_one_memory_and_one_wait(planner: Planner) -> None:
    answer = planner.ask("whisper base and llama 3.2 3b loaded together on an orin nano 8gb, do both fit?")
    takes = {call["result"]["model"]: call["result"]["total_bytes"] for call in answer.tool_calls}
    assert len(takes) == 2
    assert answer.answer.startswith("Yes, both fit")
    assert f"{sum(takes.values()) / 2**30:.3g} GiB of 7.44 GiB" in answer.answer
    later = planner.ask("and the delay from the last word said to the first of the reply?").answer
    assert "most of it that of llama-3.2-3b" in later.partition("\n")[0]


def test_the_encoder_alone_is_asked_for_by_its_name(planner: Planner) -> None:
    calls = planner.ask("latency of the whisper tiny encoder on a raspberry pi 5?").tool_calls
    assert {call["arguments"].get("model") for call in calls} == {"whisper_tiny_encoder"}


def test_sizes_stand_beside_each_other_with_their_memory_and_what_is_not_known_of_a_language(
    planner: Planner,
) -> None:
    answer = planner.ask("can a Pi 4 transcribe Danish live with whisper tiny, base or small?").answer
    rows = [line.split(" | ") for line in answer.splitlines() if line.startswith("| whisper")]
    assert [row[0] for row in rows] == ["| whisper-tiny", "| whisper-base", "| whisper-small"]
    sizes = [float(row[3].split()[0]) for row in rows]
    assert sizes == sorted(sizes)
    assert "gets wrong in Danish is not known here" in answer


def test_what_does_not_keep_up_is_told_the_largest_size_that_may(planner: Planner) -> None:
    answer = planner.ask("does whisper small keep up with live speech on a raspberry pi 4?").answer
    assert answer.startswith("No: ")
    assert "A smaller size, probably, though not surely: " in answer
    assert "whisper-base" in answer
    assert "whisper-small takes 0.405 GiB of 8 GiB." in answer


def test_hours_of_sound_of_a_day_are_told_as_the_time_that_they_take(planner: Planner) -> None:
    answer = planner.ask(
        "can whisper medium transcribe 10 hours of meetings per day on a T4, and how long?"
    ).answer
    assert answer.startswith("1 of t4: 10 hours of meetings per day keep one busy 0.744 % of the time, 64")
    assert "I did not take into account" not in answer
