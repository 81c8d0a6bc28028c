"""What a user sets once: `config.toml` in the configuration directory, and the environment.

hardware_dirs = ["~/boards"]

[llm]
model = "qwen3:8b"                         # or offline
base_url = "http://localhost:11434/v1"
api_key_variable = "MY_SERVER_API_KEY"     # its name: a key itself does not belong into a file
timeout_s = 300                            # longest silence
temperature = 0.0
max_tokens = 2000                          # of a reply
reasoning_effort = "low"
api = "responses"                          # for models that are served under /responses alone
headers = { X-Team = "edge", X-Auth = "$MY_SERVER_TOKEN" }
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import UsageError, nearest

DIRECTORY_VARIABLE = "EDGEWRIGHT_CONFIG_DIR"
HARDWARE_VARIABLE = "EDGEWRIGHT_HARDWARE_DIR"
KEYS = ("hardware_dirs", "llm")
_LLM_TEXTS = ("model", "base_url", "api_key_variable")
_LLM_OPTIONS: dict[str, type] = {
    "timeout_s": float, "temperature": float, "max_tokens": int, "reasoning_effort": str, "api": str,
}  # fmt: skip
"""Key → what it is."""
LLM_KEYS = (*_LLM_TEXTS, *_LLM_OPTIONS, "headers")
_EXAMPLES = 'Such as timeout_s = 300, temperature = 0.2, max_tokens = 2000, api = "chat" or "responses".'
SECRET_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*_(?:API_KEY|TOKEN|SECRET|PASSWORD)")
"""Variables whose values are kept out of all that is written."""


@dataclass(frozen=True)
class LlmConfiguration:
    """The table `llm`: a chat model behind an OpenAI-compatible endpoint; None is not set."""

    model: str | None = None
    base_url: str | None = None
    api_key_variable: str | None = None
    options: Mapping[str, float | int | str] = field(default_factory=dict)
    """`timeout_s`, `temperature`, `max_tokens`, `reasoning_effort`, `api`, as far as they are set."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Sent with every request; $NAME stands for a variable of the environment."""


@dataclass(frozen=True)
class Configuration:
    hardware_dirs: tuple[Path, ...] = ()
    llm: LlmConfiguration = LlmConfiguration()


def configuration_file() -> Path | None:
    """Where the configuration is read from; None where there is no home directory."""
    if chosen := os.environ.get(DIRECTORY_VARIABLE):
        return Path(chosen) / "config.toml"
    try:
        base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    except RuntimeError:
        return None
    return Path(base) / "edgewright" / "config.toml"


def read_configuration() -> Configuration:
    """The user's configuration; what is not set stays at its default.

    Raises:
        UsageError: a file that is no TOML, an unknown key or a value of the wrong form.
    """
    file = configuration_file()
    text = _text_of(file) if file else ""
    data = _toml_in(text, file) if text else {}
    _check_keys(file, data, KEYS)
    directories = data.get("hardware_dirs", [])
    if not isinstance(directories, list) or not all(isinstance(name, str) for name in directories):
        raise UsageError(f"{file}: hardware_dirs is no list of directories.", hint='Write ["~/boards"].')
    listed = os.environ.get(HARDWARE_VARIABLE, "").split(os.pathsep)
    names = [name for name in [*listed, *directories] if name]
    return Configuration(tuple(Path(name).expanduser() for name in names), _llm(file, data.get("llm", {})))


def _toml_in(text: str, file: Path | None) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{file}: not TOML: {error}.", hint="Mend the file or remove it.") from None


def _llm(file: Path | None, table: Any) -> LlmConfiguration:
    if not isinstance(table, dict) or not all(isinstance(table.get(key, ""), str) for key in _LLM_TEXTS):
        raise UsageError(f"{file}: llm is no table of texts.", hint='Write [llm] and below model = "NAME".')
    if "api_key" in table:
        raise UsageError(
            f"{file}: a key does not belong into a file.",
            hint='Put it into a variable of the environment and name that: api_key_variable = "MY_API_KEY".',
        )
    _check_keys(file, table, LLM_KEYS)
    variable = table.get("api_key_variable")
    if variable is not None and not SECRET_VARIABLE.fullmatch(variable):
        raise UsageError(
            f"{file}: api_key_variable is no name of a variable for a key.",
            hint="Its name ends in _API_KEY, _TOKEN, _SECRET or _PASSWORD.",
        )
    texts = {key: table[key] for key in _LLM_TEXTS if key in table}
    options = {key: _option(file, key, table[key]) for key in _LLM_OPTIONS if key in table}
    return LlmConfiguration(**texts, options=options, headers=_headers(file, table.get("headers", {})))


def _option(file: Path | None, key: str, value: Any) -> float | int | str:
    kind = _LLM_OPTIONS[key]
    fits = isinstance(value, (int, float) if kind is float else kind) and not isinstance(value, bool)
    if not fits or (key == "api" and value not in ("chat", "responses")) or (kind is not str and value < 0):
        raise UsageError(f"{file}: llm.{key} cannot be {value!r}.", hint=_EXAMPLES)
    chosen: float | int | str = kind(value)
    return chosen


def _headers(file: Path | None, table: Any) -> Mapping[str, str]:
    if not isinstance(table, dict) or not all(isinstance(text, str) for text in table.values()):
        raise UsageError(
            f"{file}: llm.headers is no table of texts.", hint='Write headers = { Name = "text" }.'
        )
    return table


def _check_keys(file: Path | None, table: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in table:
        if key not in known:
            near = ", ".join(nearest(key, known) or known)
            raise UsageError(f"{file}: unknown key {key!r}.", hint=f"Known: {near}.")


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: cannot be read: {error}.", hint="Mend the file or remove it.") from None
