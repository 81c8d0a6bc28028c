"""Answers say one thing, plainly: what holds it, why, what a word means, what there is."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from edgewright.agent.planner.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.tools import analyze_roofline, deployment, list_targets


@pytest.fixture
def ask(tmp_path: Path) -> Callable[[str], str]:
    return lambda question: Planner(Workspace(tmp_path)).ask(question).answer


def why(answer: str) -> str:
    return next(line for line in answer.splitlines() if "Why:" in line)


_COMPUTER = ("mobilenet_v2", "raspberry-pi-4b")


@pytest.mark.parametrize(
    "boards",
    ["an stm32l4r5zi and an esp32-s3", "a raspberry pi 5 and a hailo-8", "a jetson nano and a coral usb"],
)
def test_why_one_is_slower_is_told_by_at_most_three_causes_and_the_rest(
    ask: Callable[[str], str], boards: str
) -> None:
    told = why(ask(f"mobilenet_v1:0.25 on {boards}: why is the one so much slower?"))
    assert 1 <= len(re.findall(r"[\d.,]+x by ", told)) <= 4
    assert "unknown" not in told
    assert not re.search(r"\b0\.\d+x", told)


def test_what_holds_it_back_is_one_thing_with_its_share(ask: Callable[[str], str]) -> None:
    answer = ask("what is the bottleneck of resnet50 on a t4 at batch 1?")
    assert "but in fact" not in answer
    assert re.search(r"takes? [\d.]+ % of", answer)


@pytest.mark.parametrize(
    "question",
    [
        "is mobilenet_v2 on an a10g held back by bandwidth or by arithmetic?",
        "mobilenet_v2, a10g: memory or compute?",
    ],
)
def test_of_memory_and_arithmetic_the_side_is_named_first(ask: Callable[[str], str], question: str) -> None:
    assert re.match(r"(?:\W*)(?:memory|arithmetic|compute|In part|Hardly|Yes|Mostly)", ask(question), re.I)
    assert "rather than" in ask(question) or "-bound" in ask(question)


def test_of_two_roofs_that_are_full_it_is_the_one_where_the_time_is_spent() -> None:
    report = analyze_roofline("ad", deployment("esp32"))
    assert report.bound_shares[report.bound] == max(report.bound_shares.values())


@pytest.mark.parametrize("clock", ["half", "a quarter of"])
def test_a_change_is_so_many_times_faster_or_slower_never_below_one(
    ask: Callable[[str], str], clock: str
) -> None:
    answer = ask(f"kws on an stm32h743zi with {clock} the clock: how much slower is that?")
    assert "slower" in answer
    assert not re.search(r"\b0\.\d+x", answer)


def test_what_is_known_is_counted_with_makers_and_examples(ask: Callable[[str], str]) -> None:
    answer, classes = ask("what hardware is in your database?"), list_targets().classes
    assert sum(each.count for each in classes) == len(list_targets().targets)
    assert all(str(each.count) in answer and each.examples[0] in answer for each in classes)


def test_whether_one_board_is_known_gets_a_yes(ask: Callable[[str], str]) -> None:
    assert ask("is the nrf5340 among the chips you know?").startswith("Yes")


@pytest.mark.parametrize(
    "how", ["in plain words", "like I'm twelve, I'm new to this", "for my boss", "without the jargon"]
)
def test_who_knows_nothing_of_the_field_is_answered_in_plain_words(
    ask: Callable[[str], str], how: str
) -> None:
    assert "in plain words" in ask(f"What is the roofline, {how}?")


def test_a_mac_comes_with_a_sum_that_can_be_reckoned(ask: Callable[[str], str]) -> None:
    assert "2 × 3 + 5 × 1 + 1 × 4 = 15" in ask("What is a MAC, for pupils?")


def _figures(text: str) -> list[float]:
    return [float(one.replace(",", "")) for one in re.findall(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?", text)]


@pytest.mark.parametrize(
    ("turns", "model", "target"),
    [
        (["I teach 14-year-olds. What is the ridge point? An example with numbers please"], *_COMPUTER),
        (["explain the roofline to somebody who sells fish"], *_COMPUTER),
        (["how fast is kws on an stm32h743zi?", "what is a ridge, in plain words?"], "kws", "stm32h743zi"),
    ],
)
def test_plain_words_take_their_example_from_a_real_network_on_a_real_target(
    tmp_path: Path, turns: list[str], model: str, target: str
) -> None:
    talk = Planner(Workspace(tmp_path))
    answer = [talk.ask(turn).answer for turn in turns][-1]
    roof = analyze_roofline(model, deployment(target, threads=0))
    shown = _figures(answer[answer.index("For real, ") :])
    meets = roof.peak_gops / roof.bandwidth_gb_s
    for figure in (roof.peak_gops, roof.bandwidth_gb_s, meets, roof.arithmetic_intensity):
        assert any(one == pytest.approx(figure, rel=0.01) for one in shown), figure


def test_an_example_of_both_bounds_has_a_layer_of_each_and_its_two_times(ask: Callable[[str], str]) -> None:
    answer = ask("What do memory-bound and compute-bound mean, for my class?")
    told = answer[answer.index("For real, ") :].split("Layer ")
    rate, peak = re.search(r"([\d.]+) GB/s and calculates at most ([\d.]+) GOP/s", told[0]).groups()  # type: ignore[union-attr]
    for layer, word in zip(told[1:], ("memory-bound", "compute-bound"), strict=True):
        size, unit, fetches, macs, calculates = re.search(  # type: ignore[union-attr]
            r"fetches ([\d.]+) ([KM]iB) in ([\d.]+) us and does ([\d.]+) M .* in ([\d.]+) us", layer
        ).groups()
        size_bytes = float(size) * (2**20 if unit == "MiB" else 2**10)
        assert float(fetches) == pytest.approx(size_bytes / float(rate) / 1e3, rel=0.02)
        assert float(calculates) == pytest.approx(2e3 * float(macs) / float(peak), rel=0.02)
        assert word in layer
        assert (float(fetches) > float(calculates)) == (word == "memory-bound")


@pytest.mark.parametrize(
    "question",
    [
        "I teach physics to 16-year-olds. With an example they can reckon: why is a chip with twice the TOPS not twice as fast?",
        "is a chip with twice the TOPS twice as fast?",
    ],
)
def test_why_more_tops_are_not_as_much_faster_is_shown_on_two_cards(
    ask: Callable[[str], str], question: str
) -> None:
    answer = ask(question)
    assert "MAC in plain words" not in answer
    by_peak, by_time = (float(one) for one in re.findall(r": ([\d.]+)x\.", answer))
    assert by_peak > 2
    assert by_time < 1.3


def test_words_in_quotation_marks_are_explained_each(ask: Callable[[str], str]) -> None:
    answer = ask(
        'Please, what means "ridge 0.5 FLOP/byte" and "arena"? I am not from informatics, is it bad?'
    )
    assert all(said in answer for said in ("neither good nor bad", "desk", "bad only where RAM is short"))
    assert "no page" not in answer


def test_what_is_counted_is_counted_in_the_network_that_is_named(ask: Callable[[str], str]) -> None:
    assert "2.66 M MACs" in ask("What is a MAC, in plain words, and how many has kws?")


def test_what_stands_beside_a_plain_definition_does_not_shorten_it(ask: Callable[[str], str]) -> None:
    answer = ask("what is arithmetic intensity, in everyday words? my reports are full of it")
    assert all(word in answer for word in ("mostly waits", "busy calculating", "cook"))
    assert "cook" not in ask("what is arithmetic intensity, simple words, one sentence?")


def test_a_word_is_explained_before_the_case_is_told(ask: Callable[[str], str]) -> None:
    first, _, rest = ask("what is arithmetic intensity and on which side is vgg16 on a t4").partition("\n")
    assert "FLOP" in first
    assert "t4" not in first
    assert "vgg16 on t4" in rest


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("which sample pictures does the int8 converter need to find its ranges?", "Calibration"),
        ("will the QAT version of my net run faster than the PTQ one?", "Quantisation-aware training"),
        ("why is the arena larger than the biggest tensor in it?", "larger than its largest tensor"),
        ("how does speculative decoding work?", "Speculative decoding"),
    ],
)
def test_what_people_ask_is_on_a_page(ask: Callable[[str], str], question: str, page: str) -> None:
    assert page in ask(question)


@pytest.mark.parametrize("number", ["the top 3", "the first 3", "the 3"])
def test_how_many_layers_are_listed_names_no_other_chip(ask: Callable[[str], str], number: str) -> None:
    answer = ask(f"{number} layers of kws that take most time on an STM32F767?")
    assert set(re.findall(r"stm32\w+", answer)) == {"stm32f767zi"}


def test_nothing_is_said_to_be_unanswered_that_a_page_answered(ask: Callable[[str], str]) -> None:
    answer = ask("When I open a secret network here, does any of it reach your servers?")
    assert "I did not answer" not in answer


def test_what_is_asked_stands_before_a_verdict_that_nobody_asked_for(ask: Callable[[str], str]) -> None:
    answer = ask("kws on an nrf5340 twice a minute: what would lower its energy most without a new chip?")
    assert "brings most" in answer.partition("\n")[0]


def test_the_best_batch_keeps_to_the_time_that_is_allowed(ask: Callable[[str], str]) -> None:
    answer = ask("which batch brings the best throughput for resnet50 on a t4 in fp16 within 20 ms?")
    assert "within 20 ms" in answer.partition("\n")[0]
    assert "I did not take into account" not in answer
    assert "None" in ask("which batch brings the best throughput for resnet50 on a t4 within 0.1 ms?")


def test_what_a_figure_is_there_asks_for_no_definition(ask: Callable[[str], str]) -> None:
    answer = ask("Take the nrf5340 for kws. What's the energy per inference there?")
    assert "integral" not in answer
    assert re.match(r"[\d.]+ [mµ]J", answer)
