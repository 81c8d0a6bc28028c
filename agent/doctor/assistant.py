"""Who answers questions, where conversations are kept, and what the terminal can show."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ...hardware_db.configuration import LlmConfiguration, read_configuration
from ...hardware_db.errors import EdgewrightError
from ...tools.core.units import show
from ..llm.endpoint_address import HOSTED_URL, checked_url, is_local, key_for, shown_url
from ..llm.endpoint_settings import (
    KEY_VARIABLE,
    MODEL_VARIABLE,
    OFFLINE,
    URL_VARIABLE,
    EndpointSettings,
    endpoint_settings,
)
from ..repl.terminal import has_styles
from ..sessions.store import stored_sessions
from ..sessions.transcript import SESSIONS, STATE_VARIABLE, state_directory
from .findings import Finding, Grade, broken
from .installation import version_of

_SILENCE_S = 10.0


def endpoint(llm: str | None, base_url: str | None, reach: bool) -> Iterator[Finding]:
    """The planner that answers; a key is never shown, only that there is one and where from."""
    try:
        configured = read_configuration().llm
        settings = endpoint_settings(llm, base_url)
        if settings.offline:
            yield _offline(reach)
            return
        url = checked_url(settings.url or HOSTED_URL)
        key = settings.key or key_for(url)
    except EdgewrightError as error:
        yield broken("assistant", "llm", error)
        return
    yield _configured(settings, url, llm, base_url, configured)
    yield _key(settings, url, configured)
    if version_of("langchain-openai") is None:
        yield Finding(
            area="assistant", about="langchain-openai", grade=Grade.PROBLEM,
            found="an endpoint is configured, and langchain-openai is not installed",
            next_step="pip install langchain-openai",
        )  # fmt: skip
    elif reach:
        yield _reached(url, key, settings.model)


def _offline(reach: bool) -> Finding:
    found = "the offline planner answers; no endpoint is configured" + (", so none was asked" * reach)
    step = f"Set {KEY_VARIABLE} or {URL_VARIABLE} to let a language model plan and phrase"
    return Finding(area="assistant", about="llm", grade=Grade.OK, found=found, next_step=step)


def _configured(
    settings: EndpointSettings, url: str, llm: str | None, base_url: str | None, configured: LlmConfiguration
) -> Finding:
    model_from = _origin(llm, "--llm", MODEL_VARIABLE, configured.model)
    url_from = _origin(base_url, "--base-url", URL_VARIABLE, configured.base_url)
    model = f"model {settings.model} ({model_from})" if settings.model else "the model that it offers"
    where = "in the local network" if is_local(url) else "outside the local network"
    found = f"{shown_url(url)} ({url_from}), {where}; {model}"
    return Finding(area="assistant", about="llm", grade=Grade.OK, found=found)


def _origin(flag: str | None, name: str, variable: str, configured: str | None) -> str:
    if flag:
        return f"from {name}"
    if os.environ.get(variable):
        return f"from {variable}"
    return "from the configuration" if configured else "the default"


def _key(settings: EndpointSettings, url: str, configured: LlmConfiguration) -> Finding:
    if not settings.key:
        found = f"none, and {shown_url(url)} is in the local network, where many servers need none"
        return Finding(area="assistant", about="key", grade=Grade.OK, found=found)
    variable = KEY_VARIABLE if os.environ.get(KEY_VARIABLE) else configured.api_key_variable
    return Finding(area="assistant", about="key", grade=Grade.OK, found=f"there is one, from {variable}")


def _reached(url: str, key: str, model: str | None) -> Finding:
    from ..chat_models import served_models

    try:
        served = served_models(url, key, _SILENCE_S)
    except EdgewrightError as error:
        return broken("assistant", "reach", error)
    listed = ", ".join(sorted(served)[:8]) or "none"
    text = f"{shown_url(url)} answers and lists {len(served)} models"
    if model is None or model in served:
        return Finding(area="assistant", about="reach", grade=Grade.OK, found=f"{text}: {listed}")
    return Finding(
        area="assistant", about="reach", grade=Grade.PROBLEM, found=f"{text}, {model} is not one of them",
        next_step=f"Choose with --llm or {MODEL_VARIABLE}: {listed}; or --llm {OFFLINE}",
    )  # fmt: skip


def sessions() -> Iterator[Finding]:
    """Where conversations are kept, and whether another can be."""
    step = f"Set {STATE_VARIABLE} to a directory that can be written, or ask with --no-save"
    try:
        folder = state_directory() / SESSIONS
        stored = stored_sessions()
    except EdgewrightError as error:
        yield broken("sessions", "saved", error)
        return
    except RuntimeError as error:
        yield Finding(area="sessions", about="folder", grade=Grade.PROBLEM, found=str(error), next_step=step)
        return
    size = show(sum(one.bytes for one in stored), "bytes")
    yield Finding(area="sessions", about="saved", grade=Grade.OK, found=f"{len(stored)} in {size}")
    yield _writable("sessions", "folder", folder, step)
    yield _writable(
        "sessions", "temporary folder", Path(tempfile.gettempdir()), "Set TMPDIR to one that can be written"
    )


def _writable(area: str, about: str, folder: Path, step: str) -> Finding:
    """Try in the folder, or in the nearest above that exists; leaves nothing behind."""
    there = next((place for place in (folder, *folder.parents) if place.exists()), folder)
    made = "" if there == folder else f", made when needed in {there}"
    try:
        with tempfile.TemporaryFile(dir=there) as file:
            file.write(b"edgewright")
        free = show(shutil.disk_usage(there).free, "bytes")
    except OSError as error:
        found = f"{folder}{made}: cannot be written: {error.strerror}"
        return Finding(area=area, about=about, grade=Grade.PROBLEM, found=found, next_step=step)
    return Finding(area=area, about=about, grade=Grade.OK, found=f"{folder}{made}, {free} free")


def terminal() -> Iterator[Finding]:
    seen = "a terminal" if sys.stdout.isatty() else "no terminal, so output is plain and chat cannot edit"
    width = shutil.get_terminal_size().columns
    styles = "with" if has_styles(sys.stdout) and "NO_COLOR" not in os.environ else "without"
    text = f"{seen}; {width} columns, {styles} colours"
    why = [f"TERM={os.environ.get('TERM', '')!r}"] + ["NO_COLOR is set"] * ("NO_COLOR" in os.environ)
    yield Finding(area="terminal", about="stdout", grade=Grade.OK, found=f"{text} ({', '.join(why)})")
    encoding = (sys.stdout.encoding or "unknown").casefold()
    unicode = encoding.replace("-", "") == "utf8"
    yield Finding(
        area="terminal", about="encoding", grade=Grade.OK if unicode else Grade.NOTE, found=encoding,
        next_step="" if unicode else "Set PYTHONUTF8=1: characters that it lacks are shown as question marks",
    )  # fmt: skip
