"""Converts ONNX, Keras and SavedModel and runs them, in the environment that has TensorFlow.

Run as a script in the folder of the request, by the converter's own interpreter. Keras loads in safe mode,
which runs no code out of a file.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

_SAMPLE = "calibration_image_sample_data_20x128x128x3_float32.npy"
"""What onnx2tf looks for here before it asks the network for pictures."""


def main() -> None:
    request = json.loads(Path("request.json").read_text(encoding="utf-8"))
    model = _MODELS[request["source"]](request["file"])
    if request["step"] == "convert":
        Path("converted.tflite").write_bytes(model.converted())
        Path("inputs.json").write_text(json.dumps(model.inputs()), encoding="utf-8")
        return
    with np.load("samples.npz", allow_pickle=False) as loaded:
        samples = [loaded[f"arr_{at}"] for at in range(len(loaded.files))]
    rows = [model.run([each[at] for each in samples]) for at in range(len(samples[0]))]
    np.savez("outputs.npz", *(np.stack([row[at] for row in rows]) for at in range(len(rows[0]))))


class _Onnx:
    def __init__(self, file: str) -> None:
        self._file = file
        self._session: Any = None

    def converted(self) -> bytes:
        np.save(_SAMPLE, np.zeros((20, 128, 128, 3), np.float32))
        onnx2tf = import_module("onnx2tf")

        onnx2tf.convert(
            input_onnx_file_path=self._file, output_folder_path="out", not_use_onnxsim=True, non_verbose=True
        )
        return next(Path("out").glob("*_float32.tflite")).read_bytes()

    def inputs(self) -> list[dict[str, Any]]:
        onnx = import_module("onnx")

        graph = onnx.load(self._file, load_external_data=False).graph
        held = {each.name for each in graph.initializer}
        found = []
        for each in graph.input:
            tensor = each.type.tensor_type
            shape = [d.dim_value if d.dim_value > 0 else 1 for d in tensor.shape.dim]
            dtype = np.dtype(onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)).name
            found.append({"name": each.name, "shape": shape, "dtype": dtype})
        return [each for each in found if each["name"] not in held]

    def run(self, samples: list[Any]) -> list[Any]:
        if self._session is None:
            onnxruntime = import_module("onnxruntime")

            self._session = onnxruntime.InferenceSession(self._file, providers=["CPUExecutionProvider"])
        names = [each.name for each in self._session.get_inputs()]
        return list(self._session.run(None, dict(zip(names, samples, strict=True))))


class _Keras:
    def __init__(self, file: str) -> None:
        keras = import_module("keras")

        self._model = keras.saving.load_model(file, compile=False, safe_mode=True)

    def converted(self) -> bytes:
        tf = import_module("tensorflow")

        self._model.export("out", format="tf_saved_model", verbose=False)
        made: bytes = tf.lite.TFLiteConverter.from_saved_model("out").convert()
        return made

    def inputs(self) -> list[dict[str, Any]]:
        return [
            {"name": each.name, "shape": [size or 1 for size in each.shape], "dtype": str(each.dtype)}
            for each in self._model.inputs
        ]

    def run(self, samples: list[Any]) -> list[Any]:
        made = self._model(samples[0] if len(samples) == 1 else samples, training=False)
        return [np.asarray(each) for each in (made if isinstance(made, (list, tuple)) else [made])]


class _SavedModel:
    def __init__(self, file: str) -> None:
        tf = import_module("tensorflow")

        self._file = file
        self._signature = tf.saved_model.load(file).signatures["serving_default"]

    def converted(self) -> bytes:
        tf = import_module("tensorflow")

        made: bytes = tf.lite.TFLiteConverter.from_saved_model(self._file).convert()
        return made

    def inputs(self) -> list[dict[str, Any]]:
        named = self._signature.structured_input_signature[1]
        return [
            {"name": name, "shape": [size or 1 for size in spec.shape], "dtype": spec.dtype.name}
            for name, spec in named.items()
        ]

    def run(self, samples: list[Any]) -> list[Any]:
        tf = import_module("tensorflow")

        names = list(self._signature.structured_input_signature[1])
        made = self._signature(**{n: tf.constant(s) for n, s in zip(names, samples, strict=True)})
        return [made[name].numpy() for name in sorted(made)]


_MODELS: dict[str, Any] = {"onnx": _Onnx, "keras": _Keras, "saved_model": _SavedModel}

if __name__ == "__main__":
    main()
