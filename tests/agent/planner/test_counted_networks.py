"""A network of which only MACs and size are told finds its microcontroller, and other types are simulated."""

from __future__ import annotations

import re

import pytest

from edgewright.tools import deployment, estimate_performance, get_target, simulate_optimizations

from .conftest import Ask


def test_a_microcontroller_is_found_by_macs_and_size_alone(ask: Ask) -> None:
    said = ask("which MCU would you pick for a model of 1.2 MB with 30 M MACs, 10 inferences per second?")
    assert "meets 10 inferences per second, first by price" in said.splitlines()[0]
    assert "I did not take into account" not in said
    boards = re.findall(r"^\| ([a-z][\w.-]+) \| ([\d.]+) ms", said, re.M)
    assert len(boards) == 3
    prices = [get_target(board).price_usd or 0.0 for board, _ in boards]
    assert prices == sorted(prices)
    for board, shown in boards:
        assert (get_target(board).flash_bytes or 0) > 1.2 * 2**20
        assert float(shown) < 100


def test_a_choice_without_a_demand_asks_for_one(ask: Ask) -> None:
    said = ask("which MCU for a model of 1.2 MB with 30 M MACs")
    assert "has the room, first by price" in said
    assert "How often does it run" in said


def test_what_a_counted_network_needs_is_judged_on_a_board_that_is_named(ask: Ask) -> None:
    said = ask("my net has 12 MMACs and 250k parameters, is an stm32l4r5zi at 80 MHz enough for 5 fps?")
    assert said.startswith("No, against 5 fps: about ")
    board = deployment("stm32l4r5zi", clock_mhz=80)
    known = [estimate_performance(name, board) for name in ("ic", "kws", "vww")]
    times = [12e6 / sum(layer.macs for layer in one.layers) * one.latency_ms.value for one in known]
    shown = re.search(r"about ([\d.]+) ms .*? to ([\d.]+) ms", said)
    assert shown is not None
    assert (float(shown[1]), float(shown[2])) == pytest.approx((min(times), max(times)), rel=0.01)


@pytest.mark.parametrize("model", ["kws", "ic"])
def test_int16_is_simulated_of_a_network_in_int8(ask: Ask, model: str) -> None:
    said = ask(f"compare int8 and int16 of {model} on an stm32f446re")
    option = simulate_optimizations(f"{model}:int8", "stm32f446re", technique="int16").options[0]
    assert option.after is not None
    assert f"{option.after.latency_ms.value:.3g} ms" in said.splitlines()[0]
    assert option.after.latency_ms.value > option.before.latency_ms.value
    assert "float32" not in said


def test_bits_of_samples_are_no_type_of_a_network(ask: Ask) -> None:
    assert ask("kws on an nrf52840, my microphone gives 16 bit samples. latency?").startswith("161 ms")


def test_a_part_that_is_named_is_counted_in_the_life(ask: Ask) -> None:
    said = ask("kws once a minute on an nrf52840 with a microphone on 2 AA cells, will that last a year?")
    assert said.startswith("No, not a year")
    assert "on all the time" in said.splitlines()[0]
    assert "the chip alone ten years" in said


def test_a_self_discharge_that_is_said_is_taken(ask: Ask) -> None:
    asked = "vww every 30 s on an stm32u585, 3000 mAh LiPo{}: how many months?"
    months = [
        float(ask(asked.format(leak)).split(" months")[0])
        for leak in ("", ", 3 % self-discharge per month", ", and 3% self discharge a month")
    ]
    assert months[0] < months[1] == months[2]


def test_the_energy_of_a_million_runs_is_told(ask: Ask) -> None:
    said = ask("1 mio inferences of kws on the nrf52840, how much energy is that in total?")
    each = estimate_performance("kws", deployment("nrf52840")).energy_uj.value
    shown = re.search(r"an inference, ([\d,.]+) J for 1 mio", said)
    assert shown is not None
    assert float(shown[1].replace(",", "")) == pytest.approx(each, rel=0.02)


def test_how_sure_a_life_is_names_what_it_is_made_of(ask: Ask) -> None:
    said = ask("how sure are you about a battery life of kws once a minute on an nrf52840 with a CR2032?")
    assert "as wide as what it is made of, most by the energy" in said.splitlines()[0]
