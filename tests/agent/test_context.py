from __future__ import annotations

from pathlib import Path

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from edgewright.agent.assistant import Assistant
from edgewright.agent.context import LEFT_OUT, trimmed
from edgewright.agent.tokens import count_messages, estimated_tokens
from edgewright.agent.workspace import Workspace
from stubs.scripted_chat_model import ScriptedChatModel, calls

CONTEXT = 32_768
SCHEMAS_AND_ANSWER = 6_000


def counted(messages: list[BaseMessage], tokens_a_word: float) -> int:
    """What a server whose vocabulary is poorer than ours would report."""
    return round(tokens_a_word * sum(estimated_tokens(message.text) for message in messages))


def test_a_small_context_survives_twelve_heavy_turns(tmp_path: Path) -> None:
    asked = {"models": "mobilenet_v2", "show": ["timeline"], "detail": "full", "targets": ["stm32h743zi"]}
    poorer = 1.4

    def answers(messages: list[BaseMessage]) -> AIMessage:
        used = counted(messages, poorer)
        usage = {"input_tokens": used, "output_tokens": 10, "total_tokens": used + 10}
        return AIMessage("Done.", usage_metadata=usage, response_metadata={"finish_reason": "stop"})

    script = [step for turn in range(12) for step in (calls("evaluate", f"c{turn}", **asked), answers)]
    model = ScriptedChatModel(script=script)
    assistant = Assistant(model, Workspace(tmp_path), llm_name="scripted")
    for _ in range(12):
        assert assistant.ask("How does its memory go over time?").complete
    assert max(counted(list(shown), poorer) for shown in model.shown) < CONTEXT - SCHEMAS_AND_ANSWER


def test_what_is_left_out_is_named_so_that_it_can_be_referred_to() -> None:
    old = ToolMessage("r1 plan_memory kws:int8 · h743\narena: 22 KiB\n" + "x " * 900, tool_call_id="1")
    new = ToolMessage("r2 plan_memory ic:int8\n" + "x " * 900, tool_call_id="2")
    shown = trimmed([HumanMessage("?"), old, new], 1_000, kept=1)
    assert shown[1].text == f"r1 plan_memory kws:int8 · h743\n{LEFT_OUT}"
    assert shown[2] is new
    assert trimmed([HumanMessage("?"), old, new], 10_000, kept=1) == [HumanMessage("?"), old, new]


def test_the_count_follows_what_the_server_reports() -> None:
    said = [
        HumanMessage("word " * 100),
        AIMessage("ok", usage_metadata={"input_tokens": 300, "output_tokens": 1, "total_tokens": 301}),
    ]
    assert count_messages(said) > 2.5 * sum(estimated_tokens(message.text) for message in said)
