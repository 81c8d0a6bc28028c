"""Accuracy measured on the user's labelled data: of a model file, and of what a change really makes of it."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ....hardware_db.errors import EdgewrightError, InputError, UsageError
from ...core.isolated import FailedError, run_isolated
from ...model_formats.source import parse_model
from .kinds import KINDS
from .measured_accuracy import MeasuredAccuracy
from .process import MEMORY_BYTES, RUN_SECONDS, run_both, workplace
from .samples import Array, Samples, inputs_of, samples_for
from .steps import Changed, changed_by, settled, steps_of

TOP1 = "top-1"
_CALLABLE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_METRIC_WORKER = Path(__file__).with_name("worker_metric.py")
_Z90 = 1.6448536269514722
"""Of the standard normal: 90 % lie within."""


def labelled_samples(path: Path, data: str | os.PathLike[str]) -> Samples:
    """
    Raises:
        UsageError: data that cannot be read, does not fit the model, or has no labels.
    """
    samples = samples_for(inputs_of(parse_model(path), path.read_bytes()), data)
    if samples.labels is None:
        raise UsageError(
            f"{str(data)!r} has no labels.",
            hint="Save whole numbers as `labels` in the .npz, or .npy files in a folder for each class.",
        )
    return samples


def scored(outputs: Sequence[Array], labels: Array, metric: str = TOP1) -> MeasuredAccuracy:
    """
    Raises:
        UsageError: outputs that rank nothing, a metric that is none, or one that fails.
    """
    if metric != TOP1:
        return MeasuredAccuracy(
            metric=metric, value=_own(outputs, labels, metric), low=None, high=None, samples=len(labels)
        )
    ranked = next((each.reshape(len(each), -1) for each in outputs if each[0].size > 1), None)
    if ranked is None:
        raise UsageError(
            "The model's outputs rank no classes: there is no top-1.",
            hint="Name a metric of your own as MODULE:FUNCTION.",
        )
    right = int((ranked.argmax(axis=1) == labels.astype(np.int64)).sum())
    low, high = wilson(right, len(labels))
    return MeasuredAccuracy(metric=TOP1, value=right / len(labels), low=low, high=high, samples=len(labels))


def wilson(right: int, count: int) -> tuple[float, float]:
    """90 % interval of a share (E. B. Wilson, JASA 22, 1927)."""
    share, z2 = right / count, _Z90**2
    middle = (share + z2 / (2 * count)) / (1 + z2 / count)
    half = _Z90 * math.sqrt(share * (1 - share) / count + z2 / (4 * count**2)) / (1 + z2 / count)
    return min(share, max(0.0, middle - half)), max(share, min(1.0, middle + half))


def changed_content(file: Path, samples: Samples, technique: str | None) -> tuple[bytes, Samples]:
    """What a change makes of a file, with samples that fit that; the file itself where nothing is changed.

    Raises:
        UsageError: a change that cannot be applied to it.
        InputError: the quantiser fails on it.
    """
    content = file.read_bytes()
    if technique is None:
        return content, samples
    suffix, graph = file.suffix.casefold(), parse_model(file)
    name = settled(technique, suffix, Changed(content, graph, samples), lambda _: None)
    changed = changed_by(steps_of(name, suffix), content, graph, samples)
    return changed.content, changed.samples


def measured_accuracy(
    path: str | os.PathLike[str],
    data: str | os.PathLike[str],
    *,
    technique: str | None = None,
    metric: str | None = None,
) -> MeasuredAccuracy:
    """Run a model file, or what a change makes of it, on labelled data.

    Args:
        path: a .tflite or .onnx file.
        data: a .npz with an array for each input and `labels`, or a folder with a folder for each class.
        technique: a change that can be applied, such as int8; None measures the file as it is.
        metric: MODULE:FUNCTION, called with the outputs and the labels; None counts the largest output.

    Raises:
        UsageError: no such file, no labels, a change or a metric that does not apply.
        InputError: the model or what was made of it does not run here.

    Example:
        >>> import numpy as np
        >>> np.savez("labelled.npz", x=np.zeros((8, 49, 10, 1), np.float32), labels=np.zeros(8, int))
        >>> measured_accuracy("kws-float32.tflite", "labelled.npz").samples
        8
    """
    file = model_file(path)
    samples = labelled_samples(file, data)
    changed, fitting = changed_content(file, samples, technique)
    with workplace(file.read_bytes(), samples, changed, fitting) as folder:
        return accuracy_in(folder, file, samples, metric)


def model_file(path: str | os.PathLike[str]) -> Path:
    """Raises UsageError where it is no file that can be run."""
    file = Path(path)
    if file.suffix.casefold() not in KINDS or not file.is_file():
        raise UsageError(f"{str(path)!r} is no .tflite or .onnx file: its accuracy cannot be measured.")
    return file


def accuracy_in(folder: Path, file: Path, samples: Samples, metric: str | None) -> MeasuredAccuracy:
    """Of the changed file in the workplace, run beside the one it was.

    Raises:
        InputError: one of the two does not run here.
    """
    assert samples.labels is not None
    try:
        run = run_both(folder, file.suffix.casefold())
    except FailedError as error:
        raise InputError(f"{file.name} does not run on this machine: {error}.") from error
    return scored(run.changed, samples.labels, metric or TOP1)


def _own(outputs: Sequence[Array], labels: Array, metric: str) -> float:
    """The user's function, in a process of its own that looks for it in the working directory too."""
    if not _CALLABLE.fullmatch(metric):
        raise UsageError(f"{metric[:80]!r} is no metric.", hint="Write it as MODULE:FUNCTION.")
    samples = Samples(tuple(np.asarray(each) for each in (*outputs, labels)), "")
    try:
        with workplace(b"", samples) as folder:
            request = {"metric": metric, "path": str(Path.cwd())}
            Path(folder, "request.json").write_text(json.dumps(request), encoding="utf-8")
            run_isolated(_METRIC_WORKER, folder, seconds=RUN_SECONDS, memory_bytes=MEMORY_BYTES)
            value = float(json.loads(Path(folder, "answer.json").read_text(encoding="utf-8")))
    except (FailedError, OSError, ValueError, TypeError) as error:
        why = str(error) if isinstance(error, FailedError) else "it gave no number"
        raise UsageError(f"The metric {metric} failed: {why}.", hint="It takes outputs, labels.") from error
    if not math.isfinite(value):
        raise EdgewrightError(f"The metric {metric} gave {value}, which is no figure.")
    return value
