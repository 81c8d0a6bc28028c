"""Code to paste: what sets a model up on its runtime, with the sizes that were planned."""

from __future__ import annotations

from ...hardware_db.errors import InputError, nearest
from ..codegen.firmware_code import FirmwareCode
from ..codegen.generate import code_for
from ..codegen.project import BuildSystem
from ..core.deployment import Deployment
from ..core.renamed import takes_where
from ..placement.model_source import ModelSource, as_graph


@takes_where
def firmware_code(
    model: ModelSource,
    deployment: Deployment | str,
    *,
    one_type: bool = False,
    project: BuildSystem | str | None = None,
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

    Raises:
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
    return code_for(graph, place, one_type, _system(project))


def _system(name: BuildSystem | str | None) -> BuildSystem | None:
    if name is None or name in list(BuildSystem):
        return None if name is None else BuildSystem(name)
    known = nearest(name, list(BuildSystem)) or list(BuildSystem)
    raise InputError(f"No project is written for {name!r}.", hint=f"Try: {', '.join(known)}.")
