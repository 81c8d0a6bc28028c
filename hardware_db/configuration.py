"""What a user sets once: `config.toml` in the configuration directory, and the environment.

hardware_dirs = ["~/boards"]

[llm]
model = "qwen3:8b"                         # or offline
base_url = "http://localhost:11434/v1"
api_key_variable = "MY_SERVER_API_KEY"     # its name: a key itself does not belong into a file
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import UsageError, nearest

DIRECTORY_VARIABLE = "EDGEWRIGHT_CONFIG_DIR"
HARDWARE_VARIABLE = "EDGEWRIGHT_HARDWARE_DIR"
KEYS = ("hardware_dirs", "llm")
LLM_KEYS = ("model", "base_url", "api_key_variable")
SECRET_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*_(?:API_KEY|TOKEN|SECRET|PASSWORD)")
"""Variables whose values are kept out of all that is written."""


@dataclass(frozen=True)
class LlmConfiguration:
    """The table `llm`: a chat model behind an OpenAI-compatible endpoint; None is not set."""

    model: str | None = None
    base_url: str | None = None
    api_key_variable: str | None = None


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
    if not isinstance(table, dict) or not all(isinstance(value, str) for value in table.values()):
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
    return LlmConfiguration(**table)


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
