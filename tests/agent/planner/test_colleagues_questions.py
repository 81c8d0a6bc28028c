"""What colleagues ask in passing: recommendations, batches, builds, boards of their own, amounts behind names."""

from collections.abc import Callable

import pytest

from edgewright import tools
from edgewright.agent.planner.conversation import understood
from edgewright.agent.planner.query import Role
from edgewright.tools import deployment, estimate_performance

Ask = Callable[[str], str]


def test_what_is_fast_enough_is_chosen_by_price_and_power_and_runs_by_itself(ask: Ask) -> None:
    first = ask("which board for mobilenet_v2 at 30 fps?").partition("\n")[0]
    assert "first by price and power together" in first
    assert "It computes for a board beside it" not in first
    assert "USD" in first


def test_a_panel_is_told_by_the_sun_that_it_needs(ask: Ask) -> None:
    answer = ask("I have a 50W solar panel and need yolov8n at 5 fps, which computer?")
    assert "The *50W* are for full sun" in answer
    assert "average" in answer


def test_animals_that_are_counted_change_no_figure(ask: Ask) -> None:
    assert "did not take into account: *120*" not in ask(
        "I have 120 cows and want to count them with yolov8s, which small computer?"
    )


@pytest.mark.parametrize(
    ("question", "model", "role", "value"),
    [
        ("mistral 7b 3 hours a day on a 4090, kWh a year?", "mistral-7b", Role.HOURS_A_DAY, 3.0),
        ("llama 3 8b 24 hours a day on a 4090", "llama-3-8b", Role.HOURS_A_DAY, 24.0),
        ("yolov5s 8 cameras on a jetson nano", "yolov5s", Role.DEVICES, 8.0),
    ],
)
def test_an_amount_behind_a_network_is_no_part_of_its_name(
    question: str, model: str, role: Role, value: float
) -> None:
    query = understood(question, None, {})
    assert query.all(Role.MODEL) == (model,)
    assert query.number(role) == value
    assert not query.unknown


def test_cells_written_with_a_factor_are_as_many(ask: Ask) -> None:
    apart = ask("how long do 2 AA last with kws on an nrf52840 once a second?").partition("\n")[0]
    assert ask("how long do 2xAA last with kws on an nrf52840 once a second?").partition("\n")[0] == apart


def test_an_accelerator_on_a_board_by_the_name_of_its_chip(ask: Ask) -> None:
    answer = ask("Which draws less at 10 fps with yolov8n: Pi 5 or Pi 4 with a coral?")
    assert "| raspberry-pi-4b-coral-usb |" in answer
    assert "| raspberry-pi-5 |" in answer


def test_two_batches_are_set_against_each_other_before_where_it_stops_paying(ask: Ask) -> None:
    rates = [
        estimate_performance(
            "resnet50", deployment("t4", "tensorrt", batch=batch)
        ).inferences_per_second.value
        for batch in (1, 32)
    ]
    answer = ask("batch 1 or batch 32 for resnet50 on a T4, and at which batch does it stop being worth it?")
    assert answer.startswith(f"Batch 32 does {rates[1] / rates[0]:.3g}x as many a second as batch 1.")
    assert "more gains little" in answer


def test_the_energy_of_a_picture_in_a_batch_is_told_where_it_is_asked(ask: Ask) -> None:
    estimate = estimate_performance("resnet50:int8", deployment("t4", "tensorrt", batch=32))
    answer = ask("resnet50 int8, batch 32 on a T4: images a second, and how many mJ per image?")
    assert f"{estimate.energy_uj.value / 32e3:.3g} mJ" in answer


def test_a_build_without_optimisation_bounds_what_one_with_it_takes(ask: Ask) -> None:
    slow = ask("kws takes 400 ms on my nucleo-l4r5zi in a debug build, what would it take with -O3?")
    assert "*400 ms* are of a build without optimisation" in slow
    quick = ask(
        "I measured 61 ms for kws on an stm32l552ze at 110 MHz with -O0. What should I expect with -O3?"
    )
    assert quick.startswith("Less than *61 ms*")


def test_a_measured_time_far_off_is_explained_before_changes_are_named(ask: Ask) -> None:
    answer = ask("my jetson nano with yolov8n manages 6 fps. how do i get 15?")
    assert "slower than I expect" in answer.partition("\n")[0]
    assert "(retraining) brings most" in answer


def test_a_rate_that_a_board_is_to_reach_is_none_that_was_seen(ask: Ask) -> None:
    assert "slower than I expect" not in ask("I need a board where yolov8n does 30 fps")


def test_another_size_of_pictures_of_a_network_with_one_size_is_simulated(ask: Ask) -> None:
    found = tools.simulate_optimizations("vww", "stm32f446re", technique="input-48x48", goal="latency")
    after = found.options[0].after.latency_ms.value
    assert f"{after:.3g} ms" in ask(
        "If I feed vww 48x48 instead of 96x96 on an stm32f446re, how much faster?"
    )


def test_whether_a_clock_saves_energy_is_a_yes_or_a_no(ask: Ask) -> None:
    assert ask("does kws at 48 MHz instead of 100 MHz on an STM32F411 save energy?").startswith("No, ")


def test_what_is_named_first_with_instead_is_what_is_taken(ask: Ask) -> None:
    assert "2 threads" in ask("yolov8n with 2 threads instead of 4 on a raspberry pi 5: how much slower?")


def test_a_board_that_is_to_be_described_may_be_known(ask: Ask) -> None:
    answer = ask(
        "I have a board that is not in your list, with an RA6M5 (200 MHz, 512 kB SRAM). How do I describe it so that "
        "you can estimate kws on it?"
    )
    assert answer.startswith("It is known: RA6M5")
    assert "edgewright estimate kws -t my-board" in answer


def test_a_list_is_as_long_and_in_the_order_that_is_asked_for(ask: Ask) -> None:
    answer = ask("list three accelerators that run mobilenet_v2 at 60 fps, sorted by power draw")
    rows = [line for line in answer.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 3
    assert "by power" in answer


def test_a_claim_of_what_does_not_fit_begins_with_that(ask: Ask) -> None:
    assert ask("I get 900 ms for ad on an atmega328p, is that possible?").startswith(
        "As I plan it, it does not fit"
    )


def test_when_a_card_pays_against_its_rent_needs_no_network(ask: Ask) -> None:
    price = tools.get_target("rtx-4090").price_usd
    assert price is not None
    answer = ask("how long until it pays to buy a 4090 instead of renting an A10G at 1 $/h?")
    assert answer.startswith(f"After {price:,.0f} hours of renting at 1 $/h")


def test_how_many_comes_before_what_each_costs(ask: Ask) -> None:
    answer = ask(
        "how many cameras at 10 fps with yolov8s does one L4 handle, and what does that cost per camera?"
    )
    assert "streams at 10 fps" in answer.partition("\n")[0]


def test_times_that_stand_beside_no_number_of_cores_are_no_pair(ask: Ask) -> None:
    answer = ask(
        "RK3588 NPU, resnet50 int8: I get 11 ms single core, it should be under 2. where do the other 9 ms go?"
    )
    assert "resnet50 on rk3588" in answer
