import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.model_zoo.named import build_architecture

from ..snapshots.runner import Run, run


@pytest.fixture(scope="module")
def kws(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("models") / "kws.tflite"
    file.write_bytes(write_tflite(build_architecture("kws", dtype="int8")))
    return file


def edgewright(*words: str | Path) -> Run:
    """In this process; what a process of its own adds is in `test_end_of_the_process`."""
    return run([*map(str, words)], Path.cwd())


def document(*words: str | Path, code: int = 0) -> dict[str, Any]:
    ran = edgewright(*words, "--json")
    assert ran.code == code, ran.stderr
    found = json.loads(ran.stdout)
    assert list(found) == ["schema_version", "tool", "inputs", "result", "assumptions", "warnings"]
    assert found["schema_version"] == "1.0"
    result: dict[str, Any] = found["result"]
    return result


PERFORMANCE = {"latency_ms", "cycles", "energy_uj", "power_mw", "layers"}
MEMORY = {
    "arena_bytes", "arena_nonpersistent_bytes", "arena_persistent_bytes", "arena_basis", "peak_layer",
    "flash_bytes", "regions",
}  # fmt: skip
ROOFLINE = {
    "bound", "arithmetic_intensity", "ridge_point", "compute_utilization", "memory_utilization", "layers",
}  # fmt: skip
INSPECT = {
    "format", "sha256", "file_bytes", "parameter_count", "parameter_bytes", "macs", "op_count", "dtype",
    "inputs", "outputs", "layers",
}  # fmt: skip


def test_inspect_keeps_its_contract(kws: Path) -> None:
    result = document("inspect", kws)
    assert set(result) >= INSPECT
    assert set(result["layers"][0]) >= {"index", "op", "macs", "parameter_bytes", "output_bytes"}
    assert result["macs"] == 2_656_768
    assert result["file_bytes"] == kws.stat().st_size


def test_memory_keeps_its_contract(kws: Path) -> None:
    assert set(document("memory", kws, "-t", "stm32h743zi")) >= MEMORY


def test_roofline_keeps_its_contract(kws: Path) -> None:
    result = document("roofline", kws, "-t", "stm32h743zi")
    assert set(result) >= ROOFLINE
    assert result["bound"] in ("memory", "compute", "overhead")
    assert set(result["layers"][0]) >= {"index", "op", "bound", "latency_ms", "arithmetic_intensity"}


def test_estimate_keeps_its_contract(kws: Path) -> None:
    result = document("estimate", kws, "-t", "stm32l4r5zi")
    assert set(result) >= PERFORMANCE
    assert set(result["latency_ms"]) == {"value", "low", "high", "unit", "basis"}
    assert set(result["layers"][0]) >= {
        "index", "op", "processor", "cycles", "latency_ms", "energy_uj", "power_mw", "macs", "memory_bytes",
        "accelerated",
    }  # fmt: skip


def test_check_keeps_its_contract_and_its_exit_codes(kws: Path) -> None:
    result = document("check", kws, "-t", "stm32l4r5zi", "--max-latency", "10s")
    assert result["verdict"] in ("PASS", "MARGINAL")
    assert set(result["checks"][0]) >= {"name", "verdict", "demand", "bound", "gap", "unit", "levers"}
    assert document("check", kws, "-t", "stm32l4r5zi", "--max-latency", "1us", code=10)["verdict"] == "FAIL"
    unknown = document("check", kws, "-t", "host-x86-64", "--max-energy", "1mJ", code=11)
    assert unknown["verdict"] == "UNKNOWN"


def test_compat_keeps_its_contract(kws: Path) -> None:
    result = document("compat", kws, "-t", "stm32h743zi")
    assert set(result) >= {"score", "verdict", "ops", "penalties"}
    assert set(result["ops"][0]) >= {"index", "op", "supported", "processor", "reason"}
    assert set(result) >= {"segments", "transfers_bytes", "transfer_ms", "fallback_cost", "remedies"}


def test_a_penalty_is_weighed_on_the_command_line(kws: Path) -> None:
    told = ("compat", kws, "-t", "stm32h743zi", "-r", "tflm-reference")
    usual, heavy = document(*told), document(*told, "--weight", "unoptimized_kernels=90")
    assert (usual["score"], heavy["score"]) == (60, 10)


def test_every_operator_gets_a_row_when_asked_for(kws: Path) -> None:
    told = ("compat", kws, "-t", "stm32h743zi", "-r", "tflm-reference")
    short, long = (edgewright(*told, *more).stdout.splitlines() for more in ((), ("--all",)))
    assert len(long) > len(short) + 5


def test_analyze_keeps_its_contract(kws: Path) -> None:
    result = document("analyze", kws, "-t", "stm32h743zi")
    assert set(result) >= {"model", "memory", "performance", "roofline", "compatibility", "optimization"}
    assert set(result["model"]) >= INSPECT
    assert set(result["memory"]) >= MEMORY
    assert set(result["performance"]) >= PERFORMANCE
    assert set(result["roofline"]) >= ROOFLINE


def test_optimize_keeps_its_contract(kws: Path) -> None:
    result = document("optimize", kws, "-t", "stm32h743zi")
    assert set(result) >= {"options", "combined"}
    first = result["options"][0]
    assert set(first) >= {"technique", "applicable", "reason", "effort", "before", "after"}
    assert set(first["before"]) >= {"latency_ms", "energy_uj", "arena_bytes", "flash_bytes"}


def test_lists_keep_their_contract() -> None:
    targets = document("targets", "list")["targets"]
    assert {"id", "name", "class"} <= set(targets[0])
    assert {"id", "name"} <= set(document("runtimes", "list")["runtimes"][0])
    assert {"kws", "resnet50"} <= set(document("models", "list")["architectures"])


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("inspect", "nowhere.tflite"), 3, "nowhere.tflite"),
        (("inspect", "."), 3, "directory"),
        (("roofline", "kws", "-t", "stm32h473"), 3, "stm32h743zi"),
        (("roofline", "kws", "-t", "stm32h7"), 3, "stm32h747xi"),
        (("roofline", "kws", "-t", "stm32h743zi", "-r", "cmsis"), 3, "tflm-cmsis-nn"),
        (("roofline", "kws", "-t", "stm32h743zi", "-r", "tensorrt"), 2, "x-cube-ai"),
        (("roofline", "kws", "-t", "stm32h743zi", "--clock", "900MHz"), 2, "480"),
        (("roofline", "kws", "-t", "stm32h743zi", "--batch", "0"), 2, "batch"),
        (("check", "kws", "-t", "stm32h743zi", "--max-ram", "100ms"), 2, "KiB"),
        (("compat", "kws", "-t", "stm32h743zi", "--weight", "cpu_fallback"), 2, "cpu_fallback=80"),
        (("compat", "kws", "-t", "stm32h743zi", "--weight", "cpu=5"), 2, "cpu_fallback"),
        (("roofline", "kwz", "-t", "stm32h743zi"), 3, "kws"),
    ],
)
def test_a_mistake_is_one_line_with_the_way_out(words: tuple[str, ...], code: int, told: str) -> None:
    ran = edgewright(*words)
    assert ran.code == code
    assert ran.stdout == ""
    assert len(ran.stderr.strip().splitlines()) == 1
    assert told in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_reader_that_stops_early_is_no_error(kws: Path) -> None:
    command = f"{shlex.quote(sys.executable)} -m edgewright.cli analyze {kws} -t stm32h743zi | head -1"
    piped = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False
    )
    assert piped.returncode == 0
    assert piped.stderr == ""


def test_models_are_written_once_and_overwritten_only_when_forced(tmp_path: Path) -> None:
    file = tmp_path / "ad.tflite"
    assert edgewright("models", "write", "ad", "-o", file).code == 0
    written = file.read_bytes()
    refused = edgewright("models", "write", "kws", "-o", file)
    assert refused.code == 2
    assert file.read_bytes() == written
    assert edgewright("models", "write", "kws", "-o", file, "--force").code == 0
    assert file.read_bytes() != written


def test_a_command_writes_the_tables_that_it_prints_as_csv(tmp_path: Path) -> None:
    kws = ("kws", "-t", "stm32h743zi")
    ran = edgewright("check", *kws, "--max-latency", "1ms", "--csv", tmp_path / "tables")
    assert (ran.code, "FAIL" in ran.stdout) == (10, True)
    assert "check.csv" in {Path(line).name for line in ran.stderr.split()}
    listed = edgewright("targets", "list", "--class", "npu", "--csv", tmp_path / "targets.csv", "--json")
    rows = json.loads(listed.stdout)["result"]["targets"]
    assert len((tmp_path / "targets.csv").read_text().splitlines()) == len(rows) + 1
    again = edgewright("targets", "list", "--csv", tmp_path / "targets.csv")
    assert (again.code, "exists already" in again.stderr) == (2, True)
