"""Which role a figure plays by what stands beside it, alone and through a conversation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.conversation import understood
from edgewright.agent.planner.query import Query, Role
from edgewright.agent.planner.reading import read
from edgewright.agent.quantities import Family, find_figures
from edgewright.agent.workspace import Workspace
from edgewright.tools import deployment, estimate_energy_budget


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def told(*questions: str) -> Query:
    """What the last of a conversation is understood as."""
    query = None
    for question in questions:
        query = understood(question, query, {})
    assert query is not None
    return query


KIB = 1024.0


@pytest.mark.parametrize(
    ("question", "roles"),
    [
        ("my code uses 300 KB of the 512 KB flash on an nrf52832, does kws go in?",
         {Role.TAKEN_FLASH_BYTES: 300 * KIB, Role.FLASH_BYTES: 512 * KIB}),
        ("other tasks eat 120 of the 192 KB RAM of an stm32f405, will kws fit?",
         {Role.TAKEN_BYTES: 120 * KIB, Role.RAM_BYTES: 192 * KIB}),
        ("60 KB of the 256 KB of RAM are free on an nrf52840: ic?", {Role.RAM_BYTES: 60 * KIB}),
        ("of the 1 MB flash 700 KB are gone, vww on an nrf52840?",
         {Role.TAKEN_FLASH_BYTES: 700 * KIB, Role.FLASH_BYTES: KIB**2}),
    ],
)  # fmt: skip
def test_of_a_part_and_the_whole_of_a_memory_each_has_its_role(
    question: str, roles: dict[Role, float]
) -> None:
    query = told(question)
    memory = (Role.RAM_BYTES, Role.FLASH_BYTES, Role.TAKEN_BYTES, Role.TAKEN_FLASH_BYTES)
    assert {slot.role: slot.value for slot in query.slots if slot.role in memory} == roles
    assert not query.unread


@pytest.mark.parametrize(
    ("text", "milliwatts"), [("3 Wh a day", 125), ("72 J/hour", 20), ("the panel gives 0.5 watt-hours per day", 20.8)]
)  # fmt: skip
def test_an_energy_that_comes_in_a_time_is_a_mean_power(text: str, milliwatts: float) -> None:
    (figure,) = find_figures(text)
    assert figure.family is Family.POWER
    assert figure.value == pytest.approx(milliwatts, rel=0.01)


def test_an_allowance_of_energy_a_day_is_held_against_what_a_board_draws_idle(planner: Planner) -> None:
    answer = planner.ask(
        "mobilenet_v2 once a minute on a raspberry pi zero 2 w, solar yields 3 Wh a day, enough?"
    )
    assert answer.answer.startswith("No")
    assert "against 3 Wh a day" in answer.answer


@pytest.mark.parametrize(
    "later", ["make that six cameras", "not four cameras, six", "forget four, it will be six"]
)
def test_a_number_in_place_of_another_multiplies_the_rate(later: str) -> None:
    query = told("four cameras at 15 fps with yolov8s on a jetson orin nano 8gb or a hailo-8?", later)
    assert query.number(Role.DEVICES) == 6
    assert query.number(Role.RATE_HZ) == 15


def _days(answer: str) -> float:
    found = re.search(r"([\d.,]+) (h|days|years)", answer)
    assert found
    return float(found[1].replace(",", "")) * {"h": 1 / 24, "days": 1.0, "years": 365.25}[found[2]]


def test_two_cells_of_a_charge_hold_twice_as_much(planner: Planner) -> None:
    one = planner.ask("vww on an esp32-s3 once a second on a 3000 mAh lipo, how many days?").answer
    both = planner.ask(
        "vww on an esp32-s3 once a second on two 3000 mAh lipo cells in parallel, how many days?"
    )
    assert _days(both.answer) == pytest.approx(2 * _days(one), rel=0.05)


def test_a_current_asleep_is_the_chips_although_a_sensor_wakes_it() -> None:
    query = told("vww on an esp32-s3, a PIR sensor wakes it 200 times a day, 15 uA asleep, 2000 mAh lipo")
    assert query.number(Role.SLEEP_UA) == 15
    assert not query.has(Role.SENSOR_UA)


@pytest.mark.parametrize(
    ("question", "role", "tokens"),
    [
        ("phi-3-mini on an rtx 3060: the first word within 3 s, my prompt is 600 tokens long", Role.PROMPT, 600),
        ("mistral 7b on a 4060, the system prompt alone takes up 1200 tokens", Role.PROMPT, 1200),
        ("llama 3.1 8b on an L4, answers are about 200 tokens, how long?", Role.WRITTEN, 200),
        ("llama 3.1 8b on an L4 at 5 requests a second, 800 tokens in and 250 out", Role.WRITTEN, 250),
    ],
)  # fmt: skip
def test_tokens_are_read_or_written_by_what_they_are_said_to_be(
    question: str, role: Role, tokens: float
) -> None:
    assert told(question).number(role) == tokens


def test_a_size_before_a_rate_is_none_of_its_list() -> None:
    query = told("yolov8s at 640, 25 fps on a jetson orin nano 8gb?")
    assert query.numbers(Role.RATE_HZ) == (25,)
    assert query.number(Role.SIDE) == 640


def test_what_an_hour_costs_goes_on_with_the_second_card() -> None:
    query = told(
        "The T4 costs us 0.35 dollars an hour, the L4 0.70. A million requests of bert-large on each?"
    )
    assert {slot.of: slot.value for slot in query.slots if slot.role is Role.RENT} == {"T4": 0.35, "L4": 0.7}
    assert set(query.all(Role.TARGET)) == {"t4", "l4"}


def test_what_hosts_an_accelerator_draws_all_the_time() -> None:
    query = told("mobilenet_v2 on a coral usb stick on a raspberry pi 4 at 5 fps, power?")
    assert query.all(Role.TARGET) == ("raspberry-pi-4b-coral-usb",)
    alone, hosted = (
        estimate_energy_budget("mobilenet_v2", deployment("coral-usb"), rate_hz=5, host=host)
        for host in (None, "raspberry-pi-4b")
    )
    added = float(hosted.compute_power_mw) - float(alone.compute_power_mw)
    assert added == pytest.approx(float(hosted.host_power_mw))
    assert added > 1000


def test_several_cards_draw_several_times(planner: Planner) -> None:
    asked = "llama 3.1 8b flat out round the clock on {} RTX 3090, at 0.30 euros per kWh: a year?"
    one, two = (planner.ask(asked.format(many)).numbers for many in ("an", "two"))
    assert two[0].value == pytest.approx(2 * one[0].value, rel=0.01)


def test_a_percentile_is_said_to_be_unknown(planner: Planner) -> None:
    answer = planner.ask("is resnet50 on a T4 under 10 ms at p99?").answer
    assert "p99, are not known" in answer
    assert "p99" not in planner.ask("is resnet50 on a T4 under 10 ms?").answer


def test_prices_in_another_currency_are_said_to_be_taken_as_dollars(planner: Planner) -> None:
    answer = planner.ask("the cheapest card under 400 euros for llama 3.1 8b at 40 tokens/s").answer
    assert "*400 euros* as so many US dollars" in answer


@pytest.mark.parametrize(
    ("question", "claimed"),
    [
        ("Should a Coral USB stick do 100 fps with mobilenet_v2? We only get 25.", [25]),
        ("can the T4 really do 2000 images/s of resnet50? I see 300 fps", [300]),
        ("yolov8n on a jetson orin nano: can I get 60 fps?", []),
        ("yolov8n on a jetson orin nano, I want to see 60 fps", []),
        ("do we get 25 fps of yolov8n on a pi 5", []),
    ],
)
def test_a_rate_that_somebody_reads_off_is_none_that_is_wanted(question: str, claimed: list[float]) -> None:
    assert list(told(question).numbers(Role.CLAIMED_HZ)) == claimed


@pytest.mark.parametrize(
    ("question", "role"),
    [
        ("A dealer offers a raspberry pi 5 for only 95 euro. Does yolov8n run on it?", Role.OWN_PRICE_USD),
        ("Is a coral dev board worth 130 euro for ssd_mobilenet_v2?", Role.OWN_PRICE_USD),
        ("Which board under 95 euro runs yolov8n at 5 fps?", Role.PRICE_USD),
    ],
)
def test_what_somebody_asks_for_a_board_is_no_bound(question: str, role: Role) -> None:
    query = told(question)
    assert [slot.role for slot in query.slots if slot.role in (Role.PRICE_USD, Role.OWN_PRICE_USD)] == [role]


@pytest.mark.parametrize(
    "question",
    [
        "yolov8n on a Raspberry Pi 5 at 416 and not 640?", "yolov8n on Jetson Orin Nano with 416, not 640",
        "yolov8n on a Hailo-8 if I feed 416 instead of 640?", "yolov8n on a pi 5 at 640 rather than 416",
    ],
)  # fmt: skip
def test_two_sides_that_are_set_against_each_other_are_both_sides(question: str) -> None:
    query = read(question)
    assert {slot.number for slot in query.slots if slot.role is Role.SIDE} == {416, 640}
    assert not query.has(Role.LATENCY_MS, Role.RATE_HZ)


@pytest.mark.parametrize(
    ("question", "role", "value"),
    [
        ("can yolov8n do 15 fps instead of 30 on a pi 5?", Role.RATE_HZ, 15),
        ("yolov8n on the Orin Nano in 30 ms, not 50?", Role.LATENCY_MS, 30),
    ],
)
def test_a_bare_number_that_a_figure_stands_in_place_of_limits_nothing(
    question: str, role: Role, value: float
) -> None:
    query = read(question)
    assert [slot.number for slot in query.slots if slot.role is role] == [value]
    assert not query.has(Role.SIDE)


@pytest.mark.parametrize(
    "question",
    [
        "Which board is the most economical for mobilenet_v2 at 5 fps? Quantity 1500.",
        "We plan 4,000 feeders a year: which mcu does vww at 5 fps?",
        "We make 12'000 pcs/year. The cheapest mcu for vww 5 times per sec?",
    ],
)
def test_how_many_are_bought_or_made_is_neither_a_price_nor_a_rate(question: str) -> None:
    query = told(question)
    assert of_roles(query, Role.PRICE_USD, Role.DEVICES) == []
    assert of_roles(query, Role.RATE_HZ) == [5.0]


def of_roles(query: Query, *roles: Role) -> list[float]:
    return [slot.number for slot in query.slots if slot.role in roles]


def test_a_factor_between_two_figures_is_none_of_them() -> None:
    question = "kws on an stm32h743zi: the estimate is 15 ms, I measure 112 ms. Factor 7,5. Who is wrong?"
    query = told(question)
    assert [slot.number for slot in query.slots if slot.role is Role.CLAIMED_MS] == [15, 112]
    assert not query.has(Role.LATENCY_MS)


def test_the_price_that_a_part_is_told_by_is_no_bound() -> None:
    query = told("raspberry pi pico (the first one, the 4 euro) and kws: does that work?")
    assert query.has(Role.OWN_PRICE_USD)
    assert not query.has(Role.PRICE_USD)
    assert told("which board within the 30 euro budget runs kws?").has(Role.PRICE_USD)


@pytest.mark.parametrize(
    ("question", "roles"),
    [
        ("the SoftDevice and the app leave me about 120 kB RAM on an nrf52840: does ic go in?",
         {Role.RAM_BYTES: 120 * KIB}),
        ("leave me 40 kB for the BLE stack on the nrf52840: does vww fit?", {Role.TAKEN_BYTES: 40 * KIB}),
        ("fail our pipeline when kws gets bigger than 60 KB on an nrf5340", {Role.FLASH_BYTES: 60 * KIB}),
        ("fail our pipeline when the RAM of kws gets bigger than 60 KB on an nrf5340",
         {Role.RAM_BYTES: 60 * KIB}),
        ("cheapest mcu for kws at 5 fps, 50k pcs/yr", {Role.RATE_HZ: 5.0}),
    ],
)  # fmt: skip
def test_what_is_left_is_a_limit_a_size_is_of_flash_and_orders_are_no_rate(
    question: str, roles: dict[Role, float]
) -> None:
    query = told(question)
    counted = (Role.RAM_BYTES, Role.FLASH_BYTES, Role.TAKEN_BYTES, Role.TAKEN_FLASH_BYTES, Role.RATE_HZ)
    assert {slot.role: slot.number for slot in query.slots if slot.role in counted} == roles


@pytest.mark.parametrize(
    ("said", "out"),
    [
        ("whitout training again", True), ("we cannot train it once more", True),
        ("the weights are frozen", True), ("I could train it again", False),
    ],
)  # fmt: skip
def test_retraining_is_ruled_out_in_other_words(said: str, *, out: bool) -> None:
    query = told(f"how can vww on an esp32-s3 get faster, {said}?")
    assert ("retraining" in query.excluded) is out
