"""What a user sets once: `config.toml` in the configuration directory, and the environment.

hardware_dirs = ["~/boards"]
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path

from .errors import UsageError, nearest

DIRECTORY_VARIABLE = "EDGEWRIGHT_CONFIG_DIR"
HARDWARE_VARIABLE = "EDGEWRIGHT_HARDWARE_DIR"
KEYS = ("hardware_dirs",)


@dataclass(frozen=True)
class Configuration:
    hardware_dirs: tuple[Path, ...] = ()


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
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{file}: not TOML: {error}.", hint="Mend the file or remove it.") from None
    for key in data:
        if key not in KEYS:
            known = ", ".join(nearest(key, KEYS) or KEYS)
            raise UsageError(f"{file}: unknown key {key!r}.", hint=f"Known: {known}.")
    directories = data.get("hardware_dirs", [])
    if not isinstance(directories, list) or not all(isinstance(name, str) for name in directories):
        raise UsageError(f"{file}: hardware_dirs is no list of directories.", hint='Write ["~/boards"].')
    listed = os.environ.get(HARDWARE_VARIABLE, "").split(os.pathsep)
    return Configuration(tuple(Path(name).expanduser() for name in [*listed, *directories] if name))


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: cannot be read: {error}.", hint="Mend the file or remove it.") from None
