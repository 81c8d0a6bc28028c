"""What was learned of boards, row by row."""

from typing import ClassVar

from ...core.quantity import Quantity, Result


class CalibrationRow(Result):
    """One line of the table of measurements."""

    line: int
    """Line of the file; its first line names the columns."""
    model: str
    target: str
    runtime: str
    measured_ms: float | None
    estimated_ms: float | None
    """What was answered before; null where that is not known."""
    used: bool
    """Whether it was learned from."""
    reason: str
    """Why it was not used; what it stands for where it was."""


class LearnedBoard(Result):
    """What the measurements of one board with one library come to."""

    target: str
    runtime: str
    measurements: int
    """How many measurements of it were used."""
    networks: int
    """Distinct networks among them."""
    factor: Quantity
    """What latencies of other networks there are multiplied with."""
    error_before: float | None
    """Median of |estimated / measured - 1|."""
    error_after: float | None
    """The same of each network by what the others tell; null where there are no others."""
    file: str
    """Where it is kept."""


class Foretold(Result):
    """Another model on the board that was measured."""

    model: str
    estimated_ms: Quantity
    """Without the measurement."""
    latency_ms: Quantity
    """By the measurement."""


class Calibration(Result):
    """Measurements of a user's own boards, and how far off estimates are without and with them."""

    main_rows: ClassVar[str] = "rows"

    schema_version: str = "1.0"
    source: str
    """Where the measurements were read."""
    rows: tuple[CalibrationRow, ...]
    """One row a line of the table."""
    boards: tuple[LearnedBoard, ...]
    """One row a board and library."""
    error_before: float | None
    """Median over the measurements of |estimated / measured - 1|."""
    error_after: float | None
    """The same with each network corrected by what the others tell; null where there are no others."""
    file: str
    """Where it is kept; empty where nothing was learned."""
    written: tuple[str, ...] = ()
    """Other files that were written."""
    then: tuple[Foretold, ...] = ()
    """Other models that were asked about, one row a model."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        used = sum(row.used for row in self.rows)
        return f"{used} of {len(self.rows)} measurements used"


class CalibrationList(Result):
    """The calibrations that answers go by."""

    main_rows: ClassVar[str] = "boards"

    schema_version: str = "1.0"
    boards: tuple[LearnedBoard, ...]
    """One row a board and library."""
    removed: str = ""
    """The file that was removed."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return f"{len(self.boards)} boards calibrated"
