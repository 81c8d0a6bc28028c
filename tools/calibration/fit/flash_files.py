"""`make calibrate`, the part of flash: writes `flash.json` and `flash_errors.csv` of the coefficients."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ....hardware_db.coefficients.flash import FlashFit
from ....hardware_db.measurements import digest
from ...memory_planner.flash.code_family import Family
from ...memory_planner.flash.code_size import Tier
from ..flash_records import FlashRecord, by_network, by_place, by_runtime, by_target, read_flash_records
from .disjoint import disjoint_union
from .flash_fit import (
    Floats,
    best_pull,
    evidence_of,
    fit_nodes,
    interval_factors,
    left_out,
    own_factors,
    unmeasured_kib,
)

DIGITS = 3
"""Decimals of a KiB that are kept: what is below does not repeat on every machine."""


def write_flash(folder: Path) -> None:
    records = read_flash_records()
    pull = best_pull(records)
    network = left_out(records, pull, by_network, folds=True)[0]
    target, _ = left_out(records, pull, by_target, folds=False)
    fit = FlashFit(
        schema_version="1.0",
        data_sha256=digest(),
        median_errors={"network": _median(network), "board": _median(target)},
        nodes={name: round(kib, DIGITS) for name, kib in sorted(fit_nodes(records, pull).items())},
        evidence=evidence_of(records),
        factors=_rounded(
            disjoint_union((own_factors(records, network), tier_factors(records, pull, network)))
        ),
        unmeasured_kib={name: round(kib, DIGITS) for name, kib in unmeasured_kib(records, pull).items()},
    )
    (folder / "flash.json").write_text(fit.model_dump_json() + "\n", encoding="utf-8")
    _write_errors(folder / "flash_errors.csv", records, network, target)
    print(
        f"flash: {len(records)} code sizes, pull {pull}, median error left out "
        f"by network {fit.median_errors['network']:.1%}, by board {fit.median_errors['board']:.1%}"
    )


def tier_factors(
    records: Sequence[FlashRecord], pull: float, network: Floats
) -> dict[str, tuple[float, float]]:
    """What is predicted from programs on another target, another instruction set, of another runtime."""
    found = {Tier.TARGET.value: interval_factors(network, records)}
    for key, tier in ((by_target, Tier.ISA), (by_place, Tier.RUNTIME)):
        errors, tiers = left_out(records, pull, key, folds=False)
        so_far = np.array([t is tier for t in tiers])
        found[tier.value] = interval_factors(np.where(so_far, errors, np.nan), records)
    errors, _ = left_out(records, pull, by_runtime, folds=False)
    for family in Family:
        own = np.array([record.build.family is family for record in records])
        found[f"{Tier.FAMILY}/{family}"] = interval_factors(np.where(own, errors, np.nan), records)
    return found


def _median(errors: Floats) -> float:
    return round(float(np.nanmedian(np.abs(np.expm1(errors)))), 4)


def _rounded(factors: dict[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    return {name: (round(low, 4), round(high, 4)) for name, (low, high) in sorted(factors.items())}


def _write_errors(file: Path, records: Sequence[FlashRecord], network: Floats, board: Floats) -> None:
    """Log errors of every code size by fits that had not seen its network, its board."""
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(("id", "network_out", "board_out"))
        for record, *values in sorted(zip(records, network, board, strict=True), key=lambda line: line[0].id):
            writer.writerow((record.id, *("" if np.isnan(v) else f"{v:.4f}" for v in values)))
