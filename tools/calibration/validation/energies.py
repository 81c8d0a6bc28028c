"""Energy per inference: power and latency, each by what is left without the model or without the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....hardware_db.coefficients import ActivePower, RunCurrent, load_coefficients
from ....hardware_db.errors import EdgewrightError
from ....hardware_db.measurements import rows
from ...core.deployment import Deployment, deployment
from ...core.quantity import Quantity
from ...cost_model.energy import energy
from ...cost_model.power import power_by
from ..power import fit_power, fit_run_current
from ..record import Record
from .latencies import sample_of
from .samples import Collected
from .validation_report import Measured, Scheme

NO_PLACE = "energy on a board that the database lacks, or at a clock that is not known"


def energy_samples(
    records: Sequence[Record], scheme: Scheme, latencies: Mapping[str, Quantity], into: Collected
) -> None:
    """Adds a sample per record with an energy.

    Args:
        latencies: by id, predicted under the same scheme.
    """
    measured = [row for row in rows() if row["energy_uj"]]
    every = load_coefficients().power
    others = {target: _drawn_by_others(every, target) for target in {fitted.target for fitted in every}}
    for record in records:
        if not record.row["energy_uj"] or record.id not in latencies:
            continue
        where = _place(record)
        if where is None:
            into.leave_out(record.id, NO_PLACE)
            continue
        supply_v = float(record.row["supply_mv"]) / 1e3 if record.row["supply_mv"] else None
        drawn = others.get(record.target, {}) if scheme is Scheme.BOARD_OUT else {}
        power = power_by(_fitted(record, scheme, measured), where, supply_v=supply_v, **drawn)
        figure = energy(power.milliwatts, latencies[record.id])
        if figure.value is None:
            into.leave_out(record.id, f"{scheme}: no power of its target is known without it")
            continue
        into.samples.append(
            sample_of(record, Measured.ENERGY, scheme, float(record.row["energy_uj"]), figure)
        )


def _drawn_by_others(every: Sequence[ActivePower], target: str) -> dict[str, RunCurrent]:
    """What the other targets draw over their data sheets."""
    rest = [fitted for fitted in every if fitted.target != target]
    return {
        "run_current": fit_run_current(rest),
        "load_current": fit_run_current(rest, of_a_load=True),
    }


def _fitted(record: Record, scheme: Scheme, measured: Sequence[Mapping[str, str]]) -> ActivePower | None:
    """Power of the record's target by its other networks; None where its board is left out."""
    if scheme is Scheme.BOARD_OUT:
        return None
    seen = scheme is Scheme.IN_SAMPLE
    kept = [r for r in measured if r["target"] == record.target and (seen or r["network"] != record.network)]
    return next((fitted for fitted in fit_power(kept) if fitted.kind == record.kind), None)


def _place(record: Record) -> Deployment | None:
    """The record's target at the clock that its energy was measured at."""
    row = record.row
    if not record.target or not row["clock_mhz"] or "clock_unverified" in row["flag"]:
        return None
    for runtime in (row["runtime"], None):
        try:
            return deployment(record.target, runtime, clock_mhz=float(row["clock_mhz"]))
        except EdgewrightError:
            continue
    return None
