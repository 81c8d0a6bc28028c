"""Whether quantising pays is answered with both types, beside whatever else is asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.tools import deployment, estimate_performance, get_target


@pytest.fixture
def ask(tmp_path: Path) -> Callable[[str], str]:
    return lambda question: Planner(Workspace(tmp_path)).ask(question).answer


@pytest.mark.parametrize(
    ("question", "model", "target", "runtimes"),
    [
        ("bert_base on a Galaxy S23, how many ms? CPU and NPU. is quantising worth it",
         "bert_base", "snapdragon-8-gen-2", ("litert-xnnpack", "qnn")),
        ("how fast is mobilenet_v2 on an imx8mp with the npu or its cores, and is int8 worth it?",
         "mobilenet_v2", "imx8mp", ("openvx", "litert-xnnpack")),
    ],
)  # fmt: skip
def test_quantising_is_weighed_with_each_of_the_kernels(
    ask: Callable[[str], str], question: str, model: str, target: str, runtimes: tuple[str, ...]
) -> None:
    told = next(line for line in ask(question).splitlines() if line.startswith("Quantising "))
    times = []
    for runtime in runtimes:
        part = told[told.index(f"with {runtime} int8 takes") :].partition(" as fast")[0]
        other = re.search(r"\) in (float\d\d), ([\d.]+)x$", part)
        assert other is not None
        where = deployment(target, runtime=runtime, threads=0)
        whole, real = (
            estimate_performance(f"{model}:{dtype}", where).latency_ms.value for dtype in ("int8", other[1])
        )
        assert float(other[2]) == pytest.approx(real / whole, rel=0.02)
        times.append(real / whole)
    assert told.startswith("Quantising pays") == (max(times) >= 1.5)


def test_no_kernels_are_worth_it_where_quantising_is_asked_about(ask: Callable[[str], str]) -> None:
    answer = ask("bert_base on a Galaxy S23, how many ms? CPU and NPU. is quantising worth it")
    assert "qnn (NPU) is worth it" not in answer


@pytest.mark.parametrize("target", ["nrf52840", "apollo4-plus"])
def test_the_types_of_a_chip_are_weighed_by_its_peaks_and_by_a_network(
    ask: Callable[[str], str], target: str
) -> None:
    answer = ask(f"Float32 or int8 on the {target}? It has an FPU, so float should be free, no?")
    peaks = {peak.dtype: peak.dense_gops for peak in get_target(target).peaks}
    assert answer.startswith("Int8, not float32")
    assert f"{peaks['int8'] / peaks['float32']:.3g}x that" in answer
    assert "I did not answer" not in answer
    assert re.search(r"int8 takes [\d.]+ ms .* against [\d.]+ ms .* in float32", answer)


def test_one_type_alone_is_asked_after_as_before(ask: Callable[[str], str]) -> None:
    assert ask("does the esp32-s3 have int8?").startswith("Yes: ")
