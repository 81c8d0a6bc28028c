"""`make calibrate`, the last part: the index of published cases, and how far their measurements differ.

`python -m edgewright.tools.calibration.fit.published` writes `hardware_db/measurements/published.tsv` and
`hardware_db/coefficients/offsets.json` from the rows and the errors that the fit before it has stored.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

from ....hardware_db import coefficients, load_target, measurements
from ....hardware_db.coefficients.errors import stored_errors
from ....hardware_db.coefficients.offsets import Offsets
from ....hardware_db.errors import EdgewrightError
from ....hardware_db.measurements import networks
from ....hardware_db.measurements.contributed import contributed_rows
from ....hardware_db.measurements.published import FILE, Published
from ...cost_model.hierarchy import SAME_KERNELS, ProcessorKind, class_of_path
from ...cost_model.signature import signature
from ...graph.serialize import graph_from_json
from ...model_zoo.named import build_architecture
from ..record import Record
from ..records import read_records
from .anchor_models import anchor_models
from .likeness import ScoredRow, board_spreads, likenesses, repeat_factors

NOT_THE_CASE = (
    "sum_of_subgraph_latencies", "partly_scaled", "device_run_presumed", "vendor_datasheet", "not_npu",
    "includes_postprocess", "dtype_uncertain", "runtime_presumed", "threads_unknown",
    "machine_shared",
)  # fmt: skip
"""Flags of figures that tell no user what this very case took: added up, scaled, advertised, of a deployment
that is presumed, or with more than the network in them."""
SAVING_MODE = "MaxQ"
"""Of the names of systems in MLPerf's results: a mode below the highest, at clocks that are not told."""
UNSPECIFIC = "host-"
"""Targets that stand for any machine of a kind."""


def main() -> None:
    cases = [case for record in read_records() for case in _cases(record)]
    on_boards = [case for record in read_records(behind_links=True) for case in _cases(record)]
    rows = [*(case.row for case in (*cases, *on_boards)), *_contributed()]
    lines = sorted("\t".join(map(str, row)) for row in rows)
    folder = Path(measurements.__file__).parent
    (folder / FILE).write_text("\n".join(lines) + "\n", encoding="utf-8")
    repeat = repeat_factors(cases)
    new_boards = board_spreads(cases, "board_out", repeat)
    offsets = Offsets(
        repeat=repeat,
        near=likenesses(cases),
        new_boards=new_boards,
        known_boards=board_spreads(cases, "network_out", repeat),
        anchors=anchor_models(cases, new_boards),
    )
    document = offsets.model_dump_json(indent=1)
    (Path(coefficients.__file__).parent / "offsets.json").write_text(document + "\n", encoding="utf-8")
    print(f"published: {len(rows)} measurements of {len({case.row.signature for case in cases})} networks")


def _cases(record: Record) -> Iterator[ScoredRow]:
    row, key = record.row, network_signature(record.network)
    doubtful = any(flag in row["flag"] for flag in NOT_THE_CASE) or SAVING_MODE in row["path"]
    if doubtful or not key or not record.target or record.target.startswith(UNSPECIFIC):
        return
    threads = _threads(record)
    if threads is None:
        return
    errors = _errors().get(record.id, {})
    yield ScoredRow(
        row=Published(
            signature=key,
            target=record.target,
            processor=row["processor"],
            runtime=row["runtime"],
            release=(row["release"] or row["runtime_version"]).replace("\t", " "),
            dtype=SAME_KERNELS.get(row["dtype"], row["dtype"]),
            batch=int(row["batch"] or 1),
            threads=threads,
            clock_mhz=float(row["clock_mhz"] or 0),
            latency_ms=float(row["latency_ms"]),
            id=record.id,
            repository=row["repository"],
        ),
        sort=class_of_path(record.path),
        errors={name: -float(errors[name]) for name in ("network_out", "board_out") if errors.get(name)},
        network=record.network,
        document=f"{row['repository']}/{row['path']}@{row['commit']}",
    )


def _contributed() -> Iterator[Published]:
    """What users have given, known by its signature; the fit does not read it, as no shapes come with it."""
    for row in contributed_rows():
        yield Published(
            signature=row["signature"],
            target=row["target"],
            processor=row["processor"],
            runtime=row["runtime"],
            release=row.get("release") or "",
            dtype=row["dtype"],
            batch=int(row.get("batch") or 1),
            threads=int(row.get("threads") or 0),
            clock_mhz=float(row.get("clock_mhz") or 0),
            latency_ms=float(row["latency_ms"]),
            id=row["id"],
            repository=row.get("source") or "contributed",
        )


@functools.cache
def _errors() -> dict[str, dict[str, str]]:
    return stored_errors()


def _threads(record: Record) -> int | None:
    """0 where they make no difference; None where they do and are not known."""
    if record.kind is not ProcessorKind.CPU:
        return 0
    if record.row["threads"]:
        return int(record.row["threads"])
    cores = load_target(record.target).cores
    return 1 if sum(core.count.value for core in cores) == 1 else None


@functools.cache
def network_signature(network: str) -> str:
    """That of a network of the measurements; empty for the likeness of one."""
    if "*" in network:
        return ""
    text = networks().get(network)
    try:
        return signature(graph_from_json(text) if text is not None else build_architecture(network))
    except EdgewrightError:
        return ""


if __name__ == "__main__":
    main()
