"""The tools over HTTP on the loopback: the documents of the commands, for who knows the token alone."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from edgewright.agent.registry import TOOLS, tool_named
from edgewright.agent.web import app as app_module
from edgewright.agent.web.calls import served as served_tools
from edgewright.agent.web.loopback import listening
from edgewright.agent.web.work import BusyError, LateError, Work
from edgewright.hardware_db.errors import UsageError
from stubs.serving import Served, served

KWS = "model=kws:int8&target=stm32h743zi"


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def server(directory: Path) -> Iterator[Served]:
    with served(directory) as running:
        yield running


def command(*words: str) -> Any:
    run = subprocess.run(
        [sys.executable, "-m", "edgewright.cli", *words, "--json"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    return json.loads(run.stdout)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (f"/v1/check?{KWS}&latency_ms=5ms", "check kws:int8 -t stm32h743zi --max-latency 5ms"),
        ("/v1/compare?model=kws:int8&targets=stm32h743zi&targets=nrf52840",
         "compare kws:int8 -t stm32h743zi -t nrf52840"),
        ("/v1/targets-list?target_class=npu", "targets list --class npu"),
        ("/v1/parse_model?model=kws:int8", "inspect kws:int8"),
    ],
)  # fmt: skip
def test_a_tool_answers_with_the_document_of_its_command(path: str, words: str, server: Served) -> None:
    answer = server.ask(path)
    assert answer.status == 200
    assert answer.json == command(*words.split())


def test_arguments_come_as_json_too_with_figures_in_the_units_of_their_names(server: Served) -> None:
    asked = {"model": "kws:int8", "target": "stm32h743zi", "latency_ms": 5}
    answer = server.post("/v1/check_constraints", asked)
    assert answer.json["result"] == server.ask(f"/v1/check?{KWS}&latency_ms=5").json["result"]
    assert answer.json["result"]["verdict"] == "FAIL"
    assert answer.status == 200  # a check that fails is an answer


@pytest.mark.parametrize(
    ("path", "status", "code", "said"),
    [
        ("/v1/nothing", 404, 2, "There is no tool 'nothing'"),
        ("/v1/write_report", 404, 2, "Only the command line"),
        ("/nowhere", 404, 2, "Not Found"),
        ("/v1/check?model=kws&target=stm32h9", 422, 3, "Nearest: "),
        ("/v1/check?model=absent.tflite&target=stm32h743zi", 422, 3, "absent.tflite"),
        (f"/v1/check?{KWS}&latency_ms=5kg", 400, 2, "in the wrong unit"),
        (f"/v1/check?{KWS}&latency_ms=-1", 422, 2, "greater than 0"),
        (f"/v1/check?{KWS}&latency=5", 422, 2, "latency_ms"),
        (f"/v1/check?{KWS}&keep_figures=new.json", 422, 2, "There is no argument 'keep_figures'"),
        ("/v1/check?target=stm32h743zi", 400, 2, "No model was named"),
        ("/?model=kws&targets=stm32h9", 422, None, "Nearest: "),
        ("/?model=kws&targets=stm32h743zi&latency_ms=5kg", 400, None, 'value="5kg"'),
        ("/?model=%3Cscript%3E.tflite&targets=stm32h743zi", 422, None, "&lt;script&gt;.tflite"),
    ],
)
def test_an_error_is_a_document_with_the_status_that_http_has_for_it(
    path: str, status: int, code: int | None, said: str, server: Served
) -> None:
    answer = server.ask(path)
    assert answer.status == status
    if code is None:
        assert said in answer.body.decode()
        return
    error = answer.json["error"]
    assert error["code"] == code
    assert said in f"{error['message']} {error['hint']}"
    assert set(error) == {"code", "message", "hint"}


def test_files_are_read_inside_the_directory_alone(server: Served, directory: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.yaml"
    secret.write_text("latency: 5ms\n")
    (directory / "link.yaml").unlink(missing_ok=True)
    (directory / "link.yaml").symlink_to(secret)
    for name in (str(secret), "../secret.yaml", "link.yaml", "~/secret.yaml"):
        for argument in ("budget", "figures", "baseline", "former"):
            answer = server.ask(f"/v1/check?{KWS}&{argument}={name}")
            assert answer.status == 403, (argument, name)
    assert server.ask("/v1/parse_model?model=/etc/passwd").status == 403
    assert server.post("/v1/compare_bundles", {"before": str(secret), "after": "x.zip"}).status == 403


@pytest.mark.parametrize(
    ("headers", "token", "status"),
    [
        ({}, "wrong", 401),
        ({}, "", 401),
        ({"Host": "evil.example"}, "s3cret", 403),
        ({"Origin": "http://evil.example"}, "s3cret", 403),
        ({"Origin": "null"}, "s3cret", 403),
        ({}, "s3cret", 200),
    ],
)
def test_who_knows_no_token_or_comes_from_another_page_is_refused(
    headers: dict[str, str], token: str, status: int, server: Served
) -> None:
    answer = server.ask("/v1", headers=headers, token=token)
    assert answer.status == status
    assert answer.headers["cache-control"] == "no-store"
    assert status == 200 or answer.json["error"]["hint"]


def test_the_page_of_this_origin_is_answered(server: Served) -> None:
    assert server.ask("/v1", headers={"Origin": f"http://127.0.0.1:{server.port}"}).status == 200
    assert server.ask("/s3cret/v1", token="").status == 200
    assert server.ask("/s3cre/v1", token="").status == 401


def test_bodies_are_bounded_and_are_json_objects(server: Served) -> None:
    large = server.ask(
        "/v1/check", b" " * (app_module.MOST_BODY_BYTES + 1), {"Content-Type": "application/json"}
    )
    assert large.status == 413
    assert server.ask("/v1/check", b"[1]", {"Content-Type": "application/json"}).status == 400
    assert server.ask("/v1/check", b"[" * 100_000, {"Content-Type": "application/json"}).status == 400
    assert server.ask("/v1/check", b"model=kws", {"Content-Type": "text/plain"}).status == 415
    assert server.ask("/v1/check", method="DELETE").status == 405


def test_a_body_that_does_not_come_is_not_waited_for(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_module, "BODY_S", 0.2)
    with socket.create_connection(("127.0.0.1", server.port), 10) as slow:
        slow.settimeout(10)
        host = f"Host: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\nContent-Length: 9"
        slow.sendall(f"POST /s3cret/v1/check HTTP/1.1\r\n{host}\r\n\r\n{{".encode())
        assert b"408" in slow.recv(100)


def test_what_is_served_is_every_tool_that_leaves_nothing_behind(server: Served) -> None:
    listed = {row["tool"] for row in server.ask("/v1").json["tools"]}
    assert listed == {tool.function for tool in TOOLS if not tool.writes}
    assert {"write_report", "apply_optimization", "calibrate_target", "run_sweep"}.isdisjoint(listed)


def test_the_description_has_each_tool_with_its_arguments_and_its_result(server: Served) -> None:
    described = server.ask("/openapi.json").json
    assert described["openapi"] == "3.1.0"
    assert set(described["paths"]) == {f"/v1/{tool.function}" for tool in served_tools()}
    schemas = described["components"]["schemas"]
    asked = described["paths"]["/v1/check_constraints"]["post"]["requestBody"]["content"]["application/json"]
    arguments = schemas[asked["schema"]["$ref"].rpartition("/")[2]]
    own = tool_named("check_constraints").arguments.model_fields
    assert set(arguments["properties"]) == set(own) - {"keep_figures"}
    assert schemas["ConstraintReport"]["properties"]["verdict"]
    references = {word.split('"')[0] for word in json.dumps(described).split('"$ref": "#/components/')[1:]}
    for reference in references:
        group, _, name = reference.partition("/")
        assert name in described["components"][group], reference


def test_a_fault_of_ours_is_told_and_the_server_goes_on(
    server: Served, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: Any) -> None:
        raise KeyError(2)

    monkeypatch.setattr(app_module, "called", broken)
    answer = server.ask(f"/v1/check?{KWS}")
    assert (answer.status, answer.json["error"]["code"]) == (500, 1)
    assert "KeyError: 2" in capsys.readouterr().err
    monkeypatch.undo()
    assert server.ask("/v1").status == 200


def test_work_is_bounded_in_number_and_in_time() -> None:
    import asyncio

    async def run() -> None:
        work = Work(1, waits_s=0.05, longest_s=0.1)
        with pytest.raises(LateError):
            await work.done(lambda: time.sleep(0.5))
        with pytest.raises(BusyError):  # what came too late still has its place
            await work.done(lambda: 1)
        await asyncio.sleep(0.6)
        assert await work.done(lambda: 1) == 1

    asyncio.run(run())


def test_a_port_in_use_is_told_with_the_next_free_one() -> None:
    with listening(0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"Port {port} is in use. The next free one: --port ") as error:
            listening(port)
    with listening(int(error.value.hint.rstrip(".").rpartition(" ")[2])):
        pass


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_it_at_once_with_a_listener_and_without_a_trace(tmp_path: Path) -> None:
    environment = os.environ | {"EDGEWRIGHT_TOKEN": "s3cret"}
    words = [sys.executable, "-m", "edgewright.cli", "serve", "kws", "-t", "stm32h743zi", "--port", "0"]
    with subprocess.Popen(
        words, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=tmp_path
    ) as process:
        assert process.stderr is not None
        first = process.stderr.readline()
        port = int(first.split(":")[3].split("/")[0])
        assert "s3cret" not in first
        process.stderr.readline()
        with socket.create_connection(("127.0.0.1", port), 10) as listener:
            ask = f"GET /s3cret/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"
            listener.sendall(ask.encode())
            assert b"200" in listener.recv(100)
            begin = time.monotonic()
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 0
            assert time.monotonic() - begin < 5
        assert (process.stderr.read(), process.stdout and process.stdout.read()) == ("", "")
