"""Quantisers and interpreters in processes of their own, with limits of time and memory."""

from __future__ import annotations

import contextlib
import functools
import importlib.metadata
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ....hardware_db.errors import EdgewrightError, InputError, UsageError, install_line
from ...core.isolated import FailedError, run_isolated, worker_folder
from .samples import Array, Samples

SECONDS = 600
RUN_SECONDS = 120
MEASURE_SECONDS = 1.0
MEMORY_BYTES = 16 << 30
_HERE = Path(__file__).parent
_ONNX_STRUCTURE = f"{__package__}.worker_onnx_structure"
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
def workplace(
    model: bytes, samples: Samples, changed: bytes | None = None, fitting: Samples | None = None
) -> Iterator[Path]:
    """A folder with the model and the samples, which goes afterwards whatever happens.

    Args:
        changed: another model, to run beside it.
        fitting: samples for that one, where its inputs are of other shapes.

    Raises:
        EdgewrightError: there is no room for them.
    """
    with worker_folder("apply") as folder:
        try:
            Path(folder, "model").write_bytes(model)
            np.savez(Path(folder, "samples.npz"), *samples.arrays)
            if changed is not None:
                Path(folder, "changed").write_bytes(changed)
            if fitting is not None and fitting is not samples:
                np.savez(Path(folder, "changed.npz"), *fitting.arrays)
        except OSError as error:
            raise EdgewrightError(
                f"The folder for temporary files has no room for model and samples: {error.strerror}.",
                hint="Free some space, or name another folder in TMPDIR.",
            ) from error
        yield Path(folder)


def quantise(folder: Path, suffix: str, kind: str, keep: Sequence[int] = ()) -> bytes:
    """
    Args:
        folder: a workplace, in which the result is left too.
        keep: operators of a .tflite file that stay as they are.

    Raises:
        InputError: the quantiser refuses the model, crashes on it, or does not finish.
    """
    try:
        _work(folder, suffix, {"step": "quantise", "kind": kind, "keep": list(keep)}, SECONDS)
        return Path(folder, "changed").read_bytes()
    except (FailedError, OSError) as error:
        text = str(error) if isinstance(error, FailedError) else "it wrote no file"
        raise InputError(
            f"{quantizer(suffix)} does not make {kind} of this model: {text}.",
            hint="Nothing was written. Look at other techniques with `edgewright optimize`.",
        ) from error


def restructure(folder: Path, request: dict[str, Any], name: str) -> bytes:
    """An .onnx file with other channels, inputs or nodes.

    Raises:
        InputError: it cannot be done to the model in the folder, or what comes out does not run.
    """
    try:
        Path(folder, "request.json").write_text(json.dumps(request), encoding="utf-8")
        run_isolated(_ONNX_STRUCTURE, folder, seconds=SECONDS, memory_bytes=MEMORY_BYTES)
        return Path(folder, "changed").read_bytes()
    except (FailedError, OSError) as error:
        text = str(error) if isinstance(error, FailedError) else "it wrote no file"
        raise InputError(
            f"{name} makes no model that runs of this one: {text}.", hint="Nothing was written."
        ) from error


def noise_by_layer(folder: Path) -> dict[int, tuple[float, float]]:
    """Operator of a .tflite file → sums of squares: of its output, and of what the changed file's differs by.

    Raises:
        FailedError: one of the two does not run here.
    """
    _work(folder, ".tflite", {"step": "layers"}, RUN_SECONDS)
    try:
        answer = json.loads(Path(folder, "answer.json").read_text(encoding="utf-8"))
        return {int(op): (float(signal), float(noise)) for op, (signal, noise) in answer.items()}
    except (OSError, ValueError) as error:
        raise FailedError("no outputs came back") from error


def run_both(folder: Path, suffix: str, seconds: float | None = None) -> HostRun:
    """
    Args:
        seconds: how long each is timed.

    Raises:
        FailedError: one of the two does not run here.
    """
    timed = MEASURE_SECONDS if seconds is None else seconds
    _work(folder, suffix, {"step": "run", "seconds": timed}, RUN_SECONDS)
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
