from __future__ import annotations

import sys
import traceback

import pytest

from edgewright.agent.chat_models import chat_model
from edgewright.agent.llm.endpoint_address import is_local
from edgewright.agent.llm.endpoint_errors import MalformedToolCallError
from edgewright.hardware_db.errors import EndpointError, UsageError
from stubs.openai_server import OpenAIServer, failure, html, text, tool_call

KEY = "sk-test-0123456789-very-secret"


def test_offline_there_is_no_chat_model(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="No chat model is configured"):
        chat_model()
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with pytest.raises(UsageError, match="No chat model is configured"):
        chat_model("offline")


def test_a_key_alone_configures_the_hosted_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    model, name = chat_model()
    assert model.openai_api_base == "https://api.openai.com/v1"  # type: ignore[attr-defined]
    assert name
    monkeypatch.setenv("OPENAI_MODEL", "my-model")
    assert chat_model()[1] == "my-model"


def test_a_hosted_endpoint_without_a_key_is_a_usage_error() -> None:
    with pytest.raises(
        UsageError, match=r"no key for https://llm\.example\.com/v1.*OPENAI_API_KEY"
    ) as caught:
        chat_model("some-model", "https://user:password@llm.example.com/v1?token=abc")
    assert caught.value.exit_code == 2
    assert "password" not in str(caught.value)
    assert "abc" not in str(caught.value)


def test_a_local_server_needs_no_key() -> None:
    with OpenAIServer([text("Hello.")]) as server:
        model, _ = chat_model("stub", server.base_url)
        assert model.invoke("Hi").text == "Hello."
        assert server.authorizations == ["Bearer none"]


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://localhost:11434/v1", True),
        ("http://127.0.0.1:8000/v1", True),
        ("http://[::1]:8000/v1", True),
        ("http://192.168.1.7/v1", True),
        ("http://gpu-box:8000/v1", True),
        ("http://gpu.local/v1", True),
        ("https://api.openai.com/v1", False),
        ("https://8.8.8.8/v1", False),
    ],
)
def test_local_is_this_machine_and_its_private_network(url: str, local: bool) -> None:
    assert is_local(url) is local


@pytest.mark.parametrize(
    "url", ["localhost:8000", "ftp://host/v1", "http://", "http://[::1/v1", "file:///etc/passwd"]
)
def test_an_address_that_is_none_is_a_usage_error(url: str) -> None:
    with pytest.raises(UsageError, match="OPENAI_BASE_URL"):
        chat_model("some-model", url, KEY)


def test_the_only_model_that_a_server_has_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer([], models=["llama"]) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        assert chat_model()[1] == "llama"


def test_of_several_models_the_user_has_to_choose() -> None:
    with (
        OpenAIServer([], models=["llama", "qwen"]) as server,
        pytest.raises(UsageError, match=r"llama, qwen\. Choose with --llm"),
    ):
        chat_model(None, server.base_url)


def test_a_server_that_is_down_is_an_endpoint_error_before_any_question() -> None:
    with OpenAIServer([]) as server:
        url = server.base_url
    with pytest.raises(EndpointError, match="connection"):
        chat_model(None, url, timeout_s=0.5)


def test_a_missing_extra_is_named_with_its_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "langchain_openai", None)
    with pytest.raises(UsageError, match=r"pip install langchain-openai"):
        chat_model("some-model", "http://localhost:1/v1")


def test_the_key_shows_in_no_repr_and_no_traceback() -> None:
    with OpenAIServer([failure(401, f"wrong key {KEY}")]) as server:
        model, _ = chat_model("stub", server.base_url, KEY, max_retries=0)
        assert KEY not in repr(model)
        assert KEY not in str(model)
        with pytest.raises(EndpointError) as caught:
            model.invoke("Hi")
    assert KEY not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("name", ["gpt-5.6-sol", "some-codex", "gpt-6-luna"])
def test_no_models_name_leads_to_another_protocol(name: str) -> None:
    with OpenAIServer([text("Hello.")]) as server:
        model, _ = chat_model(name, server.base_url)
        tool = {
            "type": "function",
            "function": {"name": "f", "parameters": {"type": "object", "properties": {}}},
        }
        model.bind_tools([tool]).invoke("Hi")
        assert server.paths == ["/v1/chat/completions"]


def test_no_gateway_of_a_third_party_gets_between(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGSMITH_GATEWAY", "http://127.0.0.1:9")
    monkeypatch.setenv("LANGSMITH_GATEWAY_API_KEY", "lsv2_x")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert chat_model("m")[0].openai_api_base == "https://api.openai.com/v1"  # type: ignore[attr-defined]


class TestWithoutStreaming:
    def test_a_reply_without_a_finish_reason_is_cut(self) -> None:
        with OpenAIServer([text("It takes", finish=None)]) as server:
            model, _ = chat_model("stub", server.base_url)
            assert model.invoke("Hi").response_metadata["finish_reason"] == "cut"

    def test_arguments_that_are_a_list_are_malformed(self) -> None:
        with OpenAIServer([tool_call("f", "[1]")]) as server:
            model, _ = chat_model("stub", server.base_url)
            with pytest.raises(MalformedToolCallError):
                model.invoke("Hi")

    def test_a_web_page_is_an_endpoint_error(self) -> None:
        with OpenAIServer([html(200)]) as server:
            model, _ = chat_model("stub", server.base_url)
            with pytest.raises(EndpointError, match="does not speak"):
                model.invoke("Hi")
