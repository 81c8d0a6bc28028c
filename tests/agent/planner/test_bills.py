"""What several boards take at a rate is ordered by what is drawn on average, idle included."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.tools import estimate_performance


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def test_the_least_bill_comes_first_and_no_difference_is_below_zero(planner: Planner) -> None:
    answer = planner.ask(
        "resnet50 every ten seconds all year: electricity of a jetson orin nano 8gb and a raspberry pi zero 2 w "
        "at 0.25 EUR per kWh?"
    ).answer
    bills = {
        name: float(value) for name, value in re.findall(r"^\| ([\w-]+) \| ([\d.]+) ", answer, re.MULTILINE)
    }
    assert answer.startswith(f"{min(bills, key=bills.__getitem__)} takes least")
    assert "-" not in answer.partition(" less than")[0].rpartition(", ")[2]


def test_bills_that_cannot_be_told_apart_are_said_to_be_so(planner: Planner) -> None:
    answer = planner.ask(
        "yolov8n at 5 fps around the clock, euros of electricity a year at 0.3 EUR/kWh: raspberry pi 5 or "
        "jetson orin nano 8gb?"
    ).answer
    assert "hardly differ" in answer.partition("\n")[0]


def test_a_card_that_is_filled_with_streams_is_paid_for_nonstop(planner: Planner) -> None:
    told = planner.ask(
        "How many streams of 8 fps does an L4 do with yolov8m, and what does a year cost at 0.30 EUR/kWh?"
    )
    works = [call["result"] for call in told.tool_calls if call["name"] == "estimate_workload"]
    work = max(works, key=lambda work: work["deployment"]["batch"])
    assert told.answer.startswith(f"{work['streams_served']['value']:g} streams at 8 fps")
    watts = estimate_performance("yolov8m", "l4").power_mw.value / 1e3
    assert any(number.value == pytest.approx(watts * 8.76 * 0.30, rel=0.01) for number in told.numbers)


@pytest.mark.parametrize(
    ("question", "hours", "price"),
    [
        (
            "mobilenet_v2 once a second on a raspberry pi 4b, electricity of a year at 0.25 EUR/kWh?",
            8766,
            0.25,
        ),
        (
            "yolov8n at 10 fps on a jetson orin nano 8gb, euros of electricity a month at 0.30 EUR/kWh?",
            730.5,
            0.30,
        ),
    ],
)
def test_power_energy_and_bill_of_one_answer_agree(
    planner: Planner, question: str, hours: float, price: float
) -> None:
    answer = planner.ask(question).answer
    power = re.search(r"at ([\d.]+) W on average", answer)
    energy = re.search(r"That is ([\d.]+) (?:\([^)]*\) )?kWh", answer)
    assert power
    assert energy
    assert float(energy[1]) == pytest.approx(float(power[1]) * hours / 1e3, rel=0.01)
    assert float(answer.split()[0]) == pytest.approx(float(energy[1]) * price, rel=0.01)


def test_the_bills_of_several_stand_beside_their_power_and_energy(planner: Planner) -> None:
    answer = planner.ask(
        "yolov8n at 10 fps, raspberry pi 5 and jetson orin nano 8gb, bill of a year at 0.25 EUR per kWh?"
    ).answer
    rows = re.findall(
        r"^\| [\w-]+ \| ([\d.]+) [^|]*\| ([\d.]+) W \| ([\d.]+) [^|]*kWh \|$", answer, re.MULTILINE
    )
    assert len(rows) == 2
    for bill, watts, kwh in rows:
        assert float(kwh) == pytest.approx(float(watts) * 8.766, rel=0.01)
        assert float(bill) == pytest.approx(float(kwh) * 0.25, rel=0.01)


def test_a_rent_in_office_hours_is_shared_by_those_who_were_counted(planner: Planner) -> None:
    planner.ask("llama 3.1 8b on a rtx 4090 for 12 developers")
    answer = planner.ask(
        "we pay $0.50/h in office hours alone (9h, 20 days): what is that per dev per month?"
    )
    first = answer.answer.partition("\n")[0]
    assert first.startswith("90 $ per month")
    assert "For each of 12: 7.5 $." in first


def test_a_card_whose_name_is_a_number_counts_nobody(planner: Planner) -> None:
    planner.ask("llama 3 8b on a rtx 4090 for 4 users")
    answer = planner.ask("at 0.40 $ per hour, what is that per user per month?").answer
    assert "For each of 4: " in answer


def test_one_card_in_two_formats_costs_the_same_by_the_hour(planner: Planner) -> None:
    planner.ask("llama 3.1 8b on an L4 in Q4_K_M and in Q8_0, for 6 users")
    answer = planner.ask("we rent it at 0.70 $ per hour: what is that per user per month?").answer
    assert "take the same, 511 $" in answer
    assert "For each of 6: 85.2 $." in answer
    assert "0 $ less" not in answer


def test_rent_is_paid_for_a_card_that_does_not_hold_the_model_too(planner: Planner) -> None:
    planner.ask("llama 3 70b on an h100 or an l4 for one user?")
    answer = planner.ask(
        "what is that per month, the H100 at $2.50 an hour and the L4 at $0.70 an hour, 24/7?"
    )
    assert {round(number.value) for number in answer.numbers} >= {1826, 511}
    assert answer.answer.startswith("h100-sxm5, the only one of them that holds llama-3-70b")


def test_a_card_at_its_rating_has_one_bill_and_no_interval(planner: Planner) -> None:
    planner.ask("llama 3 70b on one h100 or on 2x rtx 6000 ada?")
    answer = planner.ask("what does that cost us in power per year, office hours only?").answer
    assert "Office hours are taken as 8 h a day on 5 days a week" in answer
    kwh = dict(re.findall(r"^\| ([\w -]+) \| ([\d,]+) kWh \|", answer, re.MULTILINE))
    assert kwh == {"h100-sxm5": "1,461", "2 x rtx-6000-ada": "1,252"}


def test_what_is_chosen_has_its_bill(planner: Planner) -> None:
    planner.ask("qwen2.5 14b on an rtx 4090 or a mac studio m2 ultra, for 3 people?")
    answer = planner.ask(
        "so which do i order, and what is the power bill per month at 0.32 eur/kWh, on 10 h a day?"
    ).answer
    pick = answer.removeprefix("I would take ").partition(":")[0]
    bill = answer.splitlines()[1]
    assert "eur per month" in bill
    assert pick in bill
    assert "did not take into account" not in answer


def test_the_bill_of_a_card_needs_no_network(planner: Planner) -> None:
    answer = planner.ask(
        "what does an RTX 3090 cost me in electricity over a year, 2 hours every evening at 32 cents per kWh?"
    )
    assert answer.answer.startswith("81.8 a year")
    assert "256 kWh" in answer.answer


def test_bills_of_cards_for_hours_of_a_day_stand_beside_each_other(planner: Planner) -> None:
    answer = planner.ask("power bill of a 4090 vs a 3090 for 3 hours a day over a year, 40 ct per kWh")
    assert "| rtx-4090 | 197 | 450 W | 493 kWh |" in answer.answer
    assert "| rtx-3090 | 153 | 350 W | 384 kWh |" in answer.answer


def test_as_many_boxes_as_places_are_bought_and_powered(planner: Planner) -> None:
    answer = planner.ask(
        "300 shops each get a Jetson Orin Nano with llama-3.2-3b around the clock: what do the boxes cost, and "
        "the electricity over 3 years at 0.28 USD/kWh?"
    )
    first, *rest = answer.answer.split("\n")
    assert "in all 300 shops; in each 110 USD" in first
    assert any(line.startswith("To buy: 149,700 USD for 300, 499 USD a module; in all 182,") for line in rest)


def test_a_card_that_transcribes_has_a_bill_too(planner: Planner) -> None:
    planner.ask("whisper medium on an L4, 30 streams?")
    bill = planner.ask("what is the power bill of that L4 for a year at 0.25/kWh?").answer
    assert bill.startswith("158 a year (its rating, around the clock) at 0.25/kWh")


def test_cards_that_an_answer_counted_are_what_is_rented(planner: Planner) -> None:
    for question in ("can I run Llama 3.1 70B on an A100 80GB?", "in FP16?", "how many of them then?"):
        planner.ask(question)
    rent = planner.ask("and what does it cost per month at $1.8 an hour each?").answer
    assert rent.startswith("2,630 $ per month")
    assert "2 x a100-sxm4-80gb" in rent
    assert "compute in turn" not in rent


def test_what_so_many_cost_at_a_batch_is_told_with_their_rate_at_that_batch(planner: Planner) -> None:
    answer = planner.ask(
        "resnet50 batch 32 on T4 vs L4: images/s and $ per million images at on-demand prices?"
    )
    rows = [line for line in answer.answer.splitlines() if line.startswith(("| t4", "| l4"))]
    assert [row.split(" | ")[0] for row in rows] == ["| t4, batch 32", "| l4, batch 32"]
    assert all("fps" in row for row in rows)


def test_so_many_for_a_euro_are_those_of_a_kwh_over_its_price(planner: Planner) -> None:
    both = planner.ask(
        "How many tokens per kWh does Llama 3 8B Q4 give on an RTX 4090, and how many per euro at 0.32 EUR/kWh?"
    ).answer
    kwh, euro = (float(n.replace(",", "")) for n in re.findall(r"^([\d,]+) \(", both, re.MULTILINE))
    assert euro == pytest.approx(kwh / 0.32, rel=1e-3)
    assert "I did not" not in both
    alone = planner.ask("how many tokens per euro with Llama 3 8B Q4 on an RTX 4090 at 0.32 EUR/kWh?").answer
    assert alone.startswith(f"{euro:,.0f} (")


def test_days_of_a_month_count_and_what_it_draws_idle_is_said_not_to(planner: Planner) -> None:
    asked = "Llama 3.1 8B on a 4090: electricity a month at 0.30 €/kWh if busy 8 hours a day on 22 days?"
    answer = planner.ask(asked).answer
    assert answer.startswith(f"{0.45 * 8 * 22 * 0.3:.3g} €")
    assert "the other hours, idle, and the computer around it are not counted" in answer


def test_what_is_bought_has_its_own_rating_and_nothing_has_to_run_on_it(planner: Planner) -> None:
    card = planner.ask(
        "rent an A100 for 1.10 €/h or buy one for 7000 €? When does buying pay off at 0.28 €/kWh, 8 h a day?"
    ).answer
    assert card.startswith(f"Buying a100-sxm4-80gb breaks even after {7000 / (1.10 - 0.28 * 0.4):,.0f} hours")
    other = planner.ask(
        "rent an H100 at 2.20 $/h or buy an RTX 4090 for 1900 dollars for Qwen2.5 14B, 6 hours a day, 0.30 $/kWh?"
    ).answer
    assert other.startswith(f"Buying rtx-4090 breaks even after {1900 / (2.2 - 0.3 * 0.45):,.0f} hours")
    assert other.count("breaks even") == 1
