"""Speed, as ratios against a peer that runs beside it: `make bench`."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from edgewright.tools import analyze_roofline, deployment, parse_model
from edgewright.tools.model_formats.tflite.document import forget
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.model_zoo.named import build_architecture

from . import (
    bench_applied,
    bench_arena,
    bench_gains,
    bench_generation,
    bench_many,
    bench_sweep,
    bench_talk,
    bench_vela,
)

ROUNDS = 7
BIN = Path(sys.executable).parent


def seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def paired(one: Callable[[], object], other: Callable[[], object]) -> tuple[float, float, float]:
    """Medians of both, run in turn after a warm-up, and of the ratio pair by pair."""
    one(), other()
    pairs = [(seconds(one), seconds(other)) for _ in range(ROUNDS)]
    ratio = statistics.median(a / b for a, b in pairs)
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs), ratio


def process(*words: object, cwd: Path | None = None) -> Callable[[], object]:
    return lambda: subprocess.run([str(w) for w in words], capture_output=True, check=True, cwd=cwd)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        kws = home / "kws.tflite"
        kws.write_bytes(write_tflite(build_architecture("kws", dtype="int8")))
        rows = [
            (
                "edgewright --help / import typer",
                paired(process(BIN / "edgewright", "--help"), process(sys.executable, "-c", "import typer")),
                "at most 3",
            )
        ]
        vela = BIN / "vela"
        if vela.exists():
            rows.append(
                (
                    "edgewright roofline kws.tflite / vela kws.tflite",
                    paired(
                        process(BIN / "edgewright", "roofline", kws, "-t", "stm32h743zi"),
                        process(vela, kws, "--output-dir", home / "vela", cwd=home),
                    ),
                    "at most 1",
                )
            )
        rows.append(("parse + plan + roofline, 66 layers / 10 ms", in_process(home), "at most 1"))
        rows.append(("find one target by its nickname / 10 ms", once(NICKNAME, 0.010), "at most 1"))
        rows.append(("list all targets / 60 ms", once(LISTING, 0.060), "at most 1"))
        rows += [
            (name, figures, "at most 4" if "repeat" in name else "at most 1")
            for name, figures in bench_many.rows()
        ]
        rows += [(name, figures, "at most 1") for name, figures in bench_sweep.rows()]
        rows += [(name, figures, "at most 1") for name, figures in bench_talk.rows(home)]
        rows.append(
            ("rank all deployments, hardware loaded / 250 ms", once(bench_many.RANKING, 0.250), "at most 1")
        )
        for name, (a, b, ratio), wanted in rows:
            print(f"{name:52} {a * 1e3:8.1f} ms {b * 1e3:8.1f} ms   ratio {ratio:5.2f}   wanted {wanted}")
        shutil.rmtree(home / "vela", ignore_errors=True)
    bench_arena.report()
    bench_vela.report()
    bench_applied.report()
    bench_gains.report()
    bench_generation.report()


NICKNAME = ("from edgewright.hardware_db import resolve_target", "resolve_target('Nucleo H743')")
LISTING = ("from edgewright.tools import list_targets", "list_targets()")


def once(work: tuple[str, str], allowed: float) -> tuple[float, float, float]:
    """Median over new processes of the first call, imports left out."""
    setup, call = work
    code = f"{setup}\nimport time\nt = time.perf_counter()\n{call}\nprint(time.perf_counter() - t)"
    run = [sys.executable, "-c", code]
    took = [
        float(subprocess.run(run, capture_output=True, check=True, text=True).stdout) for _ in range(ROUNDS)
    ]
    return statistics.median(took), allowed, statistics.median(took) / allowed


def in_process(home: Path) -> tuple[float, float, float]:
    file = home / "mobilenet_v2.tflite"
    file.write_bytes(write_tflite(build_architecture("mobilenet_v2:0.35:96:int8")))
    place = deployment("stm32h743zi")

    def answer() -> None:
        forget()
        analyze_roofline(parse_model(file), place)

    answer()
    took = statistics.median(seconds(answer) for _ in range(10 * ROUNDS))
    return took, 0.010, took / 0.010


if __name__ == "__main__":
    main()
