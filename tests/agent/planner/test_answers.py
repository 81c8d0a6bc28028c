"""What the frames answer, over many real results: claims that hold whatever is wanted of what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from edgewright.agent.planner.answers import frames_of
from edgewright.agent.planner.answers.clauses import CLAUSES
from edgewright.agent.planner.answers.columns import COLUMNS
from edgewright.agent.planner.desk import Desk
from edgewright.agent.planner.planner import rendered_answer
from edgewright.agent.planner.query import Query, Role, Slot
from edgewright.agent.planner.want import Want
from edgewright.agent.references import RenderedAnswer, results_of
from edgewright.agent.references.filling import UNRESOLVED, fill
from edgewright.agent.registry import Tool
from edgewright.agent.spelling import Arguments
from edgewright.agent.workspace import Workspace
from edgewright.tools import get_target
from edgewright.tools.core.quantity import Result

DEPLOYMENTS = (
    ("kws", "nrf52840"), ("vww", "rp2040"), ("ad", "stm32h743zi"), ("mobilenet_v2", "raspberry-pi-5"),
    ("yolov8n", "jetson-orin-nano-8gb"), ("resnet50", "t4"), ("kws", "max78000"), ("ic", "ethos-u55-128"),
    ("mobilenet_v2", "nrf52840"), ("bert_base", "a100-sxm4-80gb"), ("mobilenet_v1:0.25", "esp32-s3"),
    ("efficientnet_lite0", "coral-edge-tpu"),
)  # fmt: skip
QUANTITIES = (Want.LATENCY, Want.THROUGHPUT, Want.ENERGY, Want.POWER, Want.RAM, Want.FLASH)
LONGEST = 130
"""Words, with a little room over the 120 that are promised for what nobody asks together."""


@pytest.fixture(autouse=True, scope="module")
def _each_call_once() -> Iterator[None]:
    """What is claimed is of the words about a result: what one question has called for is not worked out again."""
    results: dict[tuple[str, str], Result] = {}
    run = Tool.run

    def once(tool: Tool, arguments: Arguments, workspace: Workspace) -> Result:
        key = tool.function, repr(arguments)
        if key not in results:
            results[key] = run(tool, arguments, workspace)
        return results[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Tool, "run", once)
        yield


def query(*wants: Want, question: str = "?", **slots: Any) -> Query:
    """Slots by the name of their role; several values as a tuple, a figure with its words as a pair."""
    found = []
    for name, given in slots.items():
        values = given if isinstance(given, tuple) else (given,)
        found += [Slot(role=Role[name], value=value, text=str(value)) for value in values]
    return Query(question=question, wants=wants, slots=tuple(found))


def written(asked: Query) -> tuple[RenderedAnswer, Desk, str]:
    """The answer, the desk with its calls, and the text before its references were filled in."""
    desk = Desk(Workspace(Path.cwd()), asked)
    making = desk.text()
    while True:
        try:
            next(making)
        except StopIteration as done:
            return rendered_answer(done.value, desk.records), desk, done.value


def holds_up(asked: Query) -> str:
    """The answer's text, every reference of which led somewhere."""
    answer, desk, text = written(asked)
    assert not fill(text, results_of(desk.records)).errors, text
    assert not answer.marked
    assert UNRESOLVED not in answer.text
    return answer.text


EVERYWHERE = [(want, *each) for want in (*CLAUSES, Want.FITS, Want.MEETS) for each in DEPLOYMENTS]
REST = [
    (want, *each)
    for want in Want
    if want not in (*CLAUSES, Want.FITS, Want.MEETS, Want.ERROR, Want.GENERATION)
    for each in DEPLOYMENTS[:9:4]
]


@pytest.mark.parametrize(("want", "model", "target"), [*EVERYWHERE, *REST])
def test_whatever_is_wanted_of_a_deployment_each_reference_leads_somewhere(
    want: Want, model: str, target: str
) -> None:
    text = holds_up(query(want, MODEL=model, TARGET=target))
    assert text
    assert len(text.split()) <= LONGEST, text


@pytest.mark.parametrize(("model", "target"), DEPLOYMENTS[:6])
def test_each_of_several_things_that_are_wanted_is_answered(model: str, target: str) -> None:
    wants = (Want.LATENCY, Want.ENERGY, Want.RAM, Want.FLASH, Want.CYCLES, Want.BOUND)
    text = holds_up(query(*wants, MODEL=model, TARGET=target)).casefold()
    for want in wants[1:-1]:
        assert CLAUSES[want][0].casefold().strip(": ") in text
    assert "bound" in text


@pytest.mark.parametrize("want", QUANTITIES)
@pytest.mark.parametrize("model", ["kws", "vww", "mobilenet_v1:0.25"])
def test_the_first_row_is_the_best_of_what_runs_there(want: Want, model: str) -> None:
    targets = ("rp2040", "nrf52840", "stm32h743zi", "esp32-s3", "max78000")
    asked = query(Want.COMPARE, want, MODEL=model, TARGET=targets)
    answer, desk, _ = written(asked)
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in answer.text.splitlines()
        if line[:1] == "|"
    ]
    head, body = rows[0], [row for row in rows[2:] if "no" not in row[-1:] and "not known" not in row[1]]
    figures = [_figure(desk, row[0], want) for row in body]
    assert head[1] == COLUMNS[want].head
    assert figures == sorted(figures, reverse=COLUMNS[want].largest)
    assert answer.text.startswith(body[0][0])


def _figure(desk: Desk, target: str, want: Want) -> float:
    column = COLUMNS[want]
    return next(
        float(record["result"][column.path]["value"])
        for record in desk.records
        if record["name"] == column.function and record["arguments"]["target"] == target and record["result"]
    )


@pytest.mark.parametrize(("role", "most", "least"), [
    ("LATENCY_MS", 1e6, 1e-6), ("RAM_BYTES", 1e12, 1.0), ("FLASH_BYTES", 1e12, 1.0), ("ENERGY_UJ", 1e12, 1e-6),
    ("POWER_MW", 1e9, 1e-6), ("RATE_HZ", 1e-6, 1e7),
])  # fmt: skip
def test_a_limit_is_judged_whatever_is_wanted(role: str, most: float, least: float) -> None:
    for want in (Want.LATENCY, Want.RAM, Want.BOUND):
        given: dict[str, Any] = {"MODEL": "kws", "TARGET": "stm32l4r5zi"}
        assert re.search(r"\b(Yes|Probably)\b", holds_up(query(want, **given, **{role: most})))
        assert holds_up(query(want, **given, **{role: least})).startswith("No")


@pytest.mark.parametrize(
    ("claim", "word"), [(15.0, "15.0 is plausible"), (4000.0, "Suspicious"), (0.001, "Suspicious")]
)
def test_a_claim_is_held_against_the_interval(claim: float, word: str) -> None:
    assert holds_up(query(Want.LATENCY, MODEL="kws", TARGET="stm32h743zi", CLAIMED_MS=claim)).startswith(word)


def test_memory_of_ones_own_is_judged_without_a_board() -> None:
    assert holds_up(query(Want.FITS, MODEL="vww", RAM_BYTES=64 * 1024.0)).startswith("No")
    assert holds_up(query(Want.FITS, MODEL="kws", RAM_BYTES=64 * 1024.0)).startswith("Yes")


def test_without_a_board_one_that_stands_for_others_is_answered_for() -> None:
    text = holds_up(query(Want.LATENCY, MODEL="kws"))
    assert " ms (" in text
    assert text.endswith("?")


def test_several_networks_on_one_board_are_added() -> None:
    answer, desk, _ = written(query(Want.PIPELINE, Want.FITS, MODEL=("kws", "vww"), TARGET="stm32h743zi"))
    report = desk.records[0]["result"]
    assert report is not None
    both = report["arena_apart"]["value"] / 1024
    assert f"{both:.3g} KiB apart" in answer.text


@pytest.mark.parametrize(("before", "after"), [(None, 120.0), (480.0, 240.0)])
def test_another_clock_stands_against_the_one_before(before: float | None, after: float) -> None:
    clocks = {"CLOCK_MHZ": after} | ({"CLOCK_BEFORE_MHZ": before} if before else {})
    text = holds_up(query(Want.WHAT_IF, Want.LATENCY, MODEL="kws", TARGET="stm32h743zi", **clocks))
    found = re.match(r"(?P<new>[\d.]+) ms.*? instead of (?P<old>[\d.]+) ms", text)
    assert found is not None
    assert float(found["new"]) > float(found["old"])


def test_every_want_has_a_frame() -> None:
    for want in Want:
        assert frames_of(query(want)), want
        assert frames_of(query(want, MODEL="kws", TARGET="nrf52840")), want


@pytest.mark.parametrize("board", ["nrf52840", "stm32h743zi", "rp2040"])
def test_networks_with_a_rate_each_are_judged_together(board: str) -> None:
    asked = query(
        Want.FITS, Want.BATTERY_LIFE, MODEL=("kws", "vww"), TARGET=board, RATE_HZ=(2.0, 0.1), BATTERY="cr2032"
    )
    answer, desk, _ = written(asked)
    assert [record["name"] for record in desk.records] == ["analyze_pipeline"]
    assert desk.records[0]["arguments"]["plan"] == ["kws@2/s", "vww@0.1/s"]
    holds_up(asked)
    assert "not take into account" not in answer.text


def test_one_rate_is_that_of_every_network() -> None:
    _, desk, _ = written(query(Want.PIPELINE, MODEL=("kws", "ad"), TARGET="nrf52840", RATE_HZ=1.0))
    assert desk.records[0]["arguments"]["plan"] == ["kws@1/s", "ad@1/s"]


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ("where does the sleep current come from?", "power.run.sleep_ua"),
        ("how do you know its flash size?", "memories.flash.size_bytes"),
        ("what is the source of the price", "price_usd"),
    ],
)
def test_a_figure_of_a_chip_that_is_called_by_name_stands_with_its_source(question: str, field: str) -> None:
    text = holds_up(query(Want.EVIDENCE, question=question, TARGET="nrf52840"))
    (row,) = [each for each in get_target("nrf52840").figures if each.field == field]
    assert f"{field} = " in text
    assert row.source in text


@pytest.mark.parametrize(("target", "least"), [("jetson-agx-orin-64gb", True), ("raspberry-pi-5", False)])
def test_a_mean_power_that_leaves_out_being_idle_is_said_to_be_the_least(target: str, *, least: bool) -> None:
    answer = holds_up(query(Want.POWER, MODEL="yolov8n", TARGET=target, RATE_HZ=5.0))
    assert ("at least " in answer and "draws idle not counted" in answer) is least
    assert ("% of it idle" in answer) is not least
