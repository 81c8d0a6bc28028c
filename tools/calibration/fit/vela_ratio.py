"""What measured latencies are of Vela's: the factor that corrects Vela, and how widely it scatters.

`python -m edgewright.tools.calibration.fit.vela_ratio [FOLDER]` writes `hardware_db/coefficients/vela.json`.

Networks that are known by name are written with random weights, which Vela packs less tightly than trained
ones; those of published files are compiled as they are. Needs Vela, and the published files for their rows.
"""

from __future__ import annotations

import math
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from ....hardware_db import coefficients as package
from ....hardware_db.coefficients.vela import VelaCoefficients, VelaGroup, VelaRatio
from ....hardware_db.errors import EdgewrightError
from ....hardware_db.measurements import digest, rows
from ...core.deployment import deployment
from ...ethos_u.asked import RUNTIMES
from ...ethos_u.process import vela_version
from ...ethos_u.vela import vela_answer
from ...model_formats.source import parse_model
from ...model_formats.writer.save import save_tflite
from ...model_zoo.named import build_architecture
from .spread import COVERAGE, LEAST_FACTOR, PSEUDO_COUNT

DIGITS = 4


def compare(models: Path | None) -> VelaCoefficients:
    """Every measurement of an Ethos-U beside Vela; `models` is the folder of the published files."""
    with tempfile.TemporaryDirectory() as folder:
        ratios = tuple(_ratios(models, Path(folder)))
    return VelaCoefficients(
        schema_version="1.0",
        vela=vela_version() or "",
        data_sha256=digest(),
        groups=grouped(ratios),
        ratios=ratios,
    )


def grouped(ratios: Sequence[VelaRatio]) -> tuple[VelaGroup, ...]:
    """Targets whose memory rates are known, and the others."""
    logs = np.log([r.measured_ms / r.vela_ms for r in ratios])
    whole = _quantile(logs - np.median(logs))
    cited = np.array([r.cited for r in ratios])
    return tuple(_group(flag, logs[cited == flag], whole) for flag in (True, False) if (cited == flag).any())


def _group(cited: bool, logs: np.ndarray[tuple[int], np.dtype[np.float64]], whole: float) -> VelaGroup:
    """The scatter of all rows widens that of a group, the more the fewer rows the group has."""
    middle, seen = float(np.median(logs)), len(logs)
    own = _quantile(logs - middle)
    spread = max(own, (seen * own + PSEUDO_COUNT * whole) / (seen + PSEUDO_COUNT))
    return VelaGroup(
        cited=cited,
        rows=seen,
        factor=round(math.exp(middle), DIGITS),
        interval_factor=math.ceil(max(math.exp(spread), LEAST_FACTOR) * 100) / 100,
    )


def _quantile(errors: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    """The size of log error that at least nine of ten stay within: rows are too few to interpolate."""
    return float(np.quantile(np.abs(errors), COVERAGE, method="higher"))


def _ratios(models: Path | None, folder: Path) -> Iterator[VelaRatio]:
    for row in rows():
        if row["runtime"] not in RUNTIMES or not row["latency_ms"] or not row["network"] or not row["target"]:
            continue
        ratio = _ratio(row, models, folder)
        if ratio is not None:
            yield ratio


def _ratio(row: Mapping[str, str], models: Path | None, folder: Path) -> VelaRatio | None:
    try:
        where = deployment(row["target"], row["runtime"])
        graph = parse_model(_file(row["network"], models, folder))
    except (EdgewrightError, FileNotFoundError):
        return None
    compiled = vela_answer(graph, where).compiled
    family = where.accelerator.family if where.accelerator else ""
    if compiled is None or compiled.on_cpu or row["processor"] != family:
        return None
    return VelaRatio(
        id=row["id"],
        network=row["network"],
        target=row["target"],
        measured_ms=float(row["latency_ms"]),
        vela_ms=round(compiled.cycles / where.clock_mhz / 1e3, 6),
        cited=compiled.system.rates_cited,
    )


def _file(network: str, models: Path | None, folder: Path) -> Path:
    if network.endswith(".tflite"):
        if models is None or not (models / network).is_file():
            raise FileNotFoundError(network)
        return models / network
    file = folder / f"{network.replace(':', '_')}.tflite"
    if not file.exists():
        save_tflite(build_architecture(network, dtype="int8"), file)
    return file


def main(arguments: list[str]) -> None:
    found = compare(Path(arguments[0]) if arguments else None)
    file = Path(package.__file__).with_name("vela.json")
    file.write_text(found.model_dump_json() + "\n", encoding="utf-8")
    for group in found.groups:
        print(f"{group.stated}, within a factor of {group.interval_factor:.3g}")


if __name__ == "__main__":
    main(sys.argv[1:])
