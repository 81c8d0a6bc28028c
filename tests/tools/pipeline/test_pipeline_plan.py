from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.hardware_db.errors import EdgewrightError
from edgewright.tools import analyze_pipeline, read_pipeline
from edgewright.tools.core.plan_files import PlanError
from edgewright.tools.pipeline.plan import pipeline_from, pipeline_of, tasks_of


def written(folder: Path, text: str) -> Path:
    path = folder / "plan.yaml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("stesp: {}", r"plan\.yaml:1: unknown key 'stesp'\. Nearest: steps"),
        (
            "steps:\n  a: {modl: kws, rate: 1/s}",
            r"plan\.yaml:2: unknown key 'steps\.a\.modl'\. Nearest: model",
        ),
        ("steps:\n  a: {model: kws, rate: 0/s}", r"plan\.yaml:2: steps\.a\.rate: .*above zero"),
        ("steps:\n  a: {model: kws, rate: 5}", r"plan\.yaml:2: steps\.a\.rate: .*no unit"),
        ("steps:\n  a: {model: kws}", r"plan\.yaml:2: a has no rate.*rate: 10/s"),
        ("steps:\n  a: {model: kws, rate: 1/s, every: 1s}", r"not both"),
        ("steps:\n  a: {rate: 1/s}", r"either a model or a kind"),
        ("steps:\n  a: {model: kws, step: fft, rate: 1/s}", r"either a model or a kind"),
        ("steps:\n  a: {step: ftt, rate: 1/s}", r"plan\.yaml:2: Unknown step 'ftt'\. Nearest: fft"),
        ("steps:\n  a: {step: fft, rate: 1/s, times: 0}", r"plan\.yaml:2: steps\.a\.times"),
        ("steps:\n  a: {model: kws, after: b}", r"plan\.yaml:2: a comes after 'b', which is no step"),
        (
            "steps:\n  aa: {model: kws, rate: 1/s}\n  b: {model: kws, after: a}",
            r"plan\.yaml:3: .* Nearest: aa",
        ),
        (
            "steps:\n  a: {model: kws, after: b}\n  b: {model: kws, after: a}",
            r"plan\.yaml:2: steps wait for each other: a → b → a",
        ),
        ("steps:\n  a: {model: kws, after: a}", r"wait for each other: a → a"),
        (
            "steps:\n  a: {model: kws, rate: 1/s}\n  b: {model: vww, rate: 2/s, after: a}",
            r"plan\.yaml:3: b at 2/s cannot come after a at 1/s",
        ),
        (
            "steps:\n  a: {model: kws, rate: 10/s}\n  b: {model: vww, rate: 3/s, after: a}",
            r"b at 3/s cannot come after a at 10/s",
        ),
        ("steps: {'<script>': {model: kws, rate: 1/s}}", r"is no name of a step"),
        ("steps: {}", r"plan\.yaml:1: steps"),
        ("ram: sharde\nsteps: {a: {model: kws, rate: 1/s}}", r"plan\.yaml:1: ram"),
        ("steps: &a {}\nmore: *a", "anchor"),
        ("steps: !!python/object/apply:os.system [ls]", "tag"),
        ("- kws", "a plan is a mapping"),
        ("", "empty"),
        ("ram: shared", "steps is missing"),
    ],
)
def test_a_plan_that_means_nothing_is_refused_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(PlanError, match=told):
        read_pipeline(written(tmp_path, text))


@pytest.mark.parametrize("name", ["nokws", "nofile.tflite"])
def test_a_model_that_is_not_there_is_named_with_its_step(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, f"steps: {{wake: {{model: {name}, rate: 1/s}}}}")
    with pytest.raises(EdgewrightError, match="wake: "):
        analyze_pipeline(path, "nrf52840")


def test_a_target_that_is_not_there_is_refused() -> None:
    with pytest.raises(EdgewrightError, match="nrf52840"):
        analyze_pipeline(["kws@1/s"], "nrf52841")


def test_a_step_without_a_rate_runs_as_often_as_the_slowest_before_it() -> None:
    plan = pipeline_from(
        {
            "steps": {
                "last": {"model": "kws", "after": ["fast", "slow"]},
                "fast": {"step": "sensor", "rate": "20/s"},
                "slow": {"step": "sensor", "every": "100ms"},
            }
        }
    )
    tasks = tasks_of(plan)
    assert [task.name for task in tasks] == ["fast", "slow", "last"]
    assert tasks[-1].rate_hz == pytest.approx(10)


@pytest.mark.parametrize(
    ("text", "rate"), [("kws@10/s", 10.0), ("kws@4hz", 4.0), ("kws@every 2s", 0.5), ("kws:int8@500ms", 2.0)]
)
def test_a_network_with_its_rate_is_one_text(text: str, rate: float) -> None:
    (task,) = tasks_of(pipeline_of([text]))
    assert task.rate_hz == pytest.approx(rate)


@pytest.mark.parametrize("text", ["kws", "@1/s", "kws@", "kws@0/s", "kws@fast"])
def test_a_text_that_is_no_network_with_its_rate_is_refused(text: str) -> None:
    with pytest.raises(PlanError):
        pipeline_of([text])


def test_the_same_network_twice_has_two_names() -> None:
    assert list(pipeline_of(["kws@1/s", "kws@2/s"]).steps) == ["kws", "kws+"]
