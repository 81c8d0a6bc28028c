"""Questions with what a right answer has to do, from YAML; the files are input like any other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from edgewright.hardware_db.errors import InputError
from edgewright.hardware_db.yaml_reader import read_yaml

QUESTIONS = Path(__file__).with_name("questions.yaml")
HARD = Path(__file__).with_name("hard_questions.yaml")
"""Asked unseen once, and learned from since."""
HELD_OUT = Path(__file__).with_name("held_out.yaml")
"""On these no rule of the offline planner was ever tuned."""


def _typed(told: Any) -> Any:
    """A number where the text is one: files are read as text."""
    if isinstance(told, list):
        return [_typed(part) for part in told]
    for kind in (int, float):
        try:
            return kind(told)
        except (TypeError, ValueError):
            continue
    return told


Scalar = Annotated[int | float | str, BeforeValidator(_typed)]
Scalars = Annotated[int | float | str | list[int | float | str], BeforeValidator(_typed)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Renamed(_Part):
    """A model file with other names of tensors, by their index."""

    file: str
    of: str
    tensors: dict[int, str]

    @field_validator("file", "of")
    @classmethod
    def _is_a_name(cls, name: str) -> str:
        return _file_name(name)


class Context(_Part):
    model: str | None = None
    target: str | None = None
    runtime: str | None = None
    files: dict[str, str] = Field(default_factory=dict)
    """More files in the working directory; a model's name with no text is that model."""
    renamed: Renamed | None = None

    @field_validator("files")
    @classmethod
    def _are_names(cls, files: dict[str, str]) -> dict[str, str]:
        return {_file_name(name): text for name, text in files.items()}


class Expected(_Part):
    tools: tuple[str, ...] | None = None
    """None: not graded; empty: right without any call."""
    accept: tuple[str, ...] = ()
    args: dict[str, Scalars] = Field(default_factory=dict)


class Turn(_Part):
    question: str
    target: str | tuple[str, ...] | None = None
    candidates: tuple[str, ...] = ()
    expected: Expected = Expected()
    verdict: str | tuple[str, ...] | None = None
    value: dict[str, Scalar] = Field(default_factory=dict)
    range: dict[str, tuple[float, float]] = Field(default_factory=dict)
    must: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()

    @property
    def targets(self) -> tuple[str, ...]:
        return (self.target,) if isinstance(self.target, str) else self.target or ()

    @property
    def verdicts(self) -> tuple[str, ...]:
        return (self.verdict,) if isinstance(self.verdict, str) else self.verdict or ()


class Case(_Part):
    """One conversation."""

    id: str
    kind: str
    context: Context = Context()
    turns: tuple[Turn, ...] = Field(min_length=1)

    @model_validator(mode="before")
    @classmethod
    def _one_question_is_one_turn(cls, told: Any) -> Any:
        if isinstance(told, dict) and "turns" not in told:
            return {**told, "turns": [told], "context": told.get("context") or {}}
        return told


def load_cases(path: Path, only: Sequence[str] = ()) -> tuple[Case, ...]:
    """The conversations of a file.

    Args:
        path: a YAML list, in the form that `questions.yaml` describes.
        only: ids or kinds; empty takes all.

    Raises:
        InputError: no such file, no such list, or nothing of it is left.
    """
    told = read_yaml(path).data
    if not isinstance(told, list):
        raise InputError(f"{path.name} is no list of questions.", hint="`make eval ARGS=--help` says more.")
    cases = tuple(_case(entry, position, path.name) for position, entry in enumerate(told, 1))
    chosen = tuple(case for case in cases if not only or {case.id, case.kind} & set(only))
    if not chosen:
        kinds = ", ".join(sorted({case.kind for case in cases}))
        raise InputError(f"{path.name} has no question of that id or kind.", hint=f"Its kinds: {kinds}.")
    return chosen


def _case(entry: Any, position: int, name: str) -> Case:
    try:
        return Case.model_validate(entry)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"Entry {position} of {name}: {where}: {first['msg']}.") from None


def _file_name(name: str) -> str:
    if PurePath(name).name != name or "\\" in name or "\0" in name:
        raise ValueError("a file is named without a folder")
    return name
