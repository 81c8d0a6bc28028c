"""A real cluster: a scheduler and two worker processes on the loopback, in processes of their own."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools.sweep.plan import plan_from
from edgewright.tools.sweep.run import run_sweep

PLAN: dict[str, Any] = {
    "models": ["kws:float32", "ad:float32", "mine.tflite"],
    "targets": ["mcu"],
    "runtimes": "usual",
    "transforms": ["none", "int8", "prune-25"],
    "soft": {"latency": "100ms"},
}

SCENARIO = """
import json, os, signal, sys
from distributed import LocalCluster
from edgewright.tools import run_sweep
from edgewright.hardware_db.errors import EdgewrightError

if __name__ == "__main__":
    plan, out, kill, resume = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4] == "resume"
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        pids = [worker.process.process.pid for worker in cluster.workers.values()]
        victims = {"one": pids[:1], "none": []}[kill]
        seen = []

        def progress(done, total):
            seen.append(done)
            if victims and done > total / 2:
                os.kill(victims.pop(), signal.SIGKILL)

        report = run_sweep(
            plan, out, scheduler=cluster.scheduler_address, progress=progress, resume=resume
        )
    print(json.dumps({"evaluations": report.evaluations, "seen": seen, "left": len(victims)}))
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    from edgewright.tools.model_formats.writer.tflite import write_tflite
    from edgewright.tools.model_zoo.named import build_architecture

    (tmp_path / "mine.tflite").write_bytes(write_tflite(build_architecture("vww:float32")))
    path = tmp_path / "plan.yaml"
    path.write_text(json.dumps(PLAN))
    return path


def on_cluster(plan: Path, out: Path, kill: str, resume: str = "") -> dict[str, Any]:
    pytest.importorskip("distributed")
    script = plan.with_name("scenario.py")
    script.write_text(SCENARIO)
    run = subprocess.run(
        [sys.executable, str(script), str(plan), str(out), kill, resume],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return dict(json.loads(run.stdout.splitlines()[-1]))


def test_a_worker_killed_half_way_loses_nothing_and_nothing_counts_twice(plan: Path, tmp_path: Path) -> None:
    found = on_cluster(plan, tmp_path / "cluster", "one")
    alone = run_sweep(plan, tmp_path / "alone")
    assert found["left"] == 0
    assert found["evaluations"] == alone.evaluations > 1000
    assert found["seen"] == sorted(set(found["seen"]))
    for name in ("results.csv", "pareto.csv", "precision_tradeoffs.csv", "results.parquet"):
        assert (tmp_path / "cluster" / name).read_bytes() == (tmp_path / "alone" / name).read_bytes()


def test_an_address_without_a_scheduler_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    command = (
        "import sys; from edgewright.tools.sweep import cluster; cluster.WAIT_S = 1;"
        "from edgewright.cli import main; main()"
    )
    plan = tmp_path / "plan.yaml"
    plan.write_text("models: [kws]\ntargets: [nrf52840]\n")
    for address in ("tcp://127.0.0.1:9", "nonsense"):
        run = subprocess.run(
            [sys.executable, "-c", command, "sweep", str(plan), "-o", str(tmp_path / "out"), "--force",
             "--scheduler", address],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert run.returncode == 2, run.stderr
        assert f"No Dask scheduler answers at '{address}'" in run.stderr
        assert "Traceback" not in run.stderr


def test_without_dask_a_scheduler_is_refused_with_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "edgewright.tools.sweep.cluster", raising=False)
    plan = plan_from({"models": ["kws"], "targets": ["nrf52840"]})
    with pytest.raises(UsageError, match=r"\.\[scale\]"):
        run_sweep(plan, tmp_path / "out", scheduler="tcp://127.0.0.1:9")
