"""Quantisers and interpreters in processes of their own, with limits of time and memory."""

from __future__ import annotations

import contextlib
import functools
import importlib.metadata
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ....hardware_db.errors import EdgewrightError, InputError, UsageError, install_line
from ...core.isolated import FailedError, run_isolated
from .samples import Array, Samples

SECONDS = 600
RUN_SECONDS = 120
MEASURE_SECONDS = 1.0
MEMORY_BYTES = 16 << 30
_HERE = Path(__file__).parent
_PACKAGES = {".tflite": ("ai-edge-quantizer", "ai-edge-litert"), ".onnx": ("onnxruntime", "onnx")}


class HostRun(NamedTuple):
    """Both models on the same samples on this machine."""

    reference: list[Array]
    changed: list[Array]
    reference_ms: float
    changed_ms: float


@functools.cache
def quantizer(suffix: str) -> str:
    """The library that quantises such files, with its version.

    Raises:
        UsageError: it is not installed.
    """
    try:
        versions = [importlib.metadata.version(name) for name in _PACKAGES[suffix]]
    except importlib.metadata.PackageNotFoundError as error:
        raise UsageError(
            f"Changing a {suffix} file takes {' and '.join(_PACKAGES[suffix])}.",
            hint=f"Install them: {install_line('apply')}.",
        ) from error
    return f"{_PACKAGES[suffix][0]} {versions[0]}"


@contextlib.contextmanager
def workplace(model: bytes, samples: Samples) -> Iterator[Path]:
    """A folder with the model and the samples, which goes afterwards whatever happens.

    Raises:
        EdgewrightError: there is no room for them.
    """
    with tempfile.TemporaryDirectory(prefix="edgewright-apply-") as folder:
        try:
            Path(folder, "model").write_bytes(model)
            np.savez(Path(folder, "samples.npz"), *samples.arrays)
        except OSError as error:
            raise EdgewrightError(
                f"The folder for temporary files has no room for model and samples: {error.strerror}.",
                hint="Free some space, or name another folder in TMPDIR.",
            ) from error
        yield Path(folder)


def quantise(folder: Path, suffix: str, kind: str) -> bytes:
    """
    Raises:
        InputError: the quantiser refuses the model, crashes on it, or does not finish.
    """
    try:
        _work(folder, suffix, {"step": "quantise", "kind": kind}, SECONDS)
        return Path(folder, "changed").read_bytes()
    except (FailedError, OSError) as error:
        text = str(error) if isinstance(error, FailedError) else "it wrote no file"
        raise InputError(
            f"{quantizer(suffix)} does not make {kind} of this model: {text}.",
            hint="Nothing was written. Look at other techniques with `edgewright optimize`.",
        ) from error


def run_both(folder: Path, suffix: str) -> HostRun:
    """
    Raises:
        FailedError: one of the two does not run here.
    """
    _work(folder, suffix, {"step": "run", "seconds": MEASURE_SECONDS}, RUN_SECONDS)
    try:
        answer = json.loads(Path(folder, "answer.json").read_text(encoding="utf-8"))
        with np.load(Path(folder, "outputs.npz"), allow_pickle=False) as loaded:
            found = {name: loaded[name] for name in loaded.files}
        times = answer["latency_ms"]
        return HostRun(_outputs(found, "model"), _outputs(found, "changed"), times["model"], times["changed"])
    except (OSError, ValueError, KeyError) as error:
        raise FailedError("no outputs came back") from error


def _outputs(found: dict[str, Array], name: str) -> list[Array]:
    count = sum(key.startswith(f"{name}_") for key in found)
    return [found[f"{name}_{at}"] for at in range(count)]


def _work(folder: Path, suffix: str, request: dict[str, Any], seconds: int) -> None:
    Path(folder, "request.json").write_text(json.dumps(request), encoding="utf-8")
    worker = _HERE / f"worker_{suffix[1:]}.py"
    run_isolated(worker, folder, seconds=seconds, memory_bytes=MEMORY_BYTES)
