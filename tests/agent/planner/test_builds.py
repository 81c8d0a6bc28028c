"""A job or command for a build holds the question's own values, and runs as it stands."""

import re
import shlex

import pytest
import yaml
from typer.testing import CliRunner

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.cli import whole_app


def answer(question: str) -> str:
    return Planner(Workspace()).ask(question).answer


CASES = [
    ("GitHub Actions workflow: fail the pull request if kws needs more than 200 KiB RAM or takes over 80 ms on an nRF5340",
     ".github/workflows/edge-check.yaml", "kws -t nrf5340 --max-latency 80ms --max-ram 200KiB"),
    ("Which lines go into .gitlab-ci.yml so that the build breaks when kws cannot run five times per second on an ESP32-S3?",
     ".gitlab-ci.yml", "kws -t esp32-s3 --min-rate 5/s"),
    ("I need a Jenkins stage that stops when kws takes more than 10 mJ per inference on the STM32U585",
     "Jenkinsfile", "kws -t stm32u585ai --max-energy 10mJ"),
    ("give me a Makefile target that fails when mobilenet_v2 in int8 takes over 40ms on a Raspberry Pi 4",
     "Makefile", "mobilenet_v2:int8 -t raspberry-pi-4b --max-latency 40ms"),
    ("a pre-commit hook that rejects a commit when kws needs more than 64KB RAM on an STM32L4R5 once per second",
     ".git/hooks/pre-commit", "kws -t stm32l4r5zi --min-rate 1/s --max-ram 64KB"),
    ("How do I get a JUnit report from checking kws against 25 KiB RAM on an nRF52840 in our pipeline?",
     "", "kws -t nrf52840 --max-ram 25KiB --format junit"),
    ("our build shall fail when kws takes longer than half a second on an nRF52840 at 32 MHz",
     "", "kws -t nrf52840 --clock 32MHz --max-latency 500ms"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "title", "options"), CASES)
def test_a_build_is_given_the_values_of_the_question(question: str, title: str, options: str) -> None:
    told = answer(question)
    lines = re.findall(r"edgewright check ([^'`>\n]+)", told)
    assert (f'title="{title}"' in told) == bool(title)
    assert {line.strip() for line in lines} == {options}
    ran = CliRunner().invoke(whole_app(), ["check", *shlex.split(lines[0])])
    assert ran.exit_code in (0, 10), ran.output


@pytest.mark.parametrize(("question", "title", "options"), CASES[:2])
def test_a_job_is_yaml(question: str, title: str, options: str) -> None:
    block = re.search(r"```yaml[^\n]*\n(.*?)```", answer(question), re.DOTALL)
    assert block, title
    assert f"edgewright check {options}" in str(yaml.safe_load(block[1]))


@pytest.mark.parametrize(
    ("question", "allowed", "figure"),
    [
        ("our CI shall go red when ad's arena grows by more than 3% against main, stm32f746", "3%", "arena"),
        ("fail the build when kws is slower than on main by more than 5 % on the nRF52840", "5%", "latency"),
    ],
)
def test_growth_is_held_against_the_version_before(question: str, allowed: str, figure: str) -> None:
    told = answer(question)
    assert f"regression: {{{figure}: {allowed}}}" in told
    assert "--baseline before.tflite" in told


def test_each_file_of_a_folder_is_checked() -> None:
    told = answer("a Makefile rule that fails when any .tflite needs more than 64 KiB of RAM on an STM32L4R5")
    assert 'for model in *.tflite; do edgewright check "$$model" -t stm32l4r5zi --max-ram 64KiB' in told


@pytest.mark.parametrize(
    "offline",
    ["We've no internet in the runner.", "The build agents are air-gapped.", "The agent has no internet."],
)
def test_a_runner_without_internet_installs_from_a_folder(offline: str) -> None:
    asked = "How do I make GitLab fail a commit of vww.tflite over 250 ms on the STM32L4R5?"
    told = answer(f"{asked} {offline}")
    assert "pip install --no-index --find-links wheelhouse edgewright" in told
    assert "pip install ./edgewright" not in told
    assert "pip wheel ./edgewright -w wheelhouse" in told
    assert "wheelhouse" not in answer(asked)


def test_a_build_is_to_check_a_limit_without_the_word_fail() -> None:
    told = answer("How do I make Jenkins check 100 ms for vww.tflite on the STM32F746 from now on?")
    assert "sh 'edgewright check vww.tflite -t stm32f746ng --max-latency 100ms" in told
