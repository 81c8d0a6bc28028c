from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

Array = npt.NDArray[Any]


def random_input(shape: Sequence[int], dtype: type) -> Array:
    drawn = np.random.default_rng(7).standard_normal(tuple(shape))
    return np.clip(drawn * 40, -128, 127).astype(np.int8) if dtype == np.int8 else drawn.astype(dtype)


@pytest.fixture(scope="session")
def run_litert() -> Callable[[bytes], list[Array]]:
    """Outputs of one inference on random input."""
    interpreter = pytest.importorskip("ai_edge_litert.interpreter")

    def run(model: bytes) -> list[Array]:
        loaded = interpreter.Interpreter(model_content=model, num_threads=1)
        loaded.allocate_tensors()
        for told in loaded.get_input_details():
            loaded.set_tensor(told["index"], random_input(told["shape"], told["dtype"]))
        loaded.invoke()
        return [loaded.get_tensor(told["index"]) for told in loaded.get_output_details()]

    return run


@pytest.fixture(scope="session")
def tflm() -> Callable[[bytes], Any]:
    """TensorFlow Lite Micro with a model loaded and run once on random input."""
    runtime = pytest.importorskip("tflite_micro").runtime

    def run(model: bytes) -> Any:
        loaded = runtime.Interpreter.from_bytes(model, arena_size=4_000_000)
        told = loaded.get_input_details(0)
        loaded.set_input(random_input(told["shape"], told["dtype"]), 0)
        loaded.invoke()
        return loaded

    return run
