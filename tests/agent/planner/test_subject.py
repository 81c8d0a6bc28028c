"""What of a conversation a later question is about, held to conversations that are in no fit."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

from edgewright import tools
from edgewright.agent.planner.planner import Planner
from edgewright.agent.workspace import Workspace
from tests.evaluation.fit import HERE
from tests.evaluation.fit_subject import as_before, meant, turns

UNSEEN = sorted((HERE / "unseen").glob("talks_*.jsonl"))


def test_more_is_right_than_by_what_was_spoken_of_before() -> None:
    given = [turn for file in UNSEEN[:4] for turn in islice(turns(file), 150)]
    found = sum(turn.named | set(meant(turn.query, turn.named, turn.cast)) == turn.about for turn in given)
    before = sum(as_before(turn) == turn.about for turn in given)
    assert found > before
    assert found / len(given) > 0.72


def test_no_conversation_is_in_the_fit_and_kept_from_it() -> None:
    def firsts(folder: object) -> set[str]:
        files = folder.glob("talks_*.jsonl")  # type: ignore[attr-defined]
        return {json.loads(line)["turns"][0]["q"] for file in files for line in file.read_text().splitlines()}

    assert not firsts(HERE) & firsts(HERE / "unseen")


def test_the_other_of_two_and_both_are_those_that_were_named() -> None:
    planner = Planner(Workspace())
    planner.ask("kws on an nrf52840, how long?")
    planner.ask("and on an esp32-s3?")
    both = planner.ask("how much energy do both take?")
    given = {call["arguments"].get("target") for call in both.tool_calls}
    assert {"nrf52840", "esp32-s3"} <= given


def test_a_format_of_weights_is_no_unknown_board() -> None:
    planner = Planner(Workspace())
    planner.ask("mistral 7b q4_k_m on an rtx 4070, tokens/s?")
    said = planner.ask("And with Q8_0 instead?").answer
    assert "not know" not in said
    assert "Q8_0" in said.splitlines()[0]


def test_two_cells_last_as_long_in_the_chat_as_on_the_command_line() -> None:
    budget = tools.estimate_energy_budget("kws", "nrf52840", rate_hz=1.0, battery="2x AAA")
    answer = Planner(Workspace()).ask("kws on an nRF52840 once a second from two AAA cells, how long?")
    call = next(call for call in answer.tool_calls if call["name"] == "estimate_energy_budget")
    assert budget.battery is not None
    assert call["result"]["battery"]["life_days"]["value"] == budget.battery.life_days.value


def test_boards_that_were_compared_together_stay_together(tmp_path: Path) -> None:
    planner = Planner(Workspace(tmp_path))
    planner.ask("mobilenet_v2 on a coral edge tpu, a jetson nano and a raspberry pi 5: latency?")
    planner.ask("add the jetson orin nano please")
    answer = planner.ask("and now the same with resnet-50").answer
    assert all(f"| {board} |" in answer for board in ("coral-edge-tpu", "jetson-nano", "raspberry-pi-5"))
    assert "| jetson-orin-nano-8gb |" in answer
