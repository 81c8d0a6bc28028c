from __future__ import annotations

import os
import socket

import pytest


def test_a_test_cannot_reach_the_network() -> None:
    with socket.socket() as client, pytest.raises(RuntimeError, match="only loopback"):
        client.connect(("192.0.2.1", 80))
    with pytest.raises(RuntimeError, match="only loopback"):
        socket.getaddrinfo("example.invalid", 80)


def test_a_test_can_reach_a_server_on_loopback() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname(), timeout=5) as client,
    ):
        assert client.getpeername() == server.getsockname()


def test_a_test_sees_no_key_of_its_environment() -> None:
    assert not [name for name in os.environ if name.endswith("_API_KEY") or name.startswith("OPENAI_")]
