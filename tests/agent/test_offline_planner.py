from __future__ import annotations

import json
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import StructuredTool

from edgewright.agent.history import REPAIR
from edgewright.agent.offline import OfflinePlanner
from edgewright.agent.views import VIEWS, as_langchain_tools
from edgewright.agent.workspace import Workspace

H743_QUESTION = "Does kws fit the H743?"


def asked(question: str, **context: str) -> HumanMessage:
    shown = f"{question}\n\nContext: {context}" if context else question
    return HumanMessage(shown, additional_kwargs={"context": context, "question": question})


def answered(call: dict[str, Any], result: dict[str, Any]) -> ToolMessage:
    document = {"schema_version": "1.0", "tool": call["name"], "inputs": call["args"], "result": result}
    return ToolMessage("{}", tool_call_id=call["id"], name=call["name"], artifact=document)


def reply(*messages: BaseMessage) -> AIMessage:
    return OfflinePlanner().invoke(list(messages))


def run(question: str, workspace: Workspace, model: OfflinePlanner | None = None) -> AIMessage:
    """One turn with the real tools, without the loop."""
    planner = model or OfflinePlanner()
    messages: list[BaseMessage] = [asked(question)]
    first = planner.invoke(messages)
    messages.append(first)
    specs = {spec.name: spec for spec in VIEWS}
    for call in first.tool_calls:
        document = specs[call["name"]].call(call["args"], workspace)
        messages.append(ToolMessage("", tool_call_id=call["id"], name=call["name"], artifact=document))
    return planner.invoke(messages)


def test_the_first_reply_asks_for_tools_and_says_nothing() -> None:
    first = reply(SystemMessage("be brief"), asked(H743_QUESTION))
    assert first.text == ""
    assert [call["name"] for call in first.tool_calls] == ["check_constraints"]
    assert first.tool_calls[0]["args"] == {"model": "kws", "target": "stm32h743zi"}


def test_the_same_messages_give_the_same_reply() -> None:
    assert reply(asked(H743_QUESTION)).tool_calls == reply(asked(H743_QUESTION)).tool_calls


def test_streaming_gives_what_generating_gives() -> None:
    for question in (H743_QUESTION, "What is the capital of France?"):
        whole = reply(asked(question))
        chunks = list(OfflinePlanner().stream([asked(question)]))
        joined = chunks[0]
        for chunk in chunks[1:]:
            joined += chunk
        assert joined.text == whole.text
        assert [(c["name"], c["args"], c["id"]) for c in joined.tool_calls] == [
            (c["name"], c["args"], c["id"]) for c in whole.tool_calls
        ]
        assert joined.response_metadata["finish_reason"] == whole.response_metadata["finish_reason"]


def test_an_answer_streams_in_pieces() -> None:
    assert len([c for c in OfflinePlanner().stream([asked("What is the capital of France?")]) if c.text]) > 10


def test_pinned_model_and_target_are_taken() -> None:
    first = reply(asked("how fast is it?", model="net.tflite", target="stm32l4r5zi", runtime="x-cube-ai"))
    assert first.tool_calls[0]["args"] == {
        "model": "net.tflite",
        "target": "stm32l4r5zi",
        "runtime": "x-cube-ai",
    }


def test_the_context_line_of_the_message_is_not_read_as_the_question() -> None:
    message = HumanMessage(
        "How fast is kws?\n\nContext: target stm32l4r5zi.", additional_kwargs={"context": {}}
    )
    assert "--target" in reply(message).text


def test_a_question_without_context_is_understood() -> None:
    assert reply(HumanMessage(H743_QUESTION)).tool_calls


def test_call_ids_do_not_repeat_in_a_conversation() -> None:
    first = reply(asked(H743_QUESTION))
    second = reply(
        asked(H743_QUESTION),
        first,
        answered(first.tool_calls[0], {}),
        AIMessage("done"),
        asked("and how fast is it?"),
    )
    assert {c["id"] for c in first.tool_calls}.isdisjoint(c["id"] for c in second.tool_calls)


def test_arguments_that_a_bound_tool_does_not_take_are_left_out() -> None:
    def estimate_performance(model: str, target: str) -> str:
        return f"{model} {target}"

    bound = OfflinePlanner().bind_tools(
        [StructuredTool.from_function(estimate_performance, description="time")]
    )
    call = bound.invoke([asked("How fast is kws on the L4R5 with X-CUBE-AI?")]).tool_calls[0]
    assert call["args"] == {"model": "kws", "target": "stm32l4r5zi"}


def test_tools_that_are_not_bound_are_not_called(tmp_path: Any) -> None:
    only = [tool for tool in as_langchain_tools(VIEWS, Workspace(tmp_path)) if tool.name == "plan_memory"]
    first = OfflinePlanner().bind_tools(only).invoke([asked("How fast is kws on the L4R5?")])
    assert first.tool_calls == []
    assert first.text


def test_a_failed_call_is_answered_with_its_reason() -> None:
    first = reply(asked("How fast is kws on the L4R5 at 900 MHz?"))
    call = first.tool_calls[0]
    error = {
        "tool": call["name"],
        "error": {"message": "It cannot run at 900 MHz.", "hint": "Its maximum is 120 MHz."},
    }
    failed = ToolMessage(json.dumps(error), tool_call_id=call["id"], name=call["name"], status="error")
    final = reply(asked("How fast is kws on the L4R5 at 900 MHz?"), first, failed)
    assert final.text == "It cannot run at 900 MHz. Its maximum is 120 MHz."
    assert final.tool_calls == []


def test_candidates_of_a_failed_call_are_offered() -> None:
    first = reply(asked("yolov8n on the L4R5, does it fit?"))
    call = first.tool_calls[0]
    error = {
        "error": {"message": "Unknown architecture 'yolov8n'.", "hint": "", "candidates": ["vww", "kws"]}
    }
    failed = ToolMessage(json.dumps(error), tool_call_id=call["id"], name=call["name"], status="error")
    assert "vww, kws" in reply(asked("yolov8n on the L4R5, does it fit?"), first, failed).text


def test_a_request_to_repair_is_no_question_of_the_user(tmp_path: Any) -> None:
    question = asked("What is the ridge point of the H743?")
    first = reply(question)
    document = {spec.name: spec for spec in VIEWS}["get_target"].call(
        first.tool_calls[0]["args"], Workspace(tmp_path)
    )
    result = ToolMessage("", tool_call_id=first.tool_calls[0]["id"], name="get_target", artifact=document)
    once = reply(question, first, result)
    again = reply(question, first, result, once, HumanMessage("Write it again.", name=REPAIR))
    assert again.text == once.text


def test_results_are_read_from_the_content_where_there_is_no_artifact(tmp_path: Any) -> None:
    question = asked("How many MACs does kws have?")
    first = reply(question)
    call = first.tool_calls[0]
    document = {spec.name: spec for spec in VIEWS}[call["name"]].call(call["args"], Workspace(tmp_path))
    final = reply(
        question, first, ToolMessage(json.dumps(document), tool_call_id=call["id"], name=call["name"])
    )
    assert "2,656,768 MACs" in final.text


def test_a_result_of_another_version_is_told_and_does_not_crash() -> None:
    first = reply(asked(H743_QUESTION))
    final = reply(asked(H743_QUESTION), first, answered(first.tool_calls[0], {"verdict": "PASS", "new": 1}))
    assert "version" in final.text


def test_no_question_at_all_is_answered_with_what_this_is() -> None:
    assert "neural network" in reply(SystemMessage("be brief")).text


def test_a_very_long_question_is_answered_in_time() -> None:
    assert reply(asked("does kws fit the H743? " + "really " * 30_000 + "1,000 ms")).tool_calls


def test_a_language_models_calls_are_what_a_follow_up_goes_on_from() -> None:
    planned = AIMessage(
        "",
        tool_calls=[
            {"name": "estimate_performance", "args": {"model": "vww", "target": "nrf52840"}, "id": "a"}
        ],
    )
    call = reply(
        asked("hm, what would happen on that tiny bluetooth thing"),
        planned,
        answered(planned.tool_calls[0], {}),
        AIMessage("It takes a while."),
        asked("and how much RAM does it need?"),
    ).tool_calls[0]
    assert (call["name"], call["args"]) == ("plan_memory", {"model": "vww", "target": "nrf52840"})


def test_a_newly_pinned_target_goes_before_that_of_the_turn_before() -> None:
    first = reply(asked("How fast is kws on the L4R5?"))
    second = reply(
        asked("How fast is kws on the L4R5?"),
        first,
        answered(first.tool_calls[0], {}),
        AIMessage("213 ms"),
        asked("and the energy?", target="stm32u575zi"),
    )
    assert second.tool_calls[0]["args"]["target"] == "stm32u575zi"
