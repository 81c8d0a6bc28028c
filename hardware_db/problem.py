"""What is wrong with a hardware file, where, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .errors import HardwareFileError, YamlPath
from .yaml_reader import Document


@dataclass(frozen=True)
class Problem:
    file: Path
    line: int
    field: str
    what: str
    remedy: str

    @classmethod
    def at(cls, document: Document, path: YamlPath, what: str, remedy: str) -> Problem:
        field = ".".join(str(part) for part in path)
        return cls(document.path, document.line_of(path), field, what, remedy)

    @classmethod
    def of(cls, error: HardwareFileError) -> Problem:
        return cls(Path(error.file), error.line or 1, error.field, error.problem, error.hint)

    def as_error(self) -> HardwareFileError:
        return HardwareFileError(
            self.what, file=self.file, line=self.line, field=self.field, hint=self.remedy
        )

    def __str__(self) -> str:
        return str(self.as_error())
