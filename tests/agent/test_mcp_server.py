import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from edgewright.agent.views import VIEWS, View

mcp = pytest.importorskip("mcp")
anyio = pytest.importorskip("anyio")
from mcp import types  # noqa: E402
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client  # noqa: E402

from edgewright.agent import mcp_server  # noqa: E402
from edgewright.agent.mcp_server import build_server  # noqa: E402
from edgewright.agent.web.loopback import LARGEST_BODY_BYTES, guarded  # noqa: E402

KWS = {"model": "kws", "target": "stm32h743zi"}


def with_client(
    do: Callable[[Any], Awaitable[Any]],
    directory: Path,
    roots: list[Path] | None = None,
    *,
    trusted: bool = True,
) -> Any:
    async def listed(_: Any) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=root.as_uri()) for root in roots or []])

    async def run() -> Any:
        more = {} if roots is None else {"list_roots_callback": listed}
        async with mcp.Client(build_server(directory, trusts_roots=trusted), **more) as client:
            return await do(client)

    return anyio.run(run)


def called(name: str, arguments: dict[str, Any], directory: Path, roots: list[Path] | None = None) -> Any:
    async def do(client: Any) -> Any:
        return await client.call_tool(name, arguments)

    return with_client(do, directory, roots)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    from edgewright.tools import parse_model
    from edgewright.tools.model_formats.writer.save import save_tflite

    save_tflite(parse_model("kws:int8"), tmp_path / "kws.tflite")
    return tmp_path / "kws.tflite"


def test_every_tool_is_offered_with_its_schema(tmp_path: Path) -> None:
    async def do(client: Any) -> Any:
        return await client.list_tools()

    offered = {tool.name: tool for tool in with_client(do, tmp_path).tools}
    assert set(offered) == {spec.name for spec in VIEWS}
    for spec in VIEWS:
        assert offered[spec.name].input_schema == spec.schema
        assert offered[spec.name].annotations.read_only_hint


def test_a_call_returns_the_document_of_the_command_line(tmp_path: Path) -> None:
    from edgewright.tools import deployment, estimate_performance

    result = called("estimate_performance", KWS, tmp_path)
    assert not result.is_error
    document = result.structured_content
    assert json.loads(result.content[0].text) == document
    wanted = estimate_performance("kws", deployment("stm32h743zi")).latency_ms.value
    assert document["result"]["latency_ms"]["value"] == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("estimate_performance", {"model": "kws", "target": "stm32h743zz9"}, "stm32h743zi"),
        ("estimate_performance", {"model": "kws", "target": "h743", "speed": 3}, "speed"),
        ("evalute", KWS, "evaluate"),
        ("parse_model", {"model": "missing.tflite"}, "no model file"),
    ],
)
def test_an_error_tells_the_reason_and_what_was_perhaps_meant(
    tmp_path: Path, name: str, arguments: dict[str, Any], told: str
) -> None:
    result = called(name, arguments, tmp_path)
    assert result.is_error
    assert told in result.content[0].text
    assert "Traceback" not in result.content[0].text


def test_models_are_read_inside_the_directory_only(model: Path, tmp_path: Path) -> None:
    inside = called("parse_model", {"model": "kws.tflite"}, tmp_path)
    assert not inside.is_error
    (tmp_path / "elsewhere").mkdir()
    outside = called("parse_model", {"model": str(model)}, tmp_path / "elsewhere")
    assert outside.is_error
    assert "outside the working directory" in outside.content[0].text


def test_roots_of_the_client_take_the_place_of_the_directory(model: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    home = tmp_path / "elsewhere"
    assert not called("parse_model", {"model": "kws.tflite"}, home, [tmp_path]).is_error
    assert not called("parse_model", {"model": str(model)}, tmp_path, [home, tmp_path]).is_error
    assert called("parse_model", {"model": str(model)}, tmp_path, [home]).is_error


def test_roots_that_are_not_trusted_only_narrow_the_directory(model: Path, tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (inside / "other.tflite").write_bytes(model.read_bytes())

    def opened(path: Path, directory: Path, roots: list[Path]) -> Any:
        async def do(client: Any) -> Any:
            return await client.call_tool("parse_model", {"model": str(path)})

        return with_client(do, directory, roots, trusted=False)

    assert opened(model, inside, [tmp_path]).is_error
    assert opened(model, inside, [Path("/")]).is_error
    assert opened(model, tmp_path, [inside]).is_error
    assert not opened(inside / "other.tflite", tmp_path, [inside]).is_error
    refused = opened(inside / "other.tflite", inside, [outside])
    assert "No root of the client is inside" in refused.content[0].text


def test_an_error_of_ours_is_told_by_name_and_the_server_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: Any) -> None:
        raise KeyError(2)

    monkeypatch.setattr("edgewright.agent.views.View.call", broken)
    answer = called("plan_memory", KWS, tmp_path)
    assert answer.is_error
    assert "KeyError inside the tool: a bug" in answer.content[0].text
    assert "KeyError: 2" in capsys.readouterr().err


def test_a_call_that_takes_too_long_is_told_and_the_server_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = threading.Event()
    monkeypatch.setattr(mcp_server, "LONGEST_S", 2.0)
    real = View.call

    def slow(view: View, arguments: dict[str, Any], workspace: Any) -> Any:
        if arguments == {"slow": True}:
            ends.wait(60)
        return real(view, KWS, workspace)

    async def do(client: Any) -> Any:
        late = await client.call_tool("plan_memory", {"slow": True})
        ends.set()
        return late, await client.call_tool("plan_memory", KWS)

    monkeypatch.setattr(View, "call", slow)
    late, after = with_client(do, tmp_path)
    assert late.is_error
    assert "Not done within 2 s." in late.content[0].text
    assert not after.is_error


def test_progress_is_told_to_who_asks(tmp_path: Path) -> None:
    heard: list[float] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        heard.append(done)

    async def do(client: Any) -> Any:
        return await client.call_tool("plan_memory", KWS, progress_callback=progress)

    with_client(do, tmp_path)
    assert heard == [0, 1]


@pytest.fixture
def http_port() -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "edgewright.cli", "mcp", "--http", "--port", str(port)]
    environment = os.environ | {"EDGEWRIGHT_MCP_TOKEN": "s3cret"}
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, env=environment) as server:
        try:
            for _ in range(300):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            yield port
        finally:
            server.terminate()


def test_the_same_over_http_on_the_loopback(http_port: int) -> None:
    async def run() -> Any:
        address = f"http://127.0.0.1:{http_port}/mcp"
        async with (
            create_mcp_http_client(headers={"Authorization": "Bearer s3cret"}) as sending,
            mcp.Client(streamable_http_client(address, http_client=sending)) as client,
        ):
            return await client.call_tool("parse_model", {"model": "kws"})

    assert anyio.run(run).structured_content["result"]["macs"] == 2_656_768


def test_a_client_with_a_session_of_its_own_is_asked_for_roots_on_the_spot(
    model: Path, tmp_path: Path
) -> None:
    from mcp.client.stdio import StdioServerParameters, stdio_client

    async def listed(_: Any) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=tmp_path.as_uri())])

    async def run() -> Any:
        (tmp_path / "elsewhere").mkdir()
        parameters = StdioServerParameters(
            command=sys.executable, args=["-m", "edgewright.cli", "mcp"], cwd=tmp_path / "elsewhere"
        )
        async with (
            stdio_client(parameters) as (read, write),
            mcp.ClientSession(read, write, list_roots_callback=listed) as session,
        ):
            await session.initialize()
            return await session.call_tool("parse_model", {"model": "kws.tflite"})

    assert anyio.run(run).structured_content["result"]["macs"] == 2_656_768


def test_a_view_returns_its_result_once_as_short_text(tmp_path: Path) -> None:
    result = called("evaluate", {**KWS, "limits": {"latency": "50ms"}}, tmp_path)
    assert not result.is_error
    assert result.structured_content is None
    assert result.content[0].text.startswith("r1 check_constraints kws:int8 · stm32h743zi/tflm-cmsis-nn")


def test_sheets_of_targets_and_layers_of_models_can_be_read(model: Path, tmp_path: Path) -> None:
    async def do(client: Any) -> Any:
        templates = await client.list_resource_templates()
        sheet = await client.read_resource("edgewright://targets/stm32h743zi")
        layers = await client.read_resource("edgewright://layers/kws.tflite")
        nothing = await client.read_resource("edgewright://layers/..%2Fsecret.tflite")
        return [t.uri_template for t in templates.resource_templates], sheet, layers, nothing

    templates, sheet, layers, nothing = with_client(do, tmp_path)
    assert templates == ["edgewright://targets/{target}", "edgewright://layers/{model}"]
    assert "STM32H743" in sheet.contents[0].text
    assert "SOFTMAX" in layers.contents[0].text
    assert "outside the working directory" in nothing.contents[0].text


@pytest.mark.parametrize(
    ("headers", "status"),
    [([], 401), ([(b"authorization", b"Bearer wrong")], 401), ([(b"authorization", b"Bearer s3cret")], 200)],
)
def test_over_http_a_token_is_asked_for_from_every_client(
    headers: list[tuple[bytes, bytes]], status: int
) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def run() -> int:
        sent: list[dict[str, Any]] = []

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        scope = {"type": "http", "path": "/mcp", "headers": [(b"host", b"127.0.0.1:8765"), *headers]}
        await guarded(app, "s3cret", 8765)(scope, None, send)
        return int(sent[0]["status"])

    assert anyio.run(run) == status


@pytest.mark.parametrize("told", [True, False])
def test_over_http_a_request_is_bounded_whether_it_tells_its_length_or_not(told: bool) -> None:
    read = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        while (message := await receive())["type"] == "http.request":
            read.append(len(message["body"]))
        await send({"type": "http.response.start", "status": 400, "headers": []})

    async def run() -> int:
        sent: list[dict[str, Any]] = []

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b" " * (1 << 18), "more_body": True}

        length = [(b"content-length", b"999999999")] if told else []
        headers = [(b"host", b"127.0.0.1:8765"), (b"authorization", b"Bearer s3cret"), *length]
        scope = {"type": "http", "path": "/mcp", "headers": headers}
        await guarded(app, "s3cret", 8765)(scope, receive, send)
        return int(sent[0]["status"])

    assert anyio.run(run) == (413 if told else 400)
    assert sum(read) <= LARGEST_BODY_BYTES
