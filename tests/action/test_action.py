"""The GitHub Action: its description keeps to what is documented, and its script comments what `check` says.

https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from edgewright.tools.model_formats.writer.save import save_tflite
from edgewright.tools.model_zoo import build_architecture

ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
SCRIPT = ROOT / ".github" / "check_models.sh"
SECRET = "ghs_0123456789abcdef"
GH = """\
#!/usr/bin/env bash
printf '%s\\n' "$*" >> "$CALLS"
for word in "$@"; do case "$word" in body=@*) cp "${word#body=@}" "$POSTED" ;; esac; done
case "$*" in *--jq*) printf '%s' "${FORMER:-}" ;; *) exit "${GH_FAILS:-0}" ;; esac
"""
pytestmark = pytest.mark.skipif(not all(map(shutil.which, ("bash", "git"))), reason="needs bash and git")


def test_the_description_has_what_is_required_of_a_composite_action() -> None:
    assert {"name", "description", "runs"} <= set(ACTION) <= {
        "name", "author", "description", "inputs", "outputs", "runs", "branding",
    }  # fmt: skip
    assert ACTION["runs"]["using"] == "composite"
    for step in ACTION["runs"]["steps"]:
        assert ("run" in step) != ("uses" in step)
        assert "run" not in step or step["shell"] == "bash"
        assert set(step) <= {"run", "shell", "if", "name", "id", "env", "working-directory", "uses", "with"}


def test_every_input_says_what_it_is_and_is_used() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    for name, given in ACTION["inputs"].items():
        assert given["description"]
        assert set(given) <= {"description", "required", "default", "deprecationMessage"}
        assert f"${{{{ inputs.{name} }}}}" in text
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(ACTION["inputs"])


def test_nothing_from_outside_becomes_part_of_a_script() -> None:
    """An expression in `run` would run what a branch or a file is called."""
    assert not [step for step in ACTION["runs"]["steps"] if "${{" in step.get("run", "")]
    assert "eval" not in SCRIPT.read_text(encoding="utf-8")


def test_the_script_is_given_every_variable_that_it_reads() -> None:
    script = SCRIPT.read_text(encoding="utf-8")
    given = ACTION["runs"]["steps"][-1]["env"]
    read = set(re.findall(r"\$\{?([A-Z][A-Z_]+)", script)) - set(re.findall(r"readonly ([A-Z]+)=", script))
    assert {name for name in read if not name.startswith("GITHUB_")} == set(given) - {"GH_TOKEN"}


class Repository:
    """One with a base commit and a pull request, and a `gh` that writes down what it is asked."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.out = folder / "work", folder / "out"
        self.folder.mkdir()
        (self.out / "bin").mkdir(parents=True)
        gh = self.out / "bin" / "gh"
        gh.write_text(GH, encoding="utf-8")
        gh.chmod(0o755)
        self.git("init", "-q")

    def git(self, *words: str) -> str:
        names = ("-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false")
        command = ["git", *names, *words]
        return subprocess.run(
            command, cwd=self.folder, check=True, capture_output=True, text=True
        ).stdout.strip()

    def commit(self) -> str:
        self.git("add", "-A")
        self.git("commit", "-qm", "models", "--allow-empty")
        return self.git("rev-parse", "HEAD")

    def model(self, name: str, architecture: str) -> None:
        save_tflite(build_architecture(architecture), self.folder / name, force=True)

    def run(self, base: str, **more: str) -> subprocess.CompletedProcess[str]:
        path = f"{self.out / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}"
        given: dict[str, Any] = {
            "TARGETS": "stm32h743zi\n", "MODELS": ACTION["inputs"]["models"]["default"], "LIMITS": "",
            "BASE_SHA": base, "PULL_REQUEST": "7", "GH_TOKEN": SECRET, "GITHUB_REPOSITORY": "o/r",
            "GITHUB_STEP_SUMMARY": str(self.out / "summary"), "GITHUB_OUTPUT": str(self.out / "output"),
            "CALLS": str(self.out / "calls"), "POSTED": str(self.out / "posted"),
        }  # fmt: skip
        env = {**os.environ, **given, **more, "PATH": path}
        return subprocess.run(
            ["bash", str(SCRIPT)], cwd=self.folder, env=env, capture_output=True, text=True, check=False
        )

    def read(self, name: str) -> str:
        file = self.out / name
        return file.read_text(encoding="utf-8") if file.exists() else ""


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


@pytest.fixture
def changed(repository: Repository) -> tuple[Repository, str]:
    """kws.tflite grows, ad.tflite stays."""
    repository.model("kws.tflite", "kws:int8")
    repository.model("ad.tflite", "ad:int8")
    base = repository.commit()
    repository.model("kws.tflite", "kws:float32")
    repository.commit()
    return repository, base


def test_a_changed_model_is_commented_with_its_verdict_and_what_changed(
    changed: tuple[Repository, str],
) -> None:
    repository, base = changed
    run = repository.run(base, LIMITS="--max-latency 1ms\n--max-ram 256KiB")
    comment = repository.read("posted")
    assert run.returncode == 10
    assert comment.startswith("<!-- edgewright check -->\n### FAIL: ./kws.tflite on stm32h743zi")
    assert re.search(r"Figure +\| +Before", comment)
    assert "ad.tflite" not in comment
    assert repository.read("summary") == comment
    assert repository.read("output") == "verdict=FAIL\n"
    assert "-X POST repos/o/r/issues/7/comments" in repository.read("calls")


def test_the_next_push_writes_the_same_comment_anew(changed: tuple[Repository, str]) -> None:
    repository, base = changed
    assert repository.run(base, FORMER="42").returncode == 0
    assert "-X PATCH repos/o/r/issues/comments/42" in repository.read("calls")
    assert "POST" not in repository.read("calls")


def test_a_fork_whose_token_may_not_comment_still_has_the_verdict_and_a_summary(
    changed: tuple[Repository, str],
) -> None:
    repository, base = changed
    run = repository.run(base, GH_FAILS="1")
    assert run.returncode == 0
    assert "::notice::" in run.stdout
    assert "### PASS" in repository.read("summary")


def test_the_token_stands_in_nothing_that_is_written(changed: tuple[Repository, str]) -> None:
    repository, base = changed
    run = repository.run(base, GH_FAILS="1")
    written = "".join(map(repository.read, ("summary", "output", "posted", "calls")))
    assert SECRET not in run.stdout + run.stderr + written


def test_every_target_is_checked_and_may_name_its_runtime(changed: tuple[Repository, str]) -> None:
    repository, base = changed
    repository.run(base, TARGETS="stm32h743zi/tflm-reference\n\n  nrf52840\n")
    comment = repository.read("posted")
    assert "stm32h743zi with tflm-reference" in comment
    assert "nrf52840 with" in comment


def test_where_no_model_changed_nothing_is_commented(repository: Repository) -> None:
    repository.model("kws.tflite", "kws:int8")
    base = repository.commit()
    repository.commit()
    assert repository.run(base).returncode == 0
    assert repository.read("posted") == ""
    assert "No model changed." in repository.read("summary")
    assert repository.read("output") == "verdict=NONE\n"


def test_a_file_that_is_no_model_fails_with_what_check_says_of_it(repository: Repository) -> None:
    base = repository.commit()
    (repository.folder / "broken.tflite").write_bytes(b"no model")
    repository.commit()
    assert repository.run(base).returncode == 10
    assert "### Not checked, exit code 3" in repository.read("posted")


def test_a_hostile_name_is_a_name(repository: Repository) -> None:
    base = repository.commit()
    name = "$(touch ran); `touch ran` & x.tflite"
    repository.model(name, "kws:int8")
    repository.commit()
    assert repository.run(base).returncode == 0
    assert not (repository.folder / "ran").exists()
    assert "### PASS" in repository.read("posted")


def test_without_the_base_branch_it_says_what_to_do(repository: Repository) -> None:
    repository.commit()
    run = repository.run("0" * 40)
    assert run.returncode == 2
    assert "fetch-depth: 0" in run.stdout
