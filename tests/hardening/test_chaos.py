"""A little of `make chaos`: what takes seconds of it, and that the rest of it runs."""

from __future__ import annotations

import pytest

from edgewright.agent.planner.conversation import understood
from tests.chaos import bombs, crowds, lengths
from tests.fuzz.trial import in_a_process, reading_of

pytest.importorskip("onnx")


@pytest.mark.parametrize("at", range(0, 70, 7))
def test_a_small_file_that_means_a_lot_is_an_error_or_a_result_at_little_cost(at: int) -> None:
    _, kind, content = bombs.every_bomb()[at]
    assert in_a_process(reading_of(kind, content), 2 * bombs.CPU_S, bombs.MORE_BYTES) == []


def test_there_are_sixty_bombs_and_thirty_ways_to_misbehave() -> None:
    assert len(bombs.every_bomb()) >= 60
    assert len(crowds.ways()) >= 30


@pytest.mark.parametrize("piece", lengths.REPEATED)
def test_a_question_of_one_piece_again_and_again_is_understood_somehow(piece: str) -> None:
    understood((piece * 8_000)[:8_000], None, {})


@pytest.mark.parametrize(
    "name", [name for name in lengths.READERS if name not in ("a question", "an answer", "names")]
)
@pytest.mark.parametrize("piece", ["twenty-", "1 ms ", "\n"])
def test_a_text_eight_times_as_long_takes_at_most_twelve_times_as_long_in_every_reader(
    name: str, piece: str
) -> None:
    assert min(lengths.growth_of(lengths.READERS[name], piece) for _ in range(2)) <= 12
