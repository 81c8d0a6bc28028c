from __future__ import annotations

import re

import pytest

from edgewright.agent.offline.deployment_words import ON_DEPLOYMENTS
from edgewright.agent.offline.intent import Intent
from edgewright.agent.offline.intents import intents_in
from edgewright.agent.offline.other_words import OF_THE_REST


@pytest.mark.parametrize("question", ["WHERE IS THE BOTTLENECK?", "Where is the Bottlenec\N{KELVIN SIGN}?"])
def test_case_does_not_count(question: str) -> None:
    assert intents_in(question).keys() == intents_in("where is the bottleneck?").keys() >= {Intent.BOTTLENECK}


def test_letters_without_one_small_letter_move_nothing() -> None:
    assert intents_in("İİ latency?") == intents_in("xx latency?")


@pytest.mark.parametrize("intent", [*ON_DEPLOYMENTS, *OF_THE_REST])
def test_rules_are_written_in_small_letters_which_alone_they_are_matched_with(intent: Intent) -> None:
    letters = re.sub(r"\\.", "", (ON_DEPLOYMENTS | OF_THE_REST)[intent])
    assert letters == letters.lower()
