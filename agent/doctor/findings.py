"""What a check of the installation found: fine, worth knowing, or broken with the next step."""

from enum import StrEnum

from ...hardware_db.errors import EdgewrightError
from ...tools.core.quantity import Result


class Grade(StrEnum):
    OK = "ok"
    NOTE = "note"
    PROBLEM = "problem"
    """Something that was asked for does not work."""


class Finding(Result):
    area: str
    """installation, extras, hardware, configuration, assistant, sessions, state or terminal."""
    about: str
    grade: Grade
    found: str
    next_step: str = ""


class Diagnosis(Result):
    schema_version: str = "1.0"
    healthy: bool
    """Nothing is a problem; notes do not count."""
    findings: tuple[Finding, ...]
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def broken(area: str, about: str, error: EdgewrightError) -> Finding:
    return Finding(area=area, about=about, grade=Grade.PROBLEM, found=error.message, next_step=error.hint)
