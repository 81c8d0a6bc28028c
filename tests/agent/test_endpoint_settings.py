from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from edgewright.agent.chat_models import chat_model
from edgewright.agent.llm.endpoint_address import base_and_query
from edgewright.agent.llm.endpoint_settings import EndpointSettings, endpoint_settings
from edgewright.hardware_db.configuration import DIRECTORY_VARIABLE
from edgewright.hardware_db.errors import UsageError
from stubs.openai_server import OpenAIServer

CANARY = "canary-9876543210"
Configure = Callable[[str], None]
FILE = '[llm]\nmodel = "qwen3"\nbase_url = "http://localhost:11434/v1"\n'


@pytest.fixture
def configure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Configure:
    monkeypatch.setenv(DIRECTORY_VARIABLE, str(tmp_path))
    return lambda text: (tmp_path / "config.toml").write_text(text) and None


def test_the_configuration_file_names_endpoint_and_model(configure: Configure) -> None:
    configure(FILE)
    found = endpoint_settings(environment={})
    assert found == EndpointSettings(offline=False, model="qwen3", url="http://localhost:11434/v1")


@pytest.mark.parametrize(
    ("llm", "base_url", "environment", "model", "url"),
    [
        ("flag", None, {"OPENAI_MODEL": "env"}, "flag", "http://localhost:11434/v1"),
        (None, None, {"OPENAI_MODEL": "env"}, "env", "http://localhost:11434/v1"),
        (None, "http://flag/v1", {"OPENAI_BASE_URL": "http://env/v1"}, "qwen3", "http://flag/v1"),
        (None, None, {"OPENAI_BASE_URL": "http://env/v1"}, "qwen3", "http://env/v1"),
    ],
)
def test_a_flag_wins_over_the_environment_and_that_over_the_file(
    configure: Configure,
    llm: str | None,
    base_url: str | None,
    environment: dict[str, str],
    model: str,
    url: str,
) -> None:
    configure(FILE)
    found = endpoint_settings(llm, base_url, environment=environment)
    assert (found.model, found.url, found.offline) == (model, url, False)


@pytest.mark.parametrize(
    ("text", "llm", "environment", "offline"),
    [
        ("", None, {}, True),
        ("", None, {"OPENAI_MODEL": "m"}, True),
        (FILE, "offline", {}, True),
        ('llm = {model = "offline"}', None, {"OPENAI_API_KEY": "k"}, True),
        ('llm = {model = "offline"}', None, {"OPENAI_BASE_URL": "http://localhost/v1"}, False),
        ('llm = {model = "offline"}', "m", {}, False),
        ("", None, {"OPENAI_API_KEY": "k"}, False),
    ],
)
def test_who_asks_for_no_endpoint_gets_the_planner(
    configure: Configure, text: str, llm: str | None, environment: dict[str, str], offline: bool
) -> None:
    configure(text)
    assert endpoint_settings(llm, environment=environment).offline is offline


def test_a_key_is_taken_from_the_variable_that_the_file_names(configure: Configure) -> None:
    configure(f'{FILE}api_key_variable = "MY_SERVER_API_KEY"\n')
    found = endpoint_settings(environment={"MY_SERVER_API_KEY": CANARY})
    assert found.key == CANARY
    assert CANARY not in repr(found)
    with pytest.raises(UsageError, match="MY_SERVER_API_KEY"):
        endpoint_settings(environment={})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f'[llm]\napi_key = "{CANARY}"', "a key does not belong into a file"),
        (f'[llm]\napi_key_variable = "{CANARY}"', "no name of a variable"),
        ('[llm]\nbase_ulr = "x"', "Known: base_url"),
        ('llm = "qwen3"', r"Write \[llm\]"),
        ("[llm]\nmodel = 3", r"Write \[llm\]"),
    ],
)
def test_a_setting_that_cannot_be_used_is_told_without_its_value(
    configure: Configure, text: str, told: str
) -> None:
    configure(text)
    with pytest.raises(UsageError, match=told) as caught:
        endpoint_settings(environment={})
    assert CANARY not in str(caught.value)


def test_the_model_of_the_file_is_the_one_that_is_asked(
    configure: Configure, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OpenAIServer([]) as server:
        monkeypatch.setenv("MY_API_KEY", CANARY)
        configure(f'[llm]\nbase_url = "{server.base_url}"\napi_key_variable = "MY_API_KEY"\n')
        model, name = chat_model()
    assert name == "stub"
    assert CANARY not in repr(model)


def test_what_a_reply_may_take_is_set_in_the_file(
    configure: Configure, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEAM_TOKEN", CANARY)
    configure(
        FILE + 'timeout_s = 300\ntemperature = 0.2\nmax_tokens = 900\nreasoning_effort = "low"\n'
        'headers = { X-Team = "edge", X-Auth = "$TEAM_TOKEN" }\n'
    )
    model, _ = chat_model()
    sent = model.model_dump()
    assert (sent["request_timeout"], sent["temperature"], sent["max_tokens"]) == (300, 0.2, 900)
    assert sent["reasoning_effort"] == "low"
    assert sent["default_headers"] == {"X-Team": "edge", "X-Auth": CANARY}
    assert CANARY not in repr(endpoint_settings())


@pytest.mark.parametrize("line", ['temperature = "warm"', "max_tokens = -1", 'api = "soap"', "headers = 3"])
def test_a_setting_that_cannot_be_is_refused(configure: Configure, line: str) -> None:
    configure(f"{FILE}{line}\n")
    with pytest.raises(UsageError, match=line.split(" ", maxsplit=1)[0]):
        endpoint_settings(environment={})


@pytest.mark.parametrize(
    ("url", "base", "query"),
    [
        ("http://localhost:8080/v1/chat/completions", "http://localhost:8080/v1", {}),
        ("http://localhost:8080/v1/", "http://localhost:8080/v1", {}),
        (
            "https://x.openai.azure.com/openai/deployments/m/chat/completions?api-version=2026-06-01",
            "https://x.openai.azure.com/openai/deployments/m",
            {"api-version": "2026-06-01"},
        ),
    ],
)
def test_an_address_may_be_that_of_an_example_request(url: str, base: str, query: dict[str, str]) -> None:
    assert base_and_query(url) == (base, query)


def test_azure_gets_its_version_and_its_header(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "https://x.openai.azure.com/openai/v1?api-version=preview"
    sent = chat_model("m", url, CANARY)[0].model_dump()
    assert sent["default_query"] == {"api-version": "preview"}
    assert sent["default_headers"] == {"api-key": CANARY}
