"""What a rented card costs, by list prices where the user says none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright.agent.planner.planner import Planner
from edgewright.agent.planner.rents import USUAL
from edgewright.agent.workspace import Workspace
from edgewright.hardware_db import load_target
from edgewright.tools import get_target

MONTH_H = 730.5


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def money(text: str) -> float:
    """The first amount in US dollars."""
    found = re.search(r"([\d.,]+) USD", text)
    assert found, text
    return float(found[1].replace(",", ""))


@pytest.mark.parametrize(
    "question",
    [
        "ResNet-50 on a T4: what would a month cost in the cloud, running day and night?",
        "resnet50 on a rented T4, what is the monthly bill?",
        "what would resnet50 nonstop on a T4 cost me per month?",
        "How much would one month of a T4 be, for resnet50, always on, in the cloud?",
    ],
)
def test_a_month_is_its_hours_at_the_list_price_with_provider_and_date(
    planner: Planner, question: str
) -> None:
    answer = planner.ask(question)
    listed = get_target("t4").rents[0]
    assert money(answer.answer) == pytest.approx(MONTH_H * listed.hour_usd, rel=0.01)
    for told in (listed.provider, listed.instance, listed.date):
        assert told in answer.answer
    assert not answer.marked


def test_the_cheapest_of_the_others_is_told_with_its_name(planner: Planner) -> None:
    answer = planner.ask("cost per million tokens of llama 3.1 8b on a rented H100?").answer
    least = min(get_target("h100-sxm5").rents, key=lambda rent: rent.hour_usd)
    assert f"{least.hour_usd:g} USD ({least.provider}" in answer


def test_the_users_own_price_goes_first_and_no_list_is_named(planner: Planner) -> None:
    answer = planner.ask("resnet50 on a rented T4 at 0.40 $ an hour, cost per month?").answer
    assert answer.startswith("292 $ per month at 0.40 $ an hour")
    assert "List price" not in answer


@pytest.mark.parametrize(
    "question",
    [
        "what is the cost of electricity for a month of resnet50 nonstop on a T4?",
        "llama 3.1 8b on a cloud T4: what would the electricity be a month?",
        "mistral 7b on my own RTX 4090, cost per million tokens?",
        "resnet50 nonstop on our T4, cost a month?",
    ],
)
def test_of_electricity_and_of_an_own_card_no_rent_is_told(planner: Planner, question: str) -> None:
    assert "USD" not in planner.ask(question).answer


def test_where_it_is_open_whether_a_card_is_rented_the_electricity_of_an_own_one_is_said_to_be_left_out(
    planner: Planner,
) -> None:
    left_out = "electricity of a card of your own is not in it"
    assert left_out in planner.ask("mistral 7b on an RTX 4090, cost per million tokens?").answer
    assert left_out not in planner.ask("mistral 7b on a rented RTX 4090, cost per million tokens?").answer


def test_a_provider_that_is_named_is_taken_or_said_to_be_unknown(planner: Planner) -> None:
    azure = next(rent for rent in get_target("h100-sxm5").rents if rent.provider == "Azure")
    priced = planner.ask("llama 3.1 8b on an H100 on Azure, cost a month?").answer
    assert money(priced) == pytest.approx(MONTH_H * azure.hour_usd, rel=0.01)
    unlisted = planner.ask("yolov8s on an L40S from Azure: cost of a million frames?").answer
    assert "no list price of Azure for l40s was read" in unlisted


def test_the_rent_of_a_card_is_told_without_a_network(planner: Planner) -> None:
    answer = planner.ask("What is the rent of an A100?").answer
    rents = get_target("a100-sxm4-80gb").rents
    assert money(answer) == pytest.approx(rents[0].hour_usd, rel=0.01)
    assert all(rent.instance in answer for rent in rents)


def test_of_what_no_cloud_lists_it_says_so(planner: Planner) -> None:
    answer = planner.ask("rent a T4 or a Jetson Orin Nano 8GB, hourly price?").answer
    assert "No list price of jetson-orin-nano-8gb was read" in answer


def test_what_to_rent_is_the_cheapest_card_that_it_fits_on(planner: Planner) -> None:
    large = planner.ask("Llama 3 70B: which GPU should I rent and what does it cost a month?").answer
    assert large.startswith("l40s")
    assert not re.search(r"^\| (?:t4|l4|a10g) ", large, re.MULTILINE)


def test_a_rate_is_rented_as_many_cards_as_it_takes(planner: Planner) -> None:
    answer = planner.ask(
        "which cloud GPU is cheapest for resnet50 at 30000 images per second, a month?"
    ).answer
    first = answer.partition(",")[0]
    many, name = re.fullmatch(r"(\d+) x (\S+)", first).groups()  # type: ignore[union-attr]
    hour = get_target(name).rents[0].hour_usd
    assert money(answer) == pytest.approx(int(many) * MONTH_H * hour, rel=0.01)


def test_later_turns_keep_that_it_is_rented(planner: Planner) -> None:
    planner.ask("resnet50 on a T4, how fast?")
    first = planner.ask("what would that cost me per month in the cloud?").answer
    second = planner.ask("and on an L4?").answer
    own = planner.ask("and at 0.40 $ an hour?").answer
    assert money(first) == pytest.approx(MONTH_H * get_target("t4").rents[0].hour_usd, rel=0.01)
    assert money(second) == pytest.approx(MONTH_H * get_target("l4").rents[0].hour_usd, rel=0.01)
    assert own.startswith("292 $ per month")


def test_when_buying_breaks_even_takes_the_listed_rent(planner: Planner) -> None:
    answer = planner.ask(
        "we could buy an A100 for 15000 dollars or rent one for llama 3.1 8b. When does buying break even?"
    )
    hours = int(re.search(r"after ([\d,]+) hours", answer.answer)[1].replace(",", ""))  # type: ignore[index]
    assert hours == pytest.approx(15000 / get_target("a100-sxm4-80gb").rents[0].hour_usd, rel=0.01)
    assert not answer.marked


def test_each_of_the_usual_cards_has_a_list_price() -> None:
    assert all(load_target(name).rents for name in USUAL)
