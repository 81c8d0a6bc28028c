"""How far two spellings lie apart, beside the table of edits that defines it."""

from hypothesis import given
from hypothesis import strategies as st

from edgewright.hardware_db.names import closest, distance

WORDS = st.text("abc1", max_size=12)


def edits(one: str, other: str) -> int:
    """Fewest letters put in, left out, replaced or swapped with their neighbour, no letter twice."""
    table = {(i, 0): i for i in range(len(one) + 1)} | {(0, j): j for j in range(len(other) + 1)}
    for i in range(1, len(one) + 1):
        for j in range(1, len(other) + 1):
            ways = [
                table[i - 1, j] + 1,
                table[i, j - 1] + 1,
                table[i - 1, j - 1] + (one[i - 1] != other[j - 1]),
            ]
            if i > 1 and j > 1 and one[i - 2 : i] == other[j - 2 : j][::-1]:
                ways.append(table[i - 2, j - 2] + 1)
            table[i, j] = min(ways)
    return table[len(one), len(other)]


@given(WORDS, WORDS)
def test_the_distance_is_the_fewest_edits(one: str, other: str) -> None:
    assert distance(one, other) == edits(one, other)


@given(WORDS, WORDS, st.integers(0, 6))
def test_a_limit_changes_nothing_below_it(one: str, other: str, limit: int) -> None:
    found, wanted = distance(one, other, limit), edits(one, other)
    assert found == wanted if wanted <= limit else found > limit


def test_neighbours_that_swapped_places_are_one_edit() -> None:
    assert distance("smt32h743", "stm32h743") == 1
    assert closest("smt32h743", ["stm32h753", "stm32h743", "nrf52840"], 2) == ["stm32h743", "stm32h753"]
