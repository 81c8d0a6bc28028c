"""`make calibrate`: fit the shipped measurements and write `hardware_db/coefficients/`."""

from __future__ import annotations

import csv
import datetime
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ....hardware_db import coefficients as package
from ....hardware_db import load_target, target_ids
from ....hardware_db.coefficients import Coefficients, Evidence, load_coefficients
from ....hardware_db.measurements import digest, rows
from ...cost_model.features import FEATURES
from ...cost_model.hierarchy import amount, class_of_path
from ...cost_model.reference_peaks import typical_macs_per_s
from ..power import fit_power, fit_run_current
from ..record import Record, by_board, by_network, by_source
from ..records import read_records
from ..work import write_work
from .achieved import write_achieved
from .decode_fit import write_decode
from .disjoint import disjoint_union
from .flash_files import write_flash
from .left_out import by_pair, inverse, left_out, types_of
from .pooled import Model, solve
from .priors import models
from .spread import factors
from .table import Floats, records_table

DIGITS = 5
"""Significant decimals of a stored deviation: far below the noise, and the same on every machine."""

LEFT_OUT = {"network": by_network, "board": by_board, "pair": by_pair, "source": by_source}


class Fit(NamedTuple):
    """Of one class of processors."""

    records: Sequence[Record]
    nodes: dict[str, tuple[float, ...]]
    factors: dict[str, float]
    errors: Mapping[str, Floats]
    """What was left out → log errors of the records."""


def main(folder: Path) -> None:
    typical = typical_macs_per_s(load_target(name) for name in target_ids())
    write_work(folder, rows())
    records = read_records(typical=typical)
    fits = {}
    for name, model in models().items():
        members = [record for record in records if class_of_path(record.path) == name]
        fits[name] = _fit(members, model)
        errors = ", ".join(f"by {what} {error:.1%}" for what, error in _medians(fits[name]).items())
        print(f"{name}: {len(members)} measurements, median error left out {errors}", flush=True)
    power = tuple(fit_power())
    fitted = Coefficients(
        schema_version="3.0",
        data_sha256=digest(),
        date=datetime.datetime.now(tz=datetime.UTC).date(),
        median_errors={
            f"{name}/{what}": error for name, fit in fits.items() for what, error in _medians(fit).items()
        },
        features=FEATURES,
        priors={name: tuple(np.round(model.prior, DIGITS)) for name, model in models().items()},
        typical_macs_per_s=typical,
        nodes=disjoint_union(fit.nodes for fit in fits.values()),
        evidence=_evidence(records),
        factors=disjoint_union(fit.factors for fit in fits.values()),
        power=power,
        run_current=fit_run_current(power),
        load_current=fit_run_current(power, of_a_load=True),
    )
    document = _dated(fitted, _before()).model_dump_json()
    (folder / "fitted.json").write_text(document + "\n", encoding="utf-8")
    _write_errors(folder / "errors.csv", fits.values())
    write_achieved(folder, records, typical)
    write_flash(folder)
    write_decode(folder)


def _fit(records: Sequence[Record], model: Model) -> Fit:
    """Nodes, intervals and the errors of what was left out."""
    solved = solve(records_table(records), model)
    inverted = inverse(solved.factor)
    types = types_of(records)
    errors = {
        what: left_out(solved, inverted, [key(record) for record in records], types)
        for what, key in LEFT_OUT.items()
    }
    nodes = solved.pooled.nodes
    rounded = {name: tuple(np.round(nodes[name], DIGITS).tolist()) for name in sorted(nodes)}
    return Fit(records, rounded, factors(records, *errors.values()), errors)


def _evidence(records: Sequence[Record]) -> dict[str, Evidence]:
    rows: dict[str, int] = defaultdict(int)
    networks: dict[str, set[str]] = defaultdict(set)
    for record in records:
        for name, _ in map(amount, record.path):
            rows[name] += 1
            networks[name].add(record.network)
    return {name: Evidence(rows=rows[name], networks=len(networks[name])) for name in sorted(rows)}


def _medians(fit: Fit) -> dict[str, float]:
    return {
        what: round(float(np.nanmedian(np.abs(np.expm1(error)))), 4) for what, error in fit.errors.items()
    }


def _dated(fitted: Coefficients, before: Coefficients | None) -> Coefficients:
    """The fit, with the date of the one before if it gave the same figures."""
    if before is None:
        return fitted
    same = fitted.model_copy(update={"date": before.date})
    return same if same == before else fitted


def _before() -> Coefficients | None:
    try:
        return load_coefficients()
    except (OSError, ValueError):
        return None


def _write_errors(file: Path, fits: Iterable[Fit]) -> None:
    """Log errors of every measurement by what is left without its network, its board, its pair."""
    lines = [
        (record.id, *values)
        for fit in fits
        for record, *values in zip(fit.records, *(e.tolist() for e in fit.errors.values()), strict=True)
    ]
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(("id", *(f"{what}_out" for what in LEFT_OUT)))
        for name, *values in sorted(lines):
            writer.writerow((name, *("" if np.isnan(v) else f"{v:.4f}" for v in values)))


if __name__ == "__main__":
    main(Path(package.__file__).parent)
