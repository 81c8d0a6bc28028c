import io

import pytest

from edgewright.hardware_db.measurements import rows
from edgewright.tools.calibration.validation.board_scores import NOT_MEASURED, board_scores, write_scores
from edgewright.tools.calibration.validation.samples import Sample
from edgewright.tools.calibration.validation.validation_report import DeviceClass, Measured, Scheme


def sample(predicted: float, board: str, name: str = "") -> Sample:
    return Sample(
        id=name, device_class=DeviceClass.CPU, runtime="ncnn", quantity=Measured.LATENCY,
        scheme=Scheme.BOARD_OUT, network="resnet50", dtype="int8", board=board, measured=100.0,
        predicted=predicted, low=predicted / 1.2, high=predicted * 1.2,
    )  # fmt: skip


def test_a_board_with_many_rows_has_one_vote() -> None:
    # nine rows of one board are 10 % off and inside, one row of each of two others 50 % off and outside
    samples = [sample(110, "much measured")] * 9 + [sample(150, "a"), sample(150, "b")]
    (score,) = board_scores(samples)
    assert (score.rows, score.boards, score.left_out) == (11, 3, "board")
    assert score.median == pytest.approx(0.1)
    assert score.median_of_boards == pytest.approx(0.5)
    assert score.coverage == pytest.approx(9 / 11, abs=1e-4)
    assert score.coverage_of_boards == pytest.approx(1 / 3)


@pytest.mark.parametrize("flag", NOT_MEASURED)
def test_figures_that_were_not_measured_are_not_scored(flag: str) -> None:
    doubtful = next(row["id"] for row in rows() if flag in row["flag"])
    (score,) = board_scores([sample(110, "a"), sample(200, "a", doubtful)])
    assert score.rows == 1


def test_scores_are_written_as_a_table() -> None:
    out = io.StringIO()
    write_scores(board_scores([sample(110, "a")]), out)
    header, line = out.getvalue().splitlines()
    assert header.startswith("device_class,quantity,left_out,of,rows,boards,median_of_boards")
    assert line.startswith("cpu,latency_ms,board,all,1,1,0.1000,1.0000,")
