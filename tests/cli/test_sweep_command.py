import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from edgewright.cli import whole_app
from edgewright.hardware_db.errors import UsageError

DOCS = Path(__file__).resolve().parents[2] / "docs" / "sweep.md"


def run(*words: str) -> Result:
    return CliRunner().invoke(whole_app(), ["sweep", *words])


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "boards.yaml"
    path.write_text(
        "models: [kws:float32]\ntargets: [stm32h743zi, nrf52840]\ntransforms: [none, int8]\n"
        "limits: {latency: 50ms}\n"
    )
    return path


def test_a_sweep_prints_what_was_accepted_and_where_results_lie(plan: Path) -> None:
    found = run(str(plan))
    assert found.exit_code == 0, found.output
    assert found.stdout.splitlines()[0].endswith(" UNKNOWN.") or "FAIL" in found.stdout.splitlines()[0]
    assert "violates_latency_50ms" in found.stdout
    assert "Written to boards-sweep: results.csv" in found.stdout
    assert found.stderr == ""


def test_json_holds_the_report(plan: Path) -> None:
    found = json.loads(run(str(plan), "-o", "out", "--tree", "--json").stdout)
    assert list(found) == ["schema_version", "tool", "inputs", "result", "assumptions", "warnings"]
    assert found["tool"] == "run_sweep"
    result = found["result"]
    assert result["accepted_ratio"] == result["accepted"] / result["evaluations"]
    assert result["tree"]["guidelines"]
    assert "tree.txt" in result["files"]


def test_an_output_that_exists_is_left_alone(plan: Path) -> None:
    assert run(str(plan), "-o", "out").exit_code == 0
    before = Path("out/results.csv").stat().st_mtime_ns
    found = run(str(plan), "-o", "out")
    assert isinstance(found.exception, UsageError)
    assert "--force" in found.exception.hint
    assert Path("out/results.csv").stat().st_mtime_ns == before
    assert run(str(plan), "-o", "out", "--resume").exit_code == 0
    assert run(str(plan), "-o", "out", "--force").exit_code == 0


def test_processes_and_a_cluster_exclude_each_other(plan: Path) -> None:
    found = run(str(plan), "--workers", "2", "--scheduler", "tcp://127.0.0.1:9")
    assert isinstance(found.exception, UsageError)


def test_the_documented_plan_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = DOCS.read_text().split("```yaml", 1)[1].split("\n", 1)[1].split("```", 1)[0]
    (tmp_path / "plan.yaml").write_text(text)
    found = run("plan.yaml")
    assert found.exit_code == 0, found.exception
    head = found.stdout.splitlines()[0]
    assert head in DOCS.read_text()
