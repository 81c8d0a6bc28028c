"""Where a conversation works: its directory, what its flags name, and the files its tools may read."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..hardware_db.errors import InputError, UsageError
from ..tools.model_formats.recognised import MODEL_SUFFIXES
from .patterns import compiled

if TYPE_CHECKING:
    from ..tools.core.settings import Settings
    from .answer import ToolCallRecord

_LONGEST_NAME = 80
_LONGEST_PATH = 4096
_QUOTED = compiled(r"\"([^\"\n]+)\"|'([^'\n]+)'|`([^`\n]+)`")
_WORD = compiled(r"[^\s\"'`<>|]+")
_RECORD_ID = compiled(r"r([1-9][0-9]{0,8})")
_BEFORE_A_WORD, _AFTER_A_WORD = "([{", ".,;:!?)]}"


class FileNotAllowedError(InputError):
    """A path outside the working directory that the user never named."""


def cleaned_name(name: str) -> str:
    """A name fit for a prompt: word characters, dots, dashes and slashes only, on one line, cut to length."""
    return re.sub(r"[^\w.@+/~:#-]", "_", name)[:_LONGEST_NAME]


@dataclass
class Workspace:
    """A directory with the defaults of its conversation.

    Tools read inside `directory` and what the user named, in a flag or in a question; nothing else.
    """

    directory: Path = field(default_factory=Path.cwd)
    model: str | None = None
    """Model file or named architecture, taken where a tool call names none."""
    target: str | None = None
    runtime: str | None = None
    limits: Mapping[str, float] = field(default_factory=dict)
    """Limits by the names that tools take, such as `latency_ms`, for calls that name none of their kind."""
    settings: Settings | None = None
    """What of the user's environment tools count; None has them read it."""
    roots: tuple[Path, ...] = ()
    """Directories beside `directory` that tools may read in."""
    _named: set[Path] = field(default_factory=set, repr=False)
    _records: int = field(default=0, repr=False)
    _counting: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def __post_init__(self) -> None:
        self.directory = Path(self.directory).resolve()
        if self.model is not None:
            self.pin(self.model)

    def pin(self, model: str) -> None:
        """Make `model` the conversation's; the user named it, so it may be read wherever it lies."""
        self.model = model
        self.allow(model)

    def allow(self, name: str | os.PathLike[str] | None) -> None:
        """Let tools read this file, wherever it lies; the user named it."""
        if name is not None and (path := self._absolute(self._with_signature(str(name))[0])) is not None:
            self._named.add(path)

    @property
    def own_hardware(self) -> tuple[Path, ...] | None:
        """Directories of the user's own hardware; None reads the environment."""
        return None if self.settings is None else self.settings.hardware_directories

    @property
    def context(self) -> dict[str, str | None]:
        """The defaults under names that are fit for a prompt; limits only where there are any."""
        named = {
            "model": self._shown_model,
            "target": None if self.target is None else cleaned_name(self.target),
            "runtime": None if self.runtime is None else cleaned_name(self.runtime),
        }
        limits = " ".join(f"{name}={value:.15g}" for name, value in self.limits.items())
        return named | {"limits": limits} if limits else named

    @property
    def pinned(self) -> dict[str, Any]:
        """The defaults as they can be pinned again elsewhere: a file by its whole path."""
        model = self.model
        if model is not None and self._looks_like_a_path(model):
            model = str(self._absolute(model) or model)
        named = {"model": model, "target": self.target, "runtime": self.runtime}
        return named | {"limits": dict(self.limits)} if self.limits else named

    @staticmethod
    def knows_architecture(name: str) -> bool:
        """Whether a network goes by this name, which may say its width, side and type."""
        from ..tools.model_zoo.named import is_architecture

        return is_architecture(name)

    def note(self, user_text: str) -> None:
        """Allow the existing files that the user's own words name."""
        for word in _words(user_text):
            if os.sep not in word and not word.startswith("~"):
                continue
            path = self._absolute(self._with_signature(word)[0])
            if path is not None and (_is_file(path) or path.suffix == ".mlpackage"):
                self._named.add(path)

    def record(
        self,
        function: str,
        arguments: Mapping[str, Any],
        result: Mapping[str, Any] | None,
        error: str | None = None,
    ) -> ToolCallRecord:
        """A function that ran, under the next id of the conversation: r1, r2, …

        Args:
            function: its name in `edgewright.tools`.
            arguments: what it ran with, the conversation's defaults included.
            result: as JSON data; None where `error` says why there is none.
            error: why it failed, in words.
        """
        with self._counting:
            self._records += 1
            number = self._records
        return {
            "id": f"r{number}",
            "name": function,
            "arguments": dict(arguments),
            "result": None if result is None else dict(result),
            "error": error,
        }

    def count_on_from(self, ids: Iterable[str]) -> None:
        """Have the next record come after these, of a conversation that is gone on with."""
        numbers = [int(match[1]) for match in map(_RECORD_ID.fullmatch, ids) if match]
        with self._counting:
            self._records = max([self._records, *numbers])

    def model_source(self, name: str | None) -> str:
        """What the tools should take for the model: an allowed path, or an architecture's name.

        Raises:
            UsageError: no model is named anywhere.
            InputError: what can be no path, or lies outside the directory and was not named by the user.
        """
        if name is None or (self.model is not None and name == self._shown_model):
            name = self.model
        if not name:
            raise UsageError(
                "No model was named.", hint="Name a model file or a known architecture, or give --model."
            )
        file, mark, signature = self._with_signature(name)
        return self.file(file) + mark + signature if self._looks_like_a_path(file) else name

    def file(self, name: str) -> str:
        """The path of a file that may be read.

        Raises:
            InputError: what can be no path, or lies outside the directory and was not named by the user.
        """
        path = self._absolute(name)
        if path is None:
            raise InputError(f"{cleaned_name(name)} is no path.", hint="Give the path of a file.")
        inside_any = any(path.is_relative_to(root) for root in (self.directory, *self.roots))
        if path not in self._named and not inside_any:
            raise FileNotAllowedError(
                f"{cleaned_name(name)} lies outside the working directory.",
                hint="Files outside are read where the user names them: with --model or in a question.",
            )
        inside = self.directory == Path.cwd() and path.is_relative_to(self.directory)
        return str(path.relative_to(self.directory) if inside else path)

    def target_name(self, name: str | None) -> str:
        """The target of a call, or the conversation's.

        Raises:
            UsageError: neither names one.
        """
        chosen = name or self.target
        if not chosen:
            raise UsageError("No target was named.", hint="Name a chip or board, or give --target.")
        return chosen

    @property
    def _shown_model(self) -> str | None:
        if self.model is None:
            return None
        return cleaned_name(Path(self.model).name if self._looks_like_a_path(self.model) else self.model)

    def _looks_like_a_path(self, name: str) -> bool:
        if (
            any(mark in name for mark in ("/", "\\", "\0", "~"))
            or Path(name).suffix.lower() in MODEL_SUFFIXES
        ):
            return True
        return _is_file(self._absolute(name)) or _is_file(Path(name))

    def _with_signature(self, name: str) -> tuple[str, str, str]:
        """A file, and the signature that is named behind it where the file is not called so as it is."""
        if "#" not in name or _is_file(self._absolute(name)):
            return name, "", ""
        file, mark, signature = name.rpartition("#")
        return file, mark, signature

    def _absolute(self, name: str) -> Path | None:
        """`name` as a path, with links followed, so that none leads out of the directory unseen."""
        if "\0" in name or len(name) > _LONGEST_PATH:
            return None
        try:
            return (self.directory / Path(name).expanduser()).resolve()
        except (OSError, RuntimeError, ValueError):
            return None


def _is_file(path: Path | None) -> bool:
    try:
        return path is not None and path.is_file()
    except (OSError, ValueError):
        return False


def _words(text: str) -> Iterator[str]:
    for match in _QUOTED.finditer(text):
        yield next(group for group in match.groups() if group)
    for word in _WORD.findall(text):
        yield word.lstrip(_BEFORE_A_WORD).rstrip(_AFTER_A_WORD)
