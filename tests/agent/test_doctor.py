"""The doctor tells what is there, what is not and what to do; it asks no network unless told, and tells no key."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from edgewright.agent.doctor import Diagnosis, Finding, Grade, diagnose, installation
from edgewright.agent.doctor.text import diagnosis_text
from edgewright.hardware_db import user_files
from stubs.openai_server import OpenAIServer, text

ROOT = Path(__file__).resolve().parents[2]
CANARY = "sk-canary0123456789abcdefghijklmnopqrstuvwxyz"
PLAIN_CANARY = "horse-staple-77"


@pytest.fixture(autouse=True)
def _own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEWRIGHT_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv("EDGEWRIGHT_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.delenv("EDGEWRIGHT_HARDWARE_DIR", raising=False)
    user_files._configured.cache_clear()


def of(report: Diagnosis, area: str, about: str) -> Finding:
    return next(each for each in report.findings if (each.area, each.about) == (area, about))


def problems(report: Diagnosis) -> list[str]:
    return [each.about for each in report.findings if each.grade is Grade.PROBLEM]


def test_what_is_shipped_is_healthy_and_counted() -> None:
    report = diagnose()
    assert problems(report) == []
    assert report.healthy
    targets = len(list((ROOT / "hardware_db" / "targets").glob("*.yaml")))
    assert of(report, "hardware", "database").found.startswith(f"{targets} targets")


def test_every_extra_that_a_user_can_install_is_told_with_what_it_adds() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert set(installation.ADDS) == set(extras) - {"dev", "bench", "docs", "fuzz", "sbom"}


def test_a_missing_extra_is_a_note_with_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    there = installation.version_of
    monkeypatch.setattr(installation, "version_of", lambda name: None if name == "highspy" else there(name))
    report = diagnose()
    found = of(report, "extras", "solver")
    assert found.grade is Grade.NOTE
    assert found.next_step.startswith("pip install '.[solver]'")
    assert report.healthy


def test_a_library_of_a_version_that_cannot_be_used_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    there = installation.version_of
    monkeypatch.setattr(installation, "version_of", lambda name: "1.0" if name == "highspy" else there(name))
    report = diagnose()
    assert problems(report) == ["solver"]
    assert "highspy is 1.0, >=1.11 is needed" in of(report, "extras", "solver").found


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("llm = [", "not TOML"),
        ('hardware_dirs = ["/nowhere/at/all"]', "/nowhere/at/all"),
        ('modle = "x"', "unknown key 'modle'"),
    ],
)
def test_a_configuration_that_cannot_be_used_is_a_problem_and_the_rest_is_still_told(
    written: str, told: str, tmp_path: Path
) -> None:
    (tmp_path / "config.toml").write_text(written)
    report = diagnose()
    assert not report.healthy
    assert any(told in each.found for each in report.findings if each.grade is Grade.PROBLEM)
    assert all(each.next_step for each in report.findings if each.grade is Grade.PROBLEM)
    assert of(report, "hardware", "database").grade is Grade.NOTE
    assert of(report, "hardware", "coefficients").grade is Grade.OK
    assert of(report, "sessions", "saved").grade is Grade.OK


def test_what_the_configuration_sets_is_told(tmp_path: Path) -> None:
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "broken.yaml").write_text("id: [")
    (tmp_path / "config.toml").write_text(
        f'hardware_dirs = ["{tmp_path / "boards"}"]\n[llm]\nmodel = "qwen3"\n'
        'base_url = "http://me:hunter2@localhost:11434/v1?token=hunter2"\n'
    )
    report = diagnose()
    assert "llm.model = qwen3" in of(report, "configuration", "file").found
    assert "http://localhost:11434/v1" in of(report, "assistant", "llm").found
    assert "hunter2" not in diagnosis_text(report)
    assert of(report, "configuration", "broken.yaml").grade is Grade.PROBLEM
    assert not report.healthy


@pytest.mark.parametrize(
    ("llm", "environment", "told"),
    [
        ("flagged", {"OPENAI_MODEL": "env"}, "model flagged (from --llm)"),
        (None, {"OPENAI_MODEL": "env"}, "model env (from OPENAI_MODEL)"),
        (None, {}, "model qwen3 (from the configuration)"),
    ],
)
def test_where_the_model_is_set_is_told(
    llm: str | None,
    environment: dict[str, str],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "config.toml").write_text('[llm]\nmodel = "qwen3"\nbase_url = "http://localhost/v1"\n')
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert told in of(diagnose(llm), "assistant", "llm").found


@pytest.mark.parametrize("key", [CANARY, PLAIN_CANARY])
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_no_key_is_ever_printed(key: str, form: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[llm]\nbase_url = "http://127.0.0.1:9/v1"\n')
    environment = os.environ | {"OPENAI_API_KEY": key}
    command = [
        sys.executable,
        "-m",
        "edgewright.cli",
        "doctor",
        "--llm",
        key,
        "--base-url",
        f"http://{key}@h/",
    ]
    run = subprocess.run([*command, *form], capture_output=True, text=True, env=environment, check=False)
    assert run.returncode == 0, run.stderr
    assert "there is one, from OPENAI_API_KEY" in run.stdout
    assert key not in run.stdout + run.stderr


def test_an_endpoint_elsewhere_without_a_key_is_a_problem() -> None:
    report = diagnose(base_url="https://llm.example.com/v1")
    assert problems(report) == ["llm"]
    assert "OPENAI_API_KEY" in of(report, "assistant", "llm").next_step


def test_no_network_is_used_unless_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)
    assert diagnose("stub", "http://127.0.0.1:9/v1").healthy


def test_reaching_tells_whether_the_endpoint_serves_the_model() -> None:
    with OpenAIServer([text("hi")], models=["stub", "other"]) as server:
        assert (
            "lists 2 models: other, stub"
            in of(diagnose("stub", server.base_url, reach=True), "assistant", "reach").found
        )
        absent = diagnose("llama", server.base_url, reach=True)
        assert problems(absent) == ["reach"]
        assert "other, stub" in of(absent, "assistant", "reach").next_step


def test_an_endpoint_that_is_down_is_a_problem_with_a_next_step() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    report = diagnose("stub", url, reach=True)
    found = of(report, "assistant", "reach")
    assert (found.grade, bool(found.next_step)) == (Grade.PROBLEM, True)


def test_sessions_that_cannot_be_kept_are_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EDGEWRIGHT_STATE_DIR", str(tmp_path / "file" / "state"))
    found = of(diagnose(), "sessions", "folder")
    assert found.grade is Grade.PROBLEM
    assert "EDGEWRIGHT_STATE_DIR" in found.next_step


def test_looking_leaves_nothing_behind(tmp_path: Path) -> None:
    diagnose()
    assert list(tmp_path.iterdir()) == []


def test_what_is_broken_ends_with_exit_code_2(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[llm]\napi_key = "oops-a-secret"\n')
    command = [sys.executable, "-m", "edgewright.cli", "doctor", "--json"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 2, run.stderr
    assert "oops-a-secret" not in run.stdout
    document = json.loads(run.stdout)
    assert document["tool"] == "diagnose"
    assert document["result"]["healthy"] is False


def test_escapes_out_of_files_do_not_reach_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[llm]\nmodel = "a\\u001b[2Jb"\nbase_url = "http://localhost/v1"\n')
    assert "\x1b" not in diagnosis_text(diagnose())
