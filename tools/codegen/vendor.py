"""Runtimes whose own tool writes the program: the command that does it.

- ST Edge AI Core, command-line interface (stedgeai-dc.st.com embedded-docs, 2.2.0): generate, its targets
  named by STM32 series, --st-neural-art for the NPU.
- Vela: --accelerator-config and --output-dir of ethos-u-vela 5.2.0 (ethosu/vela/vela.py); it writes
  MODEL_vela.tflite.
- Edge TPU Compiler (coral.ai/docs/edgetpu/compiler): writes MODEL_edgetpu.tflite beside the caller.
- Torq: torq-compile, iree-run-module, annotate_profiling.py and their flags, synaptics-torq/torq-compiler
  doc/user-manual/model_conversion.md (2ad2bc7) and profiling.md (0776e6c).
- TinyEngine: examples/vww.py of mit-han-lab/tinyengine.
"""

from __future__ import annotations

import re

from ..core.deployment import Deployment
from ..ethos_u.configurations import configuration_of

_SERIES = re.compile(r"stm32(?:mp\d|w[a-z]{1,2}|[a-z]\d)")
_TINYENGINE = (
    "from code_generator.CodegenUtilTFlite import GenerateSourceFilesFromTFlite; "
    'GenerateSourceFilesFromTFlite("model.tflite", life_cycle_path="lifecycle.png")'
)


def stedgeai(deployment: Deployment, model: str) -> tuple[str, ...]:
    series = _SERIES.match(deployment.target.id)
    text = f"stedgeai generate --model {model} --name network --output generated"
    if series is not None:
        text += f" --target {series.group()}"
    return (f"{text} --st-neural-art" if deployment.runtime.id == "neural-art" else text,)


def vela(deployment: Deployment) -> tuple[str, ...]:
    """Without the configuration where nothing tells the NPU's size."""
    found = configuration_of(deployment.accelerator) if deployment.accelerator is not None else None
    size = f" --accelerator-config {found[0].name}" if found is not None else ""
    return (f"vela model.tflite{size} --output-dir .",)


def edgetpu_compiler() -> tuple[str, ...]:
    return ("edgetpu_compiler model.tflite",)


def tinyengine() -> tuple[str, ...]:
    """To run in a checkout of TinyEngine."""
    return (f"python -c '{_TINYENGINE}'",)


def torq(model: str, shape: str, dtype: str) -> tuple[str, ...]:
    """To MLIR, to the NPU's code with the compiler's timeline, and a run with its profile, joined in the end.

    Args:
        model: `model.tflite` or `model.onnx`.
        shape: of the input, as in 1x49x10x1.
        dtype: of the input, as MLIR has it: i8, f32.
    """
    to_mlir = (
        f"python -m iree.compiler.tools.import_onnx {model} -o model.mlir --data-prop"
        if model.endswith(".onnx")
        else f"tosa-converter-for-tflite {model} --text -o model.mlir"
    )
    return (
        to_mlir,
        "torq-compile model.mlir -o model.vmfb --torq-enable-profiling --torq-dump-profiling=./trace.csv "
        "--dump-compilation-phases-to=./compilation_phases",
        f'iree-run-module --device=torq --module=model.vmfb --input="{shape}x{dtype}=0" '
        "--torq_profile=./runtime.csv",
        "annotate_profiling.py ./compilation_phases/model.9.executable-targets.mlir ./runtime.csv "
        "./annotated.csv",
        "edgewright import runtime.csv --with trace.csv --with model.mlir",
    )
