"""The best rate measured of each kernel library on each processor: the roof that its kernels reach.

python -m edgewright.tools.calibration.fit.achieved
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median

from ....hardware_db import coefficients as package
from ....hardware_db import load_target, target_ids
from ....hardware_db.coefficients.achieved import COLUMNS, FILE
from ...cost_model.hierarchy import SAME_KERNELS, ProcessorKind
from ...cost_model.reference_peaks import nominal_macs_per_s, typical_macs_per_s
from ..impossible import MACS
from ..record import Record, by_board
from ..records import read_records

Key = tuple[str, str, str, str]
DIGITS = 4


def main(folder: Path) -> None:
    typical = typical_macs_per_s(load_target(name) for name in target_ids())
    write_achieved(folder, read_records(typical=typical), typical)


def write_achieved(folder: Path, records: Iterable[Record], typical: dict[str, float]) -> None:
    with (folder / FILE).open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(_best(records, typical))


def _best(records: Iterable[Record], typical: dict[str, float]) -> Iterator[tuple[str, ...]]:
    """Of each library on each processor the best network on the best board; repeats count by their median."""
    rates: dict[Key, dict[tuple[str, str], list[tuple[float, str]]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        rate = _rate(record, typical)
        if rate is not None:
            rates[_key(record)][by_board(record), record.network].append((rate, record.id))
    for key, cases in sorted(rates.items()):
        middle = {case: median(rate for rate, _ in rows) for case, rows in cases.items()}
        board, network = max(middle, key=lambda case: middle[case])
        first = min(name for _, name in cases[board, network])
        yield (*key, f"{middle[board, network]:.{DIGITS}g}", board, network, first)


def _key(record: Record) -> Key:
    dtype = record.row["dtype"]
    library = record.row["runtime"].partition("@")[0]
    return record.kind.value, library, record.row["processor"], SAME_KERNELS.get(dtype, dtype)


def _rate(record: Record, typical: dict[str, float]) -> float | None:
    """MACs a cycle and thread of a core; of an accelerator MACs over what its peak would do."""
    macs = float(record.work[MACS].sum())
    if record.kind is not ProcessorKind.UNIT:
        threads = int(record.row["threads"] or 0) or 1
        return macs / record.cost / threads
    if not record.target:
        return None
    target, family = load_target(record.target), record.row["processor"]
    unit = next((a for a in target.accelerators if family in (a.family, a.kind)), None)
    peak = nominal_macs_per_s(target, unit, family, record.row["dtype"], None, typical)
    return None if peak is None else min(macs / record.seconds / peak, 1.0)


if __name__ == "__main__":
    main(Path(package.__file__).parent)
