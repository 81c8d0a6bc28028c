"""Predicted beside really obtained, on every float model at hand: file size, arena, MACs."""

from __future__ import annotations

import importlib.util
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from edgewright.hardware_db.errors import EdgewrightError
from edgewright.tools import apply_optimization, parse_model
from edgewright.tools.graph import DType
from edgewright.tools.model_formats.writer.save import save_tflite
from edgewright.tools.model_zoo.named import build_architecture
from edgewright.tools.optimization_simulator.applied import process
from edgewright.tools.optimization_simulator.applied.applied_optimization import AppliedOptimization

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data" / "models"
TECHNIQUES = ("int8", "dynamic-range", "float16")
FIGURES = ("file_bytes", "arena_bytes", "macs")
GENERATED = (
    "kws", "ic", "vww", "ad", "mobilenet_v1:0.25:96", "mobilenet_v2:0.35:96", "mobilenet_v3_small:96",
    "squeezenet:96", "shufflenet_v2:0.5:96",
)  # fmt: skip


def float_files(folder: Path) -> Iterator[Path]:
    """Published float .tflite models, and architectures with random weights."""
    for path in sorted(SHARED.rglob("*.tflite")):
        if parse_model(path).dtype is DType.FLOAT32:
            yield path
    for name in GENERATED:
        try:
            graph = build_architecture(name, dtype="float32")
        except EdgewrightError:
            continue
        path = folder / f"{name.replace(':', '_')}.tflite"
        save_tflite(graph, path)
        yield path


def outcomes(
    files: Iterable[Path], techniques: Iterable[str], folder: Path
) -> tuple[dict[str, list[AppliedOptimization]], list[tuple[str, str, str]]]:
    """By technique what came out, and what could not be done: (file, technique, reason)."""
    found: dict[str, list[AppliedOptimization]] = defaultdict(list)
    refused = []
    for path in files:
        for technique in techniques:
            try:
                made = apply_optimization(
                    path, technique, folder / "changed.tflite", deployment="stm32h743zi", force=True
                )
            except EdgewrightError as error:
                refused.append((path.name, technique, str(error)))
            else:
                found[technique].append(made)
    return found, refused


def table(found: dict[str, list[AppliedOptimization]]) -> Iterator[str]:
    yield f"{'':16} {'models':>7} " + " ".join(f"{name + ' median/max':>26}" for name in FIGURES)
    for technique, made in found.items():
        cells = []
        for name in FIGURES:
            errors = [100 * abs(each.errors[name]) for each in made if name in each.errors]
            cells.append(
                f"{statistics.median(errors):16.3f} / {max(errors):5.2f} %" if errors else f"{'-':>26}"
            )
        yield f"{technique:16} {len(made):7} " + " ".join(cells)


def report() -> None:
    print(
        "\npredicted beside obtained by ai-edge-quantizer (wanted: file 2 %, arena 1 % in the median, MACs 0)"
    )
    if importlib.util.find_spec("ai_edge_quantizer") is None:
        print("ai-edge-quantizer is not installed: nothing to compare with")
        return
    process.MEASURE_SECONDS = 0.0
    with tempfile.TemporaryDirectory() as made, tempfile.TemporaryDirectory() as changed:
        found, refused = outcomes(float_files(Path(made)), TECHNIQUES, Path(changed))
    for line in table(found):
        print(line)
    for name, technique, reason in refused:
        print(f"    {name}, {technique}: {reason}")


if __name__ == "__main__":
    report()
