import importlib.metadata
from pathlib import Path

import pytest

from edgewright.tools import Basis, InputError, UsageError, profile_on_host
from edgewright.tools.core import isolated
from edgewright.tools.core.render.markdown import as_text
from edgewright.tools.host_runs import host
from stubs.onnx_models import small_onnx


def installed(package: str) -> bool:
    try:
        return bool(importlib.metadata.version(package))
    except importlib.metadata.PackageNotFoundError:
        return False


needs_litert = pytest.mark.skipif(not installed("ai-edge-litert"), reason="LiteRT is not installed")
needs_onnxruntime = pytest.mark.skipif(not installed("onnxruntime"), reason="onnxruntime is not installed")
needs_tflm = pytest.mark.skipif(not installed("tflite-micro"), reason="tflite-micro is not installed")


@needs_litert
def test_a_model_is_really_run_and_never_passed_off_as_a_board() -> None:
    report = profile_on_host("ad:int8", repeat=5)
    assert report.runs == 5
    assert report.latency_ms.basis is Basis.MEASURED
    assert report.latency_ms.value is not None
    assert 0 < report.latency_ms.value < 1e3
    assert report.deployment.target == "host-x86-64"
    assert report.machine
    assert any("not" in line or "nothing of a board" in line for line in report.warnings)
    assert "Measured here" in as_text(report)


@needs_litert
def test_no_times_of_operators_is_said_where_the_runtime_gives_none() -> None:
    report = profile_on_host("ad:int8", "litert-xnnpack", repeat=3)
    assert all(layer.measured_ms is None for layer in report.layers)
    assert any("no times of single operators" in line for line in report.warnings)


@needs_tflm
def test_the_reference_kernels_of_tflm_run_here_too() -> None:
    report = profile_on_host("ad:int8", "tflm-reference", repeat=3)
    assert report.deployment.runtime == "tflm-reference"
    assert report.latency_ms.value is not None


@needs_onnxruntime
def test_onnxruntime_tells_the_time_of_each_operator(tmp_path: Path) -> None:
    report = profile_on_host(small_onnx(tmp_path / "m.onnx"), repeat=10)
    first, sigmoid, last = report.layers
    assert first.runs == last.runs == 10
    assert sigmoid.measured_ms is not None or first.covers == (
        sigmoid.index,
    )  # versions join it to the first


def test_a_runtime_that_is_missing_is_told_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(host.importlib.metadata, "version", missing)
    with pytest.raises(UsageError, match=r"ai-edge-litert is not installed.*\.\[profile\]"):
        profile_on_host("ad:int8")


@pytest.mark.parametrize("repeat", [0, -1, 10**9])
def test_a_count_of_runs_that_cannot_be_is_refused(repeat: int) -> None:
    with pytest.raises(UsageError, match="cannot be measured"):
        profile_on_host("ad:int8", repeat=repeat)


def test_a_runtime_that_does_not_run_the_format_is_refused_with_those_that_do() -> None:
    with pytest.raises(UsageError, match="Say one of: litert-xnnpack, tflm-reference"):
        profile_on_host("ad:int8", "onnxruntime")


WORKERS = {
    "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)": r"it crashed \(signal 11\)",
    "raise ValueError('no such \\x1b[31moperator')": "ValueError: no such .*operator",
    "import time; time.sleep(60)": "not finished within 1 s",
    "open('answer.json', 'w').write('[')": "no times came back",
    "x = bytearray(64 << 30)": "MemoryError",
}


@needs_litert
@pytest.mark.parametrize("code", WORKERS)
def test_a_model_that_brings_its_runtime_down_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    worker = tmp_path / "worker.py"
    worker.write_text(code)
    monkeypatch.setattr(host, "_WORKER", worker)
    monkeypatch.setattr(host, "SECONDS", 1)
    with pytest.raises(InputError, match=WORKERS[code]) as raised:
        profile_on_host("ad:int8")
    assert "\n" not in str(raised.value)
    assert "\x1b" not in str(raised.value)


@needs_litert
def test_keys_stay_out_of_the_process_that_runs_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    worker = tmp_path / "worker.py"
    worker.write_text("import os; open('seen', 'w').write(repr(dict(os.environ)))")
    isolated.run_isolated(worker, tmp_path, seconds=20, memory_bytes=1 << 33)
    assert "secret" not in (tmp_path / "seen").read_text()
