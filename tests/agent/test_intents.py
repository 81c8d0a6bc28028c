from __future__ import annotations

import numpy as np
import pytest
from evaluation.intent_fit import QUESTIONS, Labelled, digest_of, fitted, labelled_questions

from edgewright.agent.grounding.spoken_figures import in_digits
from edgewright.agent.offline.clauses import clauses_of
from edgewright.agent.offline.intent import Intent
from edgewright.agent.offline.intent_features import Names, masked
from edgewright.agent.offline.intent_model import ELSEWHERE, SAME, WEIGHTS, intent_model
from edgewright.agent.offline.reading import read
from edgewright.agent.offline.turns import LONGEST_QUESTION


def test_the_stored_weights_are_those_of_the_stored_questions() -> None:
    with np.load(WEIGHTS) as stored:
        assert stored["questions"].tobytes().decode() == digest_of(QUESTIONS)


def test_every_label_is_an_intent_or_says_elsewhere_or_same() -> None:
    known = {*Intent, ELSEWHERE, SAME}
    assert set(intent_model().labels) == known
    assert {label.replace("_", " ") for told in labelled_questions() for label in told["labels"]} <= known


def test_a_fit_tells_what_it_was_shown_apart() -> None:
    shown = [
        Labelled(["fast", "how"], frozenset(["latency"])),
        Labelled(["fast", "quick"], frozenset(["latency"])),
        Labelled(["arena", "how"], frozenset(["memory"])),
        Labelled(["arena", "big"], frozenset(["memory"])),
    ] * 5
    model = fitted(shown)
    assert next(iter(model.chances(["fast"]))) == "latency"
    assert next(iter(model.chances(["arena", "never seen"]))) == "memory"


def test_names_and_figures_are_no_words_to_learn() -> None:
    one = masked("Does kws fit a Pico in 20 ms?", Names(models=["kws"], targets=["Pico"]))
    other = masked("Does vww fit a Teensy in half a second?", Names(models=["vww"], targets=["Teensy"]))
    assert one == other == ["does", "a_model", "fit", "a", "a_target", "in", "fig_time", "?"]


UNUSUAL = (
    ("The autoencoder is too portly for the RAM here, what's the least painful cure?", Intent.OPTIMISE),
    ("Would the RP2040 have to sweat for the keyword net or does it do it with ease in 30 ms?", Intent.FIT),
    ("Is it the arithmetic or the fetching of weights that keeps kws from going faster on the L4R5?",
     Intent.BOTTLENECK),
    ("Tell me what to solder on my next board so that person detection is done in 50 ms", Intent.RECOMMEND),
    ("By how much does the thing shrink when I knock out every other filter of vww?", Intent.WHATIF),
    ("Between the H743 and the U575, who is the thriftier of the two for kws?", Intent.COMPARE),
    ("After how many days is the coin cell empty with one look a minute on the nRF52840?", Intent.BATTERY),
    ("Which bits of the network does the Ethos-U55-128 hand back to the core?", Intent.COMPATIBILITY),
    ("What chunk of SRAM do I have to set aside for it on the F746?", Intent.MEMORY),
    ("How wide may MobileNetV2 grow before 200 KB of RAM are used up on the H743?", Intent.INVERSE),
    ("Up to what clock does the U575 go, and has it an FPU?", Intent.HARDWARE),
    ("Does anybody know how to get I2C going again after a brown-out?", None),
)  # fmt: skip
"""Chosen to use none of the field's own words for what is wanted; no label was ever given to them."""


def test_most_wishes_in_unusual_words_are_understood() -> None:
    def understood(question: str, intent: Intent | None) -> bool:
        reading = read(question, {"model": "ad_int8.tflite"})
        return intent in reading.scores if intent else next(iter(reading.chances)) == ELSEWHERE

    assert sum(understood(*each) for each in UNUSUAL) >= 9


@pytest.mark.parametrize(
    ("said", "digits"),
    [
        ("two hundred milliseconds", "200 ms"),
        ("one hundred and twenty MHz", "120 MHz"),
        ("a watt and a half", "1.5 watt"),
        ("one and a half watts", "1.5 watts"),
        ("every tenth of a second", "every 0.1 second"),
        ("every other second", "every 2 second"),
        ("once a minute", "every 60 s"),
        ("six times an hour", "every 600 s"),
        ("hourly", "every 3600 s"),
        ("three quarters of a meg", "0.75 meg"),
        ("15 pictures per second", "15 /s"),
        ("20 milli seconds", "20 ms"),
        ("three dollars fifty", "3.50 dollars"),
        ("2.5 million parameters", "2.5 million parameters"),
        ("one of the nets", "one of the nets"),
        ("the second layer", "the second layer"),
    ],
)
def test_figures_in_words_become_digits_and_other_words_stay(said: str, digits: str) -> None:
    assert in_digits(said) == digits


@pytest.mark.parametrize(
    "unit",
    [
        "one hundred and ",
        "a half of ",
        "every other ",
        "1.5 mW and a half ",
        "ESP32-S3-",
        "may must ",
        "all 3 cores ",
    ],
)
def test_what_goes_on_without_end_is_read_without_harm(unit: str) -> None:
    question = unit * (LONGEST_QUESTION // len(unit))
    assert read(question, {}).question
    assert in_digits(question)


def test_a_question_for_several_things_is_taken_apart() -> None:
    assert clauses_of("How fast is kws on the H743?") == []
    asked = "Two things: how much RAM does it take, and is every operator supported?"
    assert clauses_of(asked)[-2:] == ["how much RAM does it take", "is every operator supported"]
    scores = read(f"On the nRF5340, for kws. {asked}", {}).scores
    assert {Intent.MEMORY, Intent.COMPATIBILITY} <= scores.keys()
