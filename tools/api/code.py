"""Code to paste: what sets a model up on its runtime, with the sizes that were planned."""

from __future__ import annotations

from ...hardware_db.errors import InputError, UsageError, nearest
from ..codegen.firmware_code import FirmwareCode
from ..codegen.generate import Wanted, can_measure_itself, code_for
from ..codegen.instrumented import Instrument
from ..codegen.project import BuildSystem
from ..core.deployment import Deployment
from ..core.renamed import takes_where
from ..graph import ModelGraph
from ..host_runs.golden import instrument_for
from ..model_formats.origins import file_of
from ..model_formats.writer.tflite import write_tflite
from ..placement.model_source import ModelSource, as_graph


@takes_where
def firmware_code(
    model: ModelSource,
    deployment: Deployment | str,
    *,
    one_type: bool = False,
    project: BuildSystem | str | None = None,
    instrument: bool = False,
) -> FirmwareCode:
    """Write the code that runs a model, or tell the command that makes it.

    With TFLite Micro: the arena's size with what set-up takes, the resolver with exactly the operators of the
    model, the interpreter, inputs and outputs. The model's file is called model.tflite there.

    Args:
        model: a graph, a path or the name of an architecture.
        deployment: a deployment, or a target's name for its usual runtime.
        one_type: link kernels of one type alone where the library offers them (CMSIS-NN) and all operators of
            a kind have it.
        project: write a whole project that esp-idf, platformio or zephyr builds; for an ESP32 one of ESP-IDF
            is written anyway.
        instrument: firmware that times each operator, answers `profile_on_board` over a serial line, and
            holds inputs with outputs that were computed of them here, to compare with (docs/board.md).

    Raises:
        UsageError: firmware that measures itself for a runtime other than TFLite Micro.
        InputError: a model, target or build system that cannot be used.

    Example:
        >>> board = deployment("stm32h743zi", "tflm-cmsis-nn")
        >>> code = firmware_code("kws.tflite", board)
        >>> list(code.files), code.arena_bytes
        (['model_runner.h', 'model_runner.cc'], 22848)
        >>> code.operators[:2]
        ('AddConv2D', 'AddDepthwiseConv2D')
    """
    graph, place = as_graph(model, deployment)
    measured = _instrument(graph, model, place) if instrument else None
    return code_for(graph, place, Wanted(one_type, _system(project), measured))


def _instrument(graph: ModelGraph, model: ModelSource, place: Deployment) -> Instrument | None:
    if not can_measure_itself(place):
        raise UsageError(
            f"Firmware that measures itself is written for TFLite Micro, not for {place.runtime.id}.",
            hint="Name such a runtime: --runtime tflm-cmsis-nn; or import what your own firmware logs.",
        )
    if graph.format == "onnx":
        return None
    if graph.format == "architecture":
        return instrument_for(graph, write_tflite(graph))
    content = bytes(model) if isinstance(model, bytes) else file_of(graph)
    if content is None:
        raise UsageError(
            "What the firmware runs has to be a file as it is.", hint="Save the model, and name its path."
        )
    return instrument_for(graph, content)


def _system(name: BuildSystem | str | None) -> BuildSystem | None:
    if name is None or name in list(BuildSystem):
        return None if name is None else BuildSystem(name)
    known = nearest(name, list(BuildSystem)) or list(BuildSystem)
    raise InputError(f"No project is written for {name!r}.", hint=f"Try: {', '.join(known)}.")
