import functools
import math

import pytest

from edgewright.hardware_db.coefficients import load_coefficients
from edgewright.hardware_db.coefficients.errors import stored_errors
from edgewright.hardware_db.measurements import rows
from edgewright.tools import UnknownNameError, validate
from edgewright.tools.calibration.record import by_board, by_network
from edgewright.tools.calibration.records import record_of
from edgewright.tools.calibration.tiers import nearest_tiers
from edgewright.tools.calibration.validation.latencies import latency_samples
from edgewright.tools.calibration.validation.samples import Collected
from edgewright.tools.calibration.validation.validation_report import SUMS, Measured, Scheme, ValidationReport
from edgewright.tools.core.render.markdown import as_text
from edgewright.tools.cost_model.kernels import Tier


@functools.cache
def report() -> ValidationReport:
    return validate()


def test_every_quantity_and_both_schemes_are_told() -> None:
    found = {(g.quantity, g.scheme) for g in report().groups}
    assert found >= {(Measured.LATENCY, Scheme.MODEL_OUT), (Measured.LATENCY, Scheme.BOARD_OUT),
(Measured.ENERGY, Scheme.MODEL_OUT), (Measured.ENERGY, Scheme.BOARD_OUT), (Measured.ACTIVATIONS, Scheme.MODEL_OUT)}  # fmt: skip


def test_the_contract_of_a_group() -> None:
    told = report().model_dump(mode="json", by_alias=True)["groups"][0]
    assert set(told) >= {
        "class", "runtime", "quantity", "scheme", "n", "models", "median_ape", "mean_ape", "within_10",
        "within_25", "coverage", "rank_correlation",
    }  # fmt: skip


def test_the_worst_row_is_in_the_text() -> None:
    text = as_text(report())
    worst = max(
        (g for g in report().groups if g.n >= 4 and g.runtime not in SUMS), key=lambda g: g.median_ape
    )
    assert f"Worst row of 4 measurements or more: {worst.device_class} with {worst.runtime}" in text
    assert all(f"| {group.runtime} " in text for group in report().groups)


def test_filters_leave_the_rest_out() -> None:
    groups = validate(device_class="mcu", runtime="x-cube-ai").groups
    assert {g.device_class for g in groups} == {"mcu"}
    assert {g.runtime for g in groups} == {"all", "x-cube-ai"}


def test_an_unknown_class_names_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match="mcu"):
        validate(device_class="mcus")


def test_a_prediction_is_the_measurement_times_the_stored_error() -> None:
    errors = stored_errors()
    row = next(r for r in rows() if r["id"] in errors and errors[r["id"]]["network_out"])
    record = record_of(row)
    assert record is not None
    collected = Collected()
    latency_samples([record], Scheme.MODEL_OUT, collected)
    found = collected.samples[0]
    log = float(errors[row["id"]]["network_out"])
    assert found.predicted == pytest.approx(float(row["latency_ms"]) * math.exp(log))


def test_an_interval_is_that_of_the_kin_that_is_left() -> None:
    records = [r for row in rows() if row["target"] == "rx65n" and (r := record_of(row)) is not None]
    assert len({record.network for record in records}) > 1
    assert Tier.TARGET in nearest_tiers(records, by_network)
    assert set(nearest_tiers(records, by_board)) == {Tier.NOTHING}


def test_fitted_errors_belong_to_the_shipped_rows() -> None:
    assert set(stored_errors()) <= {row["id"] for row in rows()}
    assert load_coefficients().factors
