"""The front of a ranking: rows that no other row beats."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from edgewright.tools.verdicts.pareto import pareto

FIGURES = arrays(
    np.float64,
    st.tuples(st.integers(0, 12), st.integers(1, 4)),
    elements=st.sampled_from((0.0, 1.0, 2.0, 3.0, np.nan)),
)


@given(FIGURES, st.integers(0, 2**12 - 1))
def test_the_front_is_what_passes_and_no_other_that_passes_is_as_good_in_all_and_better_in_one(
    figures: np.ndarray, which: int
) -> None:
    passing = np.array([bool(which >> row & 1) for row in range(len(figures))], dtype=np.bool_)
    costs = [[np.inf if np.isnan(cost) else cost for cost in row] for row in figures]
    rivals = [row for row, passes in zip(costs, passing, strict=True) if passes]

    def is_beaten(row: list[float]) -> bool:
        return any(other != row and all(a <= b for a, b in zip(other, row, strict=True)) for other in rivals)

    expected = [bool(passes) and not is_beaten(row) for row, passes in zip(costs, passing, strict=True)]
    assert pareto(figures, passing).tolist() == expected
