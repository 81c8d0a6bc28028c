"""`make calibrate`: fit the shipped measurements and write `hardware_db/coefficients/`."""

from __future__ import annotations

import csv
import datetime
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from ....hardware_db import coefficients as package
from ....hardware_db import load_target, target_ids
from ....hardware_db.coefficients import Coefficients, Evidence, load_coefficients
from ....hardware_db.measurements import digest
from ...cost_model.features import FEATURES
from ...cost_model.hierarchy import amount
from ...cost_model.reference_peaks import typical_macs_per_s
from ..power import fit_power, fit_run_current
from ..record import Record, by_board, by_network
from ..records import read_records
from .achieved import write_achieved
from .decode_fit import write_decode
from .disjoint import disjoint_union
from .flash_files import write_flash
from .folds import by_pair, fit_records, left_out
from .physics import priors
from .pooled import Floats, Pooled
from .spread import factors

DIGITS = 5
"""Significant decimals of a stored deviation: far below the noise, and the same on every machine."""

PROCESSES = 2
LEFT_OUT = ("network", "board", "pair")


def main(folder: Path) -> None:
    typical = typical_macs_per_s(load_target(name) for name in target_ids())
    records = read_records(typical=typical)
    nodes: list[dict[str, tuple[float, ...]]] = []
    intervals: list[dict[str, float]] = []
    errors: list[tuple[str, float, float, float]] = []
    medians: list[dict[str, float]] = []
    prior = priors()
    kinds = sorted({record.kind for record in records})
    groups = [[record for record in records if record.kind is kind] for kind in kinds]
    with ProcessPoolExecutor(PROCESSES) as pool:
        fits = pool.map(_of_one_kind, groups, (prior[kind] for kind in kinds))
        for kind, chosen, (own, widths, outs) in zip(kinds, groups, fits, strict=True):
            nodes.append(own)
            intervals.append(widths)
            columns = (out.tolist() for out in outs)
            errors += list(zip((record.id for record in chosen), *columns, strict=True))
            medians.append(_medians(kind, outs))
            print(
                f"{kind}: {len(chosen)} measurements, median error left out", _told(medians[-1]), flush=True
            )
    power = tuple(fit_power())
    fitted = Coefficients(
        schema_version="3.0",
        data_sha256=digest(),
        date=datetime.datetime.now(tz=datetime.UTC).date(),
        median_errors=disjoint_union(medians),
        features=FEATURES,
        priors={kind: tuple(np.round(values, DIGITS)) for kind, values in prior.items()},
        typical_macs_per_s=typical,
        nodes=disjoint_union(nodes),
        evidence=_evidence(records),
        factors=disjoint_union(intervals),
        power=power,
        run_current=fit_run_current(power),
    )
    told = _dated(fitted, _before()).model_dump_json()
    (folder / "fitted.json").write_text(told + "\n", encoding="utf-8")
    _write_errors(folder / "errors.csv", errors)
    write_achieved(folder, records, typical)
    write_flash(folder)
    write_decode(folder)


def _of_one_kind(
    records: Sequence[Record], prior: Floats
) -> tuple[dict[str, tuple[float, ...]], dict[str, float], list[Floats]]:
    """Nodes, intervals and the errors of what was left out."""
    outs = [left_out(records, prior, key) for key in (by_network, by_board, by_pair)]
    return _rounded(fit_records(records, prior)), factors(records, *outs), outs


def _rounded(fitted: Pooled) -> dict[str, tuple[float, ...]]:
    return {name: tuple(np.round(node, DIGITS).tolist()) for name, node in sorted(fitted.nodes.items())}


def _evidence(records: Sequence[Record]) -> dict[str, Evidence]:
    rows: dict[str, int] = defaultdict(int)
    networks: dict[str, set[str]] = defaultdict(set)
    for record in records:
        for name, _ in map(amount, record.path):
            rows[name] += 1
            networks[name].add(record.network)
    return {name: Evidence(rows=rows[name], networks=len(networks[name])) for name in sorted(rows)}


def _medians(kind: str, outs: Sequence[Floats]) -> dict[str, float]:
    whats = (f"{kind}/{what}" for what in LEFT_OUT)
    return {
        what: round(float(np.nanmedian(np.abs(np.expm1(out)))), 4)
        for what, out in zip(whats, outs, strict=True)
    }


def _told(medians: Mapping[str, float]) -> str:
    return ", ".join(f"by {what.partition('/')[2]} {error:.1%}" for what, error in medians.items())


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


def _write_errors(file: Path, errors: Sequence[tuple[str, float, float, float]]) -> None:
    """Log errors of every measurement by fits that had not seen its network, its board, its pair."""
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(("id", "network_out", "board_out", "pair_out"))
        for name, *values in sorted(errors):
            writer.writerow((name, *("" if np.isnan(v) else f"{v:.4f}" for v in values)))


if __name__ == "__main__":
    main(Path(package.__file__).parent)
