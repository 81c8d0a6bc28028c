"""Published models with their accuracy on a named dataset, each from a source that was read."""

import csv
import functools
from enum import StrEnum
from pathlib import Path

from ...hardware_db.cited import Closed, Source
from ...hardware_db.errors import UnknownNameError, UsageError, nearest
from ...hardware_db.kept import yaml_in
from ...hardware_db.names import folded
from .language_model import is_language_model, language_model
from .spec import spec_in

FILE = Path(__file__).with_name("published.csv")
SOURCES = Path(__file__).with_name("published_sources.yaml")
ERRORS = frozenset({"WER", "LER"})
"""Metrics of which less is better."""


class Task(StrEnum):
    """What a model is taken for."""

    KEYWORD_SPOTTING = "keyword-spotting"
    IMAGE_CLASSIFICATION = "image-classification"
    PERSON_DETECTION = "person-detection"
    OBJECT_DETECTION = "object-detection"
    SEGMENTATION = "segmentation"
    ASR = "asr"
    ANOMALY = "anomaly"
    TEXT_GENERATION = "text-generation"


ALSO = {
    "kws": Task.KEYWORD_SPOTTING,
    "wake word": Task.KEYWORD_SPOTTING,
    "speech commands": Task.KEYWORD_SPOTTING,
    "classification": Task.IMAGE_CLASSIFICATION,
    "visual wake words": Task.PERSON_DETECTION,
    "presence detection": Task.PERSON_DETECTION,
    "detection": Task.OBJECT_DETECTION,
    "semantic segmentation": Task.SEGMENTATION,
    "instance segmentation": Task.SEGMENTATION,
    "speech recognition": Task.ASR,
    "anomaly detection": Task.ANOMALY,
    "language model": Task.TEXT_GENERATION,
    "llm": Task.TEXT_GENERATION,
}
"""What else people say."""


class _Sources(Closed):
    sources: dict[str, Source]


class PublishedModel(Closed):
    """A row of the file: figures as the source prints them."""

    task: Task
    model: str
    """As the source calls it."""
    architecture: str
    """What Edgewright builds it by; of text generation the name of a language model."""
    dataset: str
    metric: str
    accuracy: float
    """In percent, of an AUC too."""
    precision: str
    """Type that the accuracy was measured in."""
    parameters: str
    """Such as 4.24 M; empty where the source has no such figure."""
    macs: str
    """Such as 569 MMAC or 8.7 GFLOP; empty likewise."""
    licence: str
    """Of the weights; empty where the source does not tell."""
    source: str
    """Key of the sources."""

    @property
    def rank_key(self) -> float:
        """Less is better."""
        return self.accuracy if self.metric in ERRORS else -self.accuracy


def task_named(name: str) -> Task:
    """The task that a name means.

    Raises:
        UnknownNameError: no such task, with the nearest.
    """
    spelt = {folded(task): task for task in Task} | {folded(also): task for also, task in ALSO.items()}
    if folded(name) in spelt:
        return spelt[folded(name)]
    known = [task.value for task in Task]
    raise UnknownNameError("task", name, nearest(name, known), hint=f"Known: {', '.join(known)}.")


@functools.cache
def published_models() -> tuple[PublishedModel, ...]:
    """All rows, in the order of the file: the dataset of a task that comes first is its usual one."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return tuple(PublishedModel.model_validate(row) for row in csv.DictReader(file))


def spelt(name: str) -> tuple[str, str]:
    """A network as the rows spell it, without the width and side that it usually has, and the type named.

    What is not known by name stays as it is.
    """
    if is_language_model(name):
        return language_model(name).id, ""
    try:
        found = spec_in(name)
    except UsageError:
        found = None
    if found is None:
        return name, ""
    architecture, said = found
    width = [] if said.width in (None, architecture.width) else [f"{said.width:g}"]
    side = [] if said.side in (None, architecture.side) else [str(said.side)]
    return ":".join([architecture.name, *width, *side]), said.dtype or ""


def published_of(name: str) -> tuple[PublishedModel, ...]:
    """The rows of a network, those in the type that its name holds, in the order of the file."""
    known_as, precision = spelt(name)
    return tuple(row for row in _by_name().get(known_as, ()) if precision in ("", row.precision))


@functools.cache
def _by_name() -> dict[str, tuple[PublishedModel, ...]]:
    found: dict[str, tuple[PublishedModel, ...]] = {}
    for row in published_models():
        name, _ = spelt(row.architecture)
        found[name] = (*found.get(name, ()), row)
    return found


@functools.cache
def sources() -> dict[str, Source]:
    return _Sources.model_validate(yaml_in(SOURCES)).sources


def datasets_of(task: Task) -> tuple[str, ...]:
    """The usual one first."""
    return tuple(dict.fromkeys(row.dataset for row in published_models() if row.task is task))
