"""Deployments that belong to no database, and graphs of one operator."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from edgewright.hardware_db import (
    Accelerator,
    Core,
    Leaf,
    OpSupport,
    Region,
    Runtime,
    Source,
    Target,
    load_runtime,
)
from edgewright.tools.core.deployment import Deployment
from edgewright.tools.graph import DType, ModelGraph, Op, Quantization, Subgraph, Tensor
from edgewright.tools.model_formats.source import parse_model

MadeUp = Callable[..., Deployment]
OneOp = Callable[..., ModelGraph]

_SOURCE = Source(title="a made-up part", where="nowhere", date=dt.date(2026, 1, 1), kind="assumed")
_QUANTISED = {DType.INT8, DType.INT16, DType.UINT8, DType.INT4}


def leaf(value: Any) -> Leaf[Any]:
    return Leaf(value=value, unit="1", source="made-up", locator="none")


@pytest.fixture
def place() -> MadeUp:
    """`place(runtime, isa=…, fpu=…, accelerator=…, others=…)`: a roomy target that runs `runtime`."""

    def made(
        runtime: str | Runtime,
        *,
        isa: str = "cortex-m4",
        accelerator: Accelerator | None = None,
        others: Sequence[str] = (),
        **core: str | bool,
    ) -> Deployment:
        kernels = load_runtime(runtime) if isinstance(runtime, str) else runtime
        features = {name: leaf(value) for name, value in core.items()}
        cpu = Core(id="cpu", isa=leaf(isa), count=leaf(1), clock_max_mhz=leaf(100.0), **features)
        target = Target(
            id="made-up",
            name="Made up",
            vendor="nobody",
            **{"class": "mcu"},
            sources={"made-up": _SOURCE},
            cores=(cpu,),
            memories=(
                Region(id="ram", kind="sram", size_bytes=leaf(1 << 27)),
                Region(id="flash", kind="flash", size_bytes=leaf(1 << 27)),
            ),
            accelerators=() if accelerator is None else (accelerator,),
            runtimes=(kernels.id, *others),
        )
        return Deployment(
            target=target,
            runtime=kernels,
            core=cpu,
            accelerator=accelerator,
            clock_mhz=100,
            batch=1,
            threads=1,
        )

    return made


@pytest.fixture
def runtime() -> Callable[..., Runtime]:
    """`runtime(CONV_2D={"dtypes": …}, complete=…)`: a made-up runtime with these operators."""

    def made(**given: Any) -> Runtime:
        told = {"source": "made-up", "locator": "none"}
        operators = {k: OpSupport(**v, **told) for k, v in given.items() if k.isupper()}
        rest = {k: v for k, v in given.items() if not k.isupper()}
        return Runtime(
            id="made-up-runtime",
            name="Made up",
            vendor="nobody",
            sources={"made-up": _SOURCE},
            planner=rest.pop("planner", "tflm-greedy"),
            usual_dtype=leaf("int8"),
            operators=operators,
            **rest,
        )

    return made


@pytest.fixture
def one_op() -> OneOp:
    """`one_op(kind, inputs, outputs)`: inputs and outputs as (dtype, shape), constants as (dtype, shape, True)."""

    def made(
        kind: str,
        inputs: Sequence[tuple[Any, ...]] = ((DType.INT8, (1, 4)),),
        outputs: Sequence[tuple[Any, ...]] = ((DType.INT8, (1, 4)),),
        *,
        version: int = 1,
        custom: str | None = None,
        subgraphs: Sequence[Subgraph] = (),
        **options: Any,
    ) -> ModelGraph:
        tensors = tuple(_tensor(i, *given) for i, given in enumerate((*inputs, *outputs)))
        read = tuple(range(len(inputs)))
        written = tuple(range(len(inputs), len(tensors)))
        op = Op(0, kind, read, written, version=version, options=options, custom_code_untrusted=custom)
        fed = tuple(i for i in read if not tensors[i].is_constant)
        main = Subgraph("main", tensors, (op,), fed, written)
        return ModelGraph(kind, "tflite", "0" * 64, None, (main, *subgraphs))

    return made


def _tensor(index: int, dtype: DType, shape: tuple[int, ...], constant: bool = False) -> Tensor:
    elements = 1
    for extent in shape:
        elements *= abs(extent)
    return Tensor(
        index,
        f"t{index}",
        shape,
        dtype,
        stored_bytes=(dtype.storage_bytes(elements) or 0) if constant else 0,
        is_constant=constant,
        quantization=Quantization((0.5,), (0,)) if dtype in _QUANTISED else None,
    )


ARENA_BYTES = 64 << 20


@pytest.fixture(scope="session")
def tflm_accepts() -> Callable[[bytes], bool]:
    """Whether TensorFlow Lite Micro's interpreter prepares a model and runs it on inputs of one."""
    tflm = pytest.importorskip(
        "tflite_micro.python.tflite_micro.runtime", reason="the tflite-micro interpreter is not installed"
    )

    def accepts(model: bytes) -> bool:
        try:
            interpreter = tflm.Interpreter.from_bytes(model, arena_size=ARENA_BYTES)
            for index in range(len(parse_model(model).inputs)):
                given = interpreter.get_input_details(index)
                interpreter.set_input(np.ones(given["shape"], given["dtype"]), index)
            interpreter.invoke()
        except RuntimeError:
            return False
        return True

    return accepts
