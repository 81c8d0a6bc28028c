"""The three public models that tell most about a new board, and how to measure them there."""

from typing import ClassVar

from ....hardware_db.coefficients.offsets import load_offsets
from ...core.deployment import Deployment, DeploymentRef
from ...core.quantity import Result
from ...cost_model.anchor import sort_of_place
from ...host_runs.host import TARGET as HOST
from .cases import COLUMNS

_MEASURED_BY = (
    ("x-cube-ai", "stedgeai validate --model {model}.tflite --target stm32 --mode target"),
    ("neural-art", "stedgeai validate --model {model}.tflite --target stm32n6 --mode target"),
    ("litert", "benchmark_model --graph={model}.tflite --num_threads={threads}"),
    ("tensorrt", "trtexec --onnx={model}.onnx"),
    ("onnxruntime", "onnxruntime_perf_test -I -r 100 -x {threads} {model}.onnx"),
    ("ncnn", "benchncnn 10 {threads} 0 -1 0 param={model}.param"),
    ("hailort", "hailortcli benchmark {model}.hef"),
    ("openvino", "benchmark_app -m {model}.onnx -hint latency"),
)
"""Beginning of a runtime's id → its own benchmark: ST Edge AI Core's validation on the board, TensorFlow's
benchmark_model, TensorRT's trtexec, ONNX Runtime's perf test, ncnn's benchncnn, HailoRT's and OpenVINO's."""
FIRMWARE = (
    "edgewright code {model}.tflite -t {target} -r {runtime} -o {model}: build it, time the call that runs it"
)


class AnchorModel(Result):
    """One model to measure."""

    model: str
    """Name of the architecture."""
    write: str
    """Command that writes its file."""
    measure: str
    """Command, or firmware, that measures it."""
    line: str
    """Line of the table that `calibrate` reads, but for what was measured."""


class AnchorSet(Result):
    """What to measure on a board so that estimates of all other models gain most."""

    main_rows: ClassVar[str] = "models"

    schema_version: str = "1.0"
    deployment: DeploymentRef
    header: str
    """First line of the table."""
    models: tuple[AnchorModel, ...]
    """The one that tells most comes first."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return ", ".join(each.model for each in self.models)


def anchor_set(place: Deployment) -> AnchorSet:
    """Chosen on published measurements of boards that were left out, by class of hardware."""
    names = load_offsets().anchors.get(sort_of_place(place), ())
    return AnchorSet(
        deployment=place.ref,
        header=",".join(COLUMNS),
        models=tuple(_model(name, place) for name in names),
        assumptions=place.assumptions,
        warnings=() if names else ("too few boards of this class were measured to choose by",),
    )


def _model(name: str, place: Deployment) -> AnchorModel:
    dtype = place.runtime.usual_dtype.value
    row = (
        f"{name}:{dtype}", place.target.id, place.runtime.id, dtype, str(place.batch), str(place.threads),
        f"{place.clock_mhz:g}", "",
    )  # fmt: skip
    return AnchorModel(
        model=name,
        write=f"edgewright models write {name}:{dtype} -o {name}.tflite",
        measure=_measure(name, place),
        line=",".join(row),
    )


def _measure(name: str, place: Deployment) -> str:
    if place.target.id == HOST:
        return f"edgewright profile {name}.tflite --runtime {place.runtime.id}"
    own = next((text for start, text in _MEASURED_BY if place.runtime.id.startswith(start)), FIRMWARE)
    return own.format(model=name, target=place.target.id, runtime=place.runtime.id, threads=place.threads)
