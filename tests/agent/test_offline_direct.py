from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from edgewright.agent.assistant import Assistant
from edgewright.agent.grounding import check_grounding
from edgewright.agent.offline import DirectTalk, OfflinePlanner
from edgewright.agent.offline.phrase.grounds import phrase_validation
from edgewright.agent.offline.reading import read
from edgewright.agent.offline.turns import Outcome
from edgewright.agent.workspace import Workspace
from edgewright.hardware_db.errors import UsageError
from stubs.traces import events

CONVERSATIONS = (
    ("Does kws fit the H743?", "and on the L4R5?", "why?", "how fast there?"),
    ("Will my model fit?", "kws", "the H743"),
    ("Does kws fit on an STM32H999?",),
    ("What is the weather like?",),
    ("How fast is missing.tflite on the H743?",),
)


@pytest.mark.parametrize("questions", CONVERSATIONS, ids=lambda questions: questions[0][:40])
def test_both_loops_give_the_same_answers(tmp_path: Path, questions: tuple[str, ...]) -> None:
    direct = DirectTalk(Workspace(tmp_path))
    looped = Assistant(OfflinePlanner(), Workspace(tmp_path), llm_name="offline", ask_again=False)
    for question in questions:
        one, other = direct.ask(question), looped.ask(question)
        assert one.answer == other.answer
        assert one.verdicts == other.verdicts
        assert [call["arguments"] for call in one.tool_calls] == [c["arguments"] for c in other.tool_calls]
        assert [call["error"] for call in one.tool_calls] == [call["error"] for call in other.tool_calls]


def test_calls_are_numbered_over_the_whole_conversation(tmp_path: Path) -> None:
    talk = DirectTalk(Workspace(tmp_path))
    talk.ask("Does kws fit the H743?")
    talk.ask("And the L4R5?")
    assert [call["id"] for call in talk.tool_results()] == ["t1", "t2"]


def test_an_empty_question_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="empty"):
        DirectTalk(Workspace(tmp_path)).ask("  \n")


def test_one_offline_question_loads_no_langchain(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from edgewright.agent.offline import DirectTalk\n"
        "from edgewright.agent.workspace import Workspace\n"
        "DirectTalk(Workspace(Path.cwd())).ask('Does kws fit the H743?')\n"
        "print([name for name in ('langchain', 'langchain_core', 'langgraph') if name in sys.modules])\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "question",
    [
        "Passt kws auf den H743?",
        "Est-ce que kws tient sur le H743 ?",
        "¿Cabe kws en un H743?",
        "kws 能在 H743 上运行吗?",
    ],
)
def test_other_languages_are_read_for_what_they_ask(tmp_path: Path, question: str) -> None:
    found = DirectTalk(Workspace(tmp_path)).ask(question)
    assert found.tool_calls[0]["name"] == "check_constraints"
    assert found.tool_calls[0]["arguments"]["target"] == "stm32h743zi"
    assert "PASS" in found.answer
    assert "I read English best" in found.answer


@pytest.mark.parametrize(
    "question", ["\x00\x01\x02 \x1b[2J", "🦆" * 2000, "kws " * 25_000, "? " * 50_000, "((((" * 5000]
)
def test_odd_questions_get_a_short_answer_without_escapes(tmp_path: Path, question: str) -> None:
    found = DirectTalk(Workspace(tmp_path)).ask(question)
    assert found.answer
    assert found.answer.isprintable() or "\n" in found.answer
    assert "\x1b" not in found.answer


ASKED = {
    "trace_timeline": ("Show the RAM timeline of kws on the L4R5", "the peak is at layer"),
    "best_memory_order": ("Is there a better operator order for kws on the L4R5?", "in the best order: peak"),
    "firmware_code": ("Give me the op resolver for kws on the L4R5", "resolver.AddConv2D();"),
    "diff_models": ("What changed between kws and vww on the L4R5?", "Better from kws to vww"),
    "evidence": ("What stands behind the latency of kws on the L4R5?", "published measurements"),
    "find_limit": ("What is the lowest clock for kws on the L4R5 within 200 ms?", "the lowest clock"),
    "compare_deployments": ("H743 vs L4R5 for kws?", "side by side"),
    "recommend_hardware": ("Which board for kws within 10 ms?", "Of the deployments that I know"),
}


@pytest.mark.parametrize("tool", ASKED)
def test_every_tool_is_asked_for_and_its_result_told(tmp_path: Path, tool: str) -> None:
    question, told = ASKED[tool]
    found = DirectTalk(Workspace(tmp_path)).ask(question)
    assert tool in [call["name"] for call in found.tool_calls]
    assert told in found.answer
    assert found.grounded, found.ungrounded


def test_errors_of_estimates_are_told_by_class_and_quantity() -> None:
    group = {
        "class": "mcu", "runtime": "all", "quantity": "latency_ms", "scheme": "leave-one-model-out",
        "n": 773, "models": 169, "boards": 63, "median_ape": 0.125, "mean_ape": 0.8, "within_10": 0.4,
        "within_25": 0.75, "coverage": 0.9, "rank_correlation": None,
    }  # fmt: skip
    result = {"groups": [group], "measurements": "shipped", "refused": [], "unpredicted": []}
    outcome = Outcome("t1", "validate", {}, {}, result)
    told = "\n".join(phrase_validation(outcome, read("How good are your estimates?", {})))
    assert "mcu latency for models that were not in the fit: median error 12.5 %" in told
    assert check_grounding(
        told, [{"id": "t1", "name": "validate", "arguments": {}, "result": result}]
    ).grounded


def test_a_trace_in_the_folder_is_read_and_the_slow_layer_named_with_what_to_check(tmp_path: Path) -> None:
    (tmp_path / "kws_l4r5.csv").write_text(events())
    found = DirectTalk(Workspace(tmp_path, model="kws")).ask(
        "I logged the TFLM MicroProfiler on my L4R5 at 120 MHz with CMSIS-NN, it's in kws_l4r5.csv. "
        "Where is your estimate off the most, and what could be the reason?"
    )
    (call,) = found.tool_calls
    assert call["name"] == "import_profile"
    assert call["arguments"]["runtime"] == "tflm-cmsis-nn"
    assert "layer 6 CONV_2D" in found.answer
    assert "Layer 6 takes 6.25 times as long" in found.answer
    assert "What it could be, none of it found out yet" in found.answer
    assert found.grounded, found.ungrounded
