import errno
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from edgewright.hardware_db.errors import EdgewrightError, UsageError
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.model_zoo.named import build_architecture
from edgewright.tools.sweep import workers as workers_module
from edgewright.tools.sweep.plan import plan_from
from edgewright.tools.sweep.run import run_sweep
from edgewright.tools.sweep.sweep_report import SweepReport

PLAN: dict[str, Any] = {
    "models": ["kws:float32", "ad:float32"],
    "targets": ["stm32h743zi", "nrf52840"],
    "transforms": ["none", "int8", "prune-25", "prune-50"],
    "soft": {"latency": "100ms"},
}
UNITS = 8
OUTPUTS = ("results.csv", "pareto.csv", "precision_tradeoffs.csv")


class Stopped(Exception):
    pass


def stop_after(share: float) -> Any:
    def progress(done: int, total: int) -> None:
        if done > share * total:
            raise Stopped

    return progress


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same plan, never stopped."""
    folder = tmp_path_factory.mktemp("whole") / "out"
    run_sweep(plan_from(PLAN), folder)
    return folder


def assert_same(folder: Path, whole: Path) -> None:
    for name in OUTPUTS:
        assert (folder / name).read_bytes() == (whole / name).read_bytes()


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of the units that are evaluated from now on."""
    seen: list[int] = []
    real = workers_module.evaluate

    def evaluate(unit: Any, work: Any) -> Any:
        seen.append(unit.number)
        return real(unit, work)

    monkeypatch.setattr(workers_module, "evaluate", evaluate)
    return seen


def test_what_was_evaluated_before_a_stop_is_not_evaluated_again(
    tmp_path: Path, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = counted(monkeypatch)
    with pytest.raises(Stopped):
        run_sweep(plan_from(PLAN), tmp_path / "out", progress=stop_after(0.5))
    assert not (tmp_path / "out" / "results.csv").exists()
    before = list(seen)
    assert 0 < len(before) < UNITS
    report = run_sweep(plan_from(PLAN), tmp_path / "out", resume=True)
    assert sorted(seen) == list(range(UNITS))
    assert report.evaluations == (whole / "results.csv").read_text().count("\n") - 1
    assert_same(tmp_path / "out", whole)


def test_the_journal_is_gone_once_the_results_stand(whole: Path) -> None:
    assert {path.name for path in whole.iterdir()} - {"results.parquet"} == {
        *OUTPUTS,
        "summary.json",
        "sweep.json",
    }


def test_resuming_what_is_finished_evaluates_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run_sweep(plan_from(PLAN), tmp_path / "out")
    seen = counted(monkeypatch)
    assert run_sweep(plan_from(PLAN), tmp_path / "out", resume=True) == first
    assert seen == []


@pytest.mark.parametrize("damage", [b"", b'{"rows": 3', b"rubbish\n1,2\n", "cut", "changed"])
def test_a_damaged_part_is_evaluated_again(
    tmp_path: Path, whole: Path, monkeypatch: pytest.MonkeyPatch, damage: bytes | str
) -> None:
    with pytest.raises(Stopped):
        run_sweep(plan_from(PLAN), tmp_path / "out", progress=stop_after(0.3))
    path = min((tmp_path / "out" / "journal").iterdir())
    data = path.read_bytes()
    spoilt = {"cut": data[:-5], "changed": data.replace(b"nrf52840", b"nrf52841", 1)}
    path.write_bytes(damage if isinstance(damage, bytes) else spoilt[damage])
    seen = counted(monkeypatch)
    run_sweep(plan_from(PLAN), tmp_path / "out", resume=True)
    assert int(path.stem) in seen
    assert_same(tmp_path / "out", whole)


def test_a_full_disk_keeps_what_was_done(
    tmp_path: Path, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, writes = Path.replace, 0

    def full(self: Path, target: Path) -> Path:
        nonlocal writes
        writes += 1
        if writes > 4:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(self, target)

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(EdgewrightError, match=r"Stopped after [1-9]\d* of .* are kept.*No space left"):
        run_sweep(plan_from(PLAN), tmp_path / "out")
    monkeypatch.undo()
    assert len(list((tmp_path / "out" / "journal").glob("*.part"))) == 3
    run_sweep(plan_from(PLAN), tmp_path / "out", resume=True)
    assert_same(tmp_path / "out", whole)


def test_a_killed_worker_process_loses_nothing(tmp_path: Path, whole: Path) -> None:
    def kill(done: int, total: int) -> None:
        if done:
            for child in multiprocessing.active_children():
                os.kill(child.pid or 0, signal.SIGKILL)

    with pytest.raises(EdgewrightError, match="A worker process was killed"):
        run_sweep(plan_from(PLAN), tmp_path / "out", workers=2, progress=kill)
    report = run_sweep(plan_from(PLAN), tmp_path / "out", resume=True)
    assert report.evaluations
    assert_same(tmp_path / "out", whole)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_sweep_that_is_killed_goes_on_where_it_was(
    tmp_path: Path, whole: Path, how: signal.Signals
) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text(json.dumps(PLAN))
    command = [sys.executable, "-c", _ENDLESS, "sweep", str(plan), "-o", str(tmp_path / "out")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as running:
        journal = tmp_path / "out" / "journal"
        deadline = time.monotonic() + 120
        while len(list(journal.glob("[0-9]*.part"))) < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
        running.send_signal(how)
        _, errors = running.communicate(timeout=120)
    kept = len(list(journal.glob("[0-9]*.part")))
    assert kept == 2 < UNITS
    if how is signal.SIGINT:
        assert running.returncode == 130
        assert "evaluations are kept" in errors
        assert "Traceback" not in errors
    report = run_sweep(plan, tmp_path / "out", resume=True)
    assert isinstance(report, SweepReport)
    assert_same(tmp_path / "out", whole)


_ENDLESS = """
import itertools, signal, time
from edgewright.cli import main
from edgewright.tools.sweep import workers
real, number = workers.evaluate, itertools.count()
def evaluate(unit, work):
    if next(number) == 2:
        time.sleep(600)
    return real(unit, work)
workers.evaluate = evaluate
signal.signal(signal.SIGINT, signal.default_int_handler)
main()
"""
"""A sweep whose third unit never ends, so that the signal comes in the midst of it on any machine.

What a shell starts in the background inherits that Ctrl-C is ignored; this one heeds it all the same."""


def test_a_changed_plan_is_refused_with_what_changed(tmp_path: Path) -> None:
    with pytest.raises(Stopped):
        run_sweep(plan_from(PLAN), tmp_path / "out", progress=stop_after(0.3))
    changed = {**PLAN, "targets": ["stm32h743zi"], "soft": {"latency": "50ms"}}
    with pytest.raises(UsageError) as found:
        run_sweep(plan_from(changed), tmp_path / "out", resume=True)
    assert 'plan targets is now without "nrf52840"' in found.value.message
    assert 'plan soft latency is now with "50ms", without "100ms"' in found.value.message
    assert "--force" in found.value.hint


def test_a_changed_model_file_is_refused(tmp_path: Path) -> None:
    model, plan = tmp_path / "m.tflite", tmp_path / "plan.yaml"
    model.write_bytes(write_tflite(build_architecture("kws:int8")))
    plan.write_text("models: [m.tflite]\ntargets: [nrf52840]\n")
    run_sweep(plan, tmp_path / "out")
    model.write_bytes(write_tflite(build_architecture("ad:int8")))
    with pytest.raises(UsageError, match=r"model files m\.tflite was"):
        run_sweep(plan, tmp_path / "out", resume=True)


def test_results_are_overwritten_by_force_alone(tmp_path: Path, whole: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        run_sweep(plan_from(PLAN), out)
    assert [path.name for path in out.iterdir()] == ["mine.txt"]
    run_sweep(plan_from(PLAN), out, force=True)
    assert (out / "mine.txt").read_text() == "mine"
    assert_same(out, whole)
    with pytest.raises(UsageError, match="--force"):
        run_sweep(plan_from(PLAN), out)


def test_force_starts_an_unfinished_sweep_anew(
    tmp_path: Path, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Stopped):
        run_sweep(plan_from(PLAN), tmp_path / "out", progress=stop_after(0.5))
    with pytest.raises(UsageError, match="--resume"):
        run_sweep(plan_from(PLAN), tmp_path / "out")
    seen = counted(monkeypatch)
    run_sweep(plan_from(PLAN), tmp_path / "out", force=True)
    assert seen == list(range(UNITS))
    assert_same(tmp_path / "out", whole)


def test_there_must_be_something_to_resume(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no sweep to resume"):
        run_sweep(plan_from(PLAN), tmp_path / "out", resume=True)
    with pytest.raises(UsageError, match="exclude each other"):
        run_sweep(plan_from(PLAN), tmp_path / "out", resume=True, force=True)


def test_an_output_that_is_a_file_or_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="is a file"):
        run_sweep(plan_from(PLAN), tmp_path / "file", force=True)
    with pytest.raises(UsageError, match="cannot be made ready"):
        run_sweep(plan_from(PLAN), tmp_path / "file" / "out")
    assert (tmp_path / "file").read_text() == ""
