"""What every test stands on: no network, no keys from outside, the models to try things on."""

from __future__ import annotations

import gc
import hashlib
import ipaddress
import os
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from daily import Costs, Daily
from hypothesis import settings

from edgewright.hardware_db.user_files import set_default
from edgewright.tools.core.settings import set_default_redaction

settings.register_profile("edgewright", deadline=None)  # a busy machine is no failure
settings.load_profile("edgewright")
gc.set_threshold(50_000, 10, 10)  # at its usual steps it walks all tests and graphs time and again, in vain

if (
    threading.current_thread() is threading.main_thread()
    and signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # so does a shell start what is to run in the background, and tests press Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)

REPOSITORY = Path(__file__).resolve().parent.parent
_FOREIGN_SETTINGS = ("OPENAI_", "LANGSMITH_", "LANGCHAIN_")


class NetworkBlockedError(RuntimeError):
    """Not an OSError, so that no code under test mistakes it for a server that is down."""


def _is_loopback(host: str | bytes | None) -> bool:
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if name is None or name == "" or name.casefold() == "localhost":
        return True
    try:
        return ipaddress.ip_address(name.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _check(family: int, address: Any) -> None:
    if family in (socket.AF_INET, socket.AF_INET6) and not _is_loopback(address[0]):
        raise NetworkBlockedError(f"a test tried to reach {address!r}; only loopback is allowed")


@pytest.fixture(autouse=True, scope="session")
def _only_loopback() -> Iterator[None]:
    connect, connect_ex, sendto = socket.socket.connect, socket.socket.connect_ex, socket.socket.sendto
    getaddrinfo = socket.getaddrinfo

    def checked_connect(self: socket.socket, address: Any) -> None:
        _check(self.family, address)
        connect(self, address)

    def checked_connect_ex(self: socket.socket, address: Any) -> int:
        _check(self.family, address)
        return connect_ex(self, address)

    def checked_sendto(self: socket.socket, data: bytes, *rest: Any) -> int:
        _check(self.family, rest[-1])
        return sendto(self, data, *rest)

    def checked_getaddrinfo(host: str | bytes | None, *args: Any, **kwargs: Any) -> Any:
        _check(socket.AF_INET, (host,))
        return getaddrinfo(host, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", checked_connect)
        patch.setattr(socket.socket, "connect_ex", checked_connect_ex)
        patch.setattr(socket.socket, "sendto", checked_sendto)
        patch.setattr(socket, "getaddrinfo", checked_getaddrinfo)
        yield


@pytest.fixture(autouse=True)
def _on_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[None]:
    """Each test stands for one process of a user who has neither keys, sessions nor calibrations.

    What one test learns of a board, as `profile` does of this machine, no other answers by. `--hardware-dir`
    holds for a process, as do switches of the release before. One fixture, as thousands of tests set it up.
    """
    for name in list(os.environ):
        if name.endswith("_API_KEY") or name.startswith(_FOREIGN_SETTINGS):
            monkeypatch.delenv(name)
    base, own = tmp_path_factory.getbasetemp(), hashlib.sha256(request.node.nodeid.encode()).hexdigest()[:16]
    monkeypatch.setenv("EDGEWRIGHT_STATE_DIR", str(base / "state"))
    monkeypatch.setenv("EDGEWRIGHT_CONFIG_DIR", str(base / "config" / own))
    yield
    set_default(None)
    set_default_redaction(None)


def pytest_collection_finish() -> None:
    """What was collected stays until the end: no collection of garbage walks through it again."""
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-snapshots", action="store_true", help="store what is computed now as what is expected"
    )
    parser.addoption("--daily", action="store_true", help="leave out what costs much: see tests/daily.py")
    parser.addoption("--write-costs", action="store_true", help="store what every test costs in costs.tsv")


def pytest_configure(config: pytest.Config) -> None:
    for option, plugin in (("--daily", Daily), ("--write-costs", Costs)):
        if config.getoption(option):
            config.pluginmanager.register(plugin())


@pytest.fixture
def update_snapshots(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-snapshots"))


@pytest.fixture(scope="session")
def shared_models() -> Path:
    """Published .tflite files that lie beside the checkout; tests that need them are skipped without."""
    models = REPOSITORY.parent / "shared" / "data" / "models"
    if not models.is_dir():
        pytest.skip(f"no published models at {models}")
    return models
