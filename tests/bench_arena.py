"""The arena beside TensorFlow Lite Micro's own on every model at hand, and the time that planning takes."""

from __future__ import annotations

import importlib.util
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from edgewright.hardware_db.errors import ModelFileError
from edgewright.tools import deployment, parse_model, score_compatibility
from edgewright.tools.graph import ModelGraph
from edgewright.tools.memory_planner.reporting import plan
from edgewright.tools.verdicts.verdict import Verdict

from .corpora.tflm_comparison import Compared, compared, table_row, unequal, written
from .corpora.tflm_graphs import graph_models, networks
from .corpora.tflm_large import large_network
from .corpora.tflm_operators import operator_models, refusable_models

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data" / "models"
ROUNDS = 5
OPERATORS = 5000
LARGEST = 100 << 20


def report() -> None:
    """Print both tables."""
    print(f"\n{'arena, beside the package tflite-micro':44} (x86-64, reference kernels)")
    if importlib.util.find_spec("tflite_micro") is None:
        print("tflite-micro is not installed: nothing to compare with")
    else:
        for line in comparison():
            print(line)
    print("\nplanning a graph of 5,000 operators (processor time; wanted: at most 1 s)")
    for title, took in timings():
        print(f"{title:44} {took * 1e3:8.1f} ms   {'ok' if took <= 1 else 'too slow'}")


def comparison() -> Iterator[str]:
    models: dict[str, Callable[[], dict[str, ModelGraph]]] = {
        "one operator, every kernel and type": operator_models,
        "control flow, state, aliases": graph_models,
        "random networks in four types": lambda: networks(range(40)),
        "operators in types they may not have": refusable_models,
    }
    for title, make in models.items():
        with tempfile.TemporaryDirectory() as folder:
            yield from _rows(title, written(make(), Path(folder)))
    published = sorted(p for p in SHARED.rglob("*.tflite") if p.stat().st_size < LARGEST)
    if published:
        yield from _rows("published models", {path: path.name for path in published})


def _rows(title: str, files: dict[Path, str]) -> Iterator[str]:
    refused = [path for path in files if not _is_read(path)]
    files = {path: name for path, name in files.items() if path not in refused}
    rows = compared(files, invoke=True)
    yield table_row(title, rows)
    if refused:
        yield f"    {'refused when read, and not planned':40} {len(refused):5}"
    for name, (ours, theirs) in unequal(rows).items():
        yield f"    {name}: planned {ours}, told {theirs}"
    yield f"    {'said to run as it does':40} {_agreeing(rows, files):5} of {len(rows)}"


def _is_read(path: Path) -> bool:
    try:
        parse_model(path)
    except ModelFileError:
        return False
    return True


def _agreeing(rows: list[Compared], files: dict[Path, str]) -> int:
    host = deployment("host-x86-64", "tflm-reference")
    count = 0
    for row, path in zip(rows, files, strict=True):
        says = score_compatibility(parse_model(path), host).verdict in {Verdict.PASS, Verdict.MARGINAL}
        count += says == (row.told.invoked and not row.told.crashed)
    return count


def timings() -> Iterator[tuple[str, float]]:
    for title, target, runtime in (
        ("whole plan, reference kernels", "rp2040", "tflm-reference"),
        ("whole plan, CMSIS-NN with scratch buffers", "stm32h743zi", "tflm-cmsis-nn"),
        ("whole plan, ESP-NN with scratch buffers", "esp32-s3", "tflm-esp-nn"),
    ):
        where = deployment(target, runtime)
        took = []
        for seed in range(ROUNDS):
            graph = large_network(OPERATORS, seed)
            start = time.process_time()  # another program on the machine is none of the planner's business
            plan(graph, where)
            took.append(time.process_time() - start)
        yield title, statistics.median(took)


if __name__ == "__main__":
    report()
