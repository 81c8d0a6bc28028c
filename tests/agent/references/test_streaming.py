"""Nothing that is not bound yet is ever on the screen."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewright.agent.references.review import review
from edgewright.agent.references.streaming import Filler
from stubs.work import TWELVE, times_as_long

RECORD = {"id": "r1", "name": "t", "arguments": {}, "result": {"latency_ms": 33.25, "layers": [{"index": 0}]}}
TEXTS = [
    "It takes {{r1.latency_ms|ms}} there. Good.\n",
    "Your limit is 50 ms. It takes {{r1.latency_ms}}, so it holds. \n",
    "{{r1.latency_ms}} {{r1.layers}} {{1/r1.latency_ms|fps}} and so on. \n",
]


def streamed(text: str, cuts: list[int], user_text: str = "Is it below 50 ms?") -> tuple[list[str], Filler]:
    filler = Filler([RECORD], user_text)
    edges = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    return [filler.feed(text[a:b]) for a, b in pairwise(edges)], filler


@given(text=st.sampled_from(TEXTS), cuts=st.lists(st.integers(0, 500), max_size=40))
def test_however_it_is_cut_the_same_is_shown_and_never_a_brace_of_a_reference(
    text: str, cuts: list[int]
) -> None:
    pieces, _ = streamed(text, cuts)
    shown = "".join(pieces)
    assert review(text, [RECORD], "Is it below 50 ms?").filled.text.startswith(shown)
    assert "{{r" not in shown
    assert len(shown) > 10


@pytest.mark.parametrize(
    "text",
    [
        "It takes 99 ms there. Surely.\n",
        "It takes {{r1.nothing}} there. \n",
        "It takes ninety milliseconds. So. ",
    ],
)
@given(cuts=st.lists(st.integers(0, 200), max_size=20))
def test_from_a_number_of_nobodys_on_nothing_is_shown(text: str, cuts: list[int]) -> None:
    pieces, filler = streamed(text, cuts)
    assert filler.stopped
    assert "It takes".startswith("".join(pieces).strip())


def test_a_reference_is_filled_when_it_closes() -> None:
    filler = Filler([RECORD])
    assert filler.feed("It takes {{r1.latency_ms|ms}") == "It takes"
    assert filler.feed("} on") == " 33.2 ms"


@pytest.mark.parametrize("piece", ["word ", "{{r1.latency_ms}} and. ", "{{", "1 ", "ninety ", "{{r1.a"])
def test_sixty_thousand_pieces_take_linear_time(piece: str) -> None:
    def feeding(characters: int) -> Callable[[], None]:
        def feed() -> None:
            filler: Any = Filler([RECORD])
            for _ in range(characters // len(piece)):
                for start in range(0, len(piece), 3):
                    filler.feed(piece[start : start + 3])

        return feed

    assert times_as_long(feeding, 60_000) <= TWELVE
