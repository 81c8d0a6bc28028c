from pathlib import Path

import numpy as np
import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools.graph import DType
from edgewright.tools.optimization_simulator.applied.drift import drift_of
from edgewright.tools.optimization_simulator.applied.samples import Input, samples_for

IMAGE = Input("image", (1, 4, 4, 3), DType.FLOAT32)
STATE = Input("state", (1, 8), DType.FLOAT32)


def test_synthetic_samples_are_the_same_each_time_and_said_to_be_synthetic() -> None:
    one, other = samples_for([IMAGE], None), samples_for([IMAGE], None)
    assert np.array_equal(one.arrays[0], other.arrays[0])
    assert one.arrays[0].shape == (16, 1, 4, 4, 3)
    assert "synthetic" in one.description


def test_samples_are_taken_with_and_without_the_batch_axis(tmp_path: Path) -> None:
    for shape in ((5, 4, 4, 3), (5, 1, 4, 4, 3)):
        np.save(tmp_path / "x.npy", np.ones(shape, dtype=np.uint8))
        assert samples_for([IMAGE], tmp_path / "x.npy").arrays[0].shape == (5, 1, 4, 4, 3)


def test_arrays_of_an_npz_go_by_the_inputs_names(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", state=np.zeros((3, 8)), image=np.ones((3, 4, 4, 3)))
    found = samples_for([IMAGE, STATE], tmp_path / "x.npz")
    assert [array.mean() for array in found.arrays] == [1, 0]


def test_a_folder_is_read_file_by_file(tmp_path: Path) -> None:
    for number in range(3):
        np.save(tmp_path / f"{number}.npy", np.full((2, 4, 4, 3), number, dtype=np.float32))
    assert samples_for([IMAGE], tmp_path).size == 6


@pytest.mark.parametrize(
    ("array", "told"),
    [
        (np.ones((5, 7)), "no list of samples"),
        (np.full((2, 4, 4, 3), np.nan), "not finite"),
        (np.array([{}]), "cannot be read"),
        (np.ones((0, 4, 4, 3)), "samples"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(tmp_path: Path, array: np.ndarray, told: str) -> None:
    np.save(tmp_path / "x.npy", array, allow_pickle=True)
    with pytest.raises(UsageError, match=told):
        samples_for([IMAGE], tmp_path / "x.npy")


def test_what_is_no_numpy_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.npz").write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(UsageError, match="cannot be read"):
        samples_for([IMAGE], tmp_path / "x.npz")
    with pytest.raises(UsageError, match="holds no samples"):
        samples_for([IMAGE], tmp_path / "x.csv")


def test_a_tenth_of_noise_is_twenty_decibels() -> None:
    reference = np.array([[1.0, 0.0], [0.0, 1.0]])
    found = drift_of([reference], [reference * 1.1])
    assert found is not None
    assert found.sqnr_db == pytest.approx(20)
    assert found.cosine == pytest.approx(1)
    assert found.top1_agreement == 1


def test_nothing_differs_and_nothing_to_compare() -> None:
    same = drift_of([np.ones((2, 3))], [np.ones((2, 3))])
    assert same is not None
    assert (same.sqnr_db, same.largest_difference) == (None, 0)
    assert drift_of([np.ones((2, 3))], [np.ones((2, 4))]) is None
    assert drift_of([np.full((2, 3), np.nan)], [np.ones((2, 3))]) is None


def test_the_largest_output_may_move() -> None:
    found = drift_of([np.array([[1.0, 2.0], [1.0, 2.0]])], [np.array([[1.0, 2.0], [2.0, 1.0]])])
    assert found is not None
    assert found.top1_agreement == 0.5
