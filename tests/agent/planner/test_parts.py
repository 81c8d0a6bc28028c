"""Parts of a whole: of flash, RAM, the time and the mean power; a file in the other type; networks alone."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from edgewright.agent.planner.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.tools import analyze_roofline, deployment, estimate_energy_budget, plan_memory
from edgewright.tools.model_formats.writer.save import save_architecture


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    for name in ("kws", "ic", "ad"):
        save_architecture(name, folder / f"{name}.tflite")
    return folder


@pytest.fixture
def planner(files: Path, tmp_path: Path) -> Planner:
    for file in files.iterdir():
        shutil.copy(file, tmp_path)
    return Planner(Workspace(tmp_path))


def shares(answer: str) -> dict[str, float]:
    """Of the first table: a part and its per cent."""
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| <?([\d.]+) % \|$", answer, re.MULTILINE)
    return {name.strip(): float(share) for name, share in rows}


@pytest.mark.parametrize(
    "question",
    [
        "What is inside the flash that ic.tflite fills on an nrf52840?",
        "break the flash of ic.tflite on nrf52840 down please",
        "ic.tflite on nrf52840: which part of the rom is weights, which is library?",
    ],
)
def test_flash_is_split_into_model_and_code(planner: Planner, question: str) -> None:
    found = shares(planner.ask(question).answer)
    assert {"weights", "graph and scales", "library (runtime)", "kernel CONV_2D"} <= set(found)
    assert sum(found.values()) == pytest.approx(100, abs=1)


def test_a_follow_up_on_one_part_begins_with_it(planner: Planner) -> None:
    planner.ask("how much flash does ad.tflite need on an stm32f446re?")
    answer = planner.ask("and how much of that is the interpreter?").answer
    assert re.match(r"Of [^|]+ of flash [\d.]+ % library \(runtime\)", answer)


def test_the_arena_is_told_layer_by_layer(planner: Planner) -> None:
    answer = planner.ask("where does the RAM of ic.tflite go on an rp2350, layer by layer?").answer
    plan = plan_memory("ic", deployment("rp2350"))
    assert f"layer {plan.peak_layer.index}" in answer if plan.peak_layer else False
    rows = [line for line in answer.splitlines() if re.match(r"\| \d+ \|", line)]
    assert len(rows) == len(plan.timeline)


@pytest.mark.parametrize("kind", ["convolutions", "convolutional layers"])
def test_others_than_a_kind_are_told_together(planner: Planner, kind: str) -> None:
    answer = planner.ask(f"which share of mobilenet_v3_small's time on a pi 5 is not {kind}?").answer
    of = analyze_roofline("mobilenet_v3_small", deployment("raspberry-pi-5", threads=0)).op_shares
    others = 100 * sum(share for op, share in of.items() if op not in ("CONV_2D", "DEPTHWISE_CONV_2D"))
    assert float(answer.partition(" %")[0]) == pytest.approx(others, rel=0.02)


def test_the_mean_power_is_split_between_sleep_and_work(planner: Planner) -> None:
    planner.ask("kws.tflite on an nrf52840 with a CR2032, every 10 seconds: how long does it last?")
    answer = planner.ask("what percentage of that goes into being asleep?").answer
    found = {name: float(share) for share, name in re.findall(r"([\d.]+) % ([a-z-]+)", answer)}
    assert set(found) == {"asleep", "computing", "self-discharge"}
    assert sum(found.values()) == pytest.approx(100, abs=0.5)


@pytest.mark.parametrize(
    ("question", "first", "word"),
    [
        ("a mailbox runs kws.tflite on an esp32-s3 25 times a day from two AA cells; is the inference "
         "what costs me the battery or the sleeping?", "Sleep takes most", "hardly matters"),
        ("kws.tflite 5 times a second on an nrf5340, 400 mAh at 3 V: does the network matter for the "
         "battery or is it negligible?", "The network takes most", "decides"),
    ],
)  # fmt: skip
def test_what_empties_a_battery_is_weighed(planner: Planner, question: str, first: str, word: str) -> None:
    answer = planner.ask(question).answer
    assert answer.startswith(first)
    assert f"The network {word}: it lasts " in answer
    assert "if nothing were ever computed" in answer


@pytest.mark.parametrize(
    "question",
    [
        "how much of the flash is left with ic.tflite on an nrf52840?",
        "what share of the time is an nrf52840 busy with kws.tflite once a second?",
        "how much of my budget should I keep for ic.tflite on an nrf52840?",
    ],
)
def test_what_is_left_or_how_busy_it_is_is_no_split(planner: Planner, question: str) -> None:
    assert not shares(planner.ask(question).answer)


def test_of_a_quantised_file_the_float_twin_is_simulated(planner: Planner) -> None:
    answer = planner.ask("what would ic.tflite cost me in float32 on an stm32h743?").answer
    assert re.search(r"float32 \(minutes\) brings time [\d.]+ ms → [\d.]+ m?s", answer)
    assert "The file is in int8." in answer


@pytest.mark.parametrize(("times", "word"), [("1.5x", "Yes, more"), ("500x", "No, less")])
def test_a_factor_that_is_claimed_of_types_is_judged(planner: Planner, times: str, word: str) -> None:
    answer = planner.ask(f"is int8 really {times} quicker than float32 for ic.tflite on an nrf52840?").answer
    assert answer.startswith(f"{word} than *{times}*: 5.84x faster")


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("would float32 take 20 times longer than int8", "No, less than *20 times*: 5.84x slower"),
        ("does float32 need 4 times more ram than int8", "Yes, about *4 times*: 3.62x more"),
        ("is float32 twice as fast as int8", "No, not *twice*: 5.84x slower"),
    ],
)
def test_a_factor_is_of_the_type_that_is_named_before_the_other(
    planner: Planner, claim: str, verdict: str
) -> None:
    assert planner.ask(f"{claim} for ic.tflite on an nrf52840?").answer.startswith(verdict)


def test_networks_that_run_alone_are_judged_alone(planner: Planner) -> None:
    question = "which of ic.tflite, kws.tflite and ad.tflite fit an stm32f072, each on its own, not together?"
    answer = planner.ask(question).answer
    assert "each alone" in answer.partition("\n")[0]
    assert len(re.findall(r"^\| \w+\.tflite \|", answer, re.MULTILINE)) == 3


def test_a_memory_beside_the_chip_stands_in_the_command_of_a_board(planner: Planner) -> None:
    answer = planner.ask("describe my own board to it: an STM32H743 at 400 MHz with 32 MB of SDRAM").answer
    assert "--clock 400MHz" in answer
    assert "--external-ram 32MB" in answer


@pytest.mark.parametrize("board", ["nrf52840", "stm32u585ai"])
def test_the_interval_that_a_battery_allows_lasts_as_long_as_is_wanted(planner: Planner, board: str) -> None:
    answer = planner.ask(f"kws.tflite on an {board} off a CR2477 for 2 years: which interval?").answer
    every = re.match(r"One every ([\d.]+) s ", answer)
    assert every is not None
    budget = estimate_energy_budget(
        "kws", deployment(board), rate_hz=1 / float(every[1]), battery="CR2477"
    )  # fmt: skip
    assert budget.battery is not None
    assert budget.battery.life_days.value == pytest.approx(2 * 365.25, rel=0.02)


def test_what_sleeps_too_thirstily_may_not_run_at_all(planner: Planner) -> None:
    answer = planner.ask("kws.tflite, stm32h743, a CR2032 for ten years: what pause between runs?").answer
    assert answer.startswith("Not at all")


def test_an_arena_that_is_too_small_is_held_against_the_plan_of_the_network(planner: Planner) -> None:
    message = "Arena size is too small for all buffers. Needed 60000 but only 30000 was available."
    answer = planner.ask(f"ic.tflite prints: {message} Who is to blame?").answer
    plan = plan_memory("ic", deployment("stm32h743zi", "tflm-cmsis-nn"))
    assert f"needs an arena of {plan.arena_bytes:,} B" in answer
    assert plan.peak_layer is not None
    assert f"most at layer {plan.peak_layer.index}" in answer


@pytest.mark.parametrize("words", ["biggest image", "largest photo", "max image"])
def test_the_size_of_an_image_is_what_is_solved_for(planner: Planner, words: str) -> None:
    answer = planner.ask(f"what is the {words} that ic.tflite takes on an stm32f446 in 40 KB of RAM?").answer
    assert re.match(r"\d+x\d+ pixels is the largest input", answer)


@pytest.mark.parametrize(
    "asked",
    [
        "would 4 bit weights speed up ic.tflite on the stm32f446re",
        "shrink the weights of ic.tflite from 8 to 4 bits: quicker on an nrf52840?",
    ],
)
def test_four_bits_of_a_network_in_integers_are_told_by_what_its_kernels_do(
    planner: Planner, asked: str
) -> None:
    first = planner.ask(asked).answer.partition("\n")[0]
    assert "half of the weights' flash" in first
    assert "no arithmetic" in first
    assert "does not apply" not in first


def test_where_the_code_is_not_known_the_model_alone_is_divided(planner: Planner) -> None:
    answer = planner.ask("which parts make up the flash of kws.tflite on an RTX 4060?").answer
    assert "What its code takes is not known." in answer
    assert "not known of flash" not in answer
    assert "0 B" not in answer
