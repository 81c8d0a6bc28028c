"""Snippets for runtimes of machines with an operating system.

- LiteRT: tensorflow/lite/interpreter_builder.h and tensorflow/lite/delegates/xnnpack/README.md of
  tensorflow/tensorflow, which say that the default resolver applies XNNPACK; `Interpreter` of the Python
  package ai-edge-litert 2.
- ONNX Runtime: onnxruntime.ai/docs/performance/tune-performance/threading.html.
- OpenVINO: docs.openvino.ai, CPU device.
- Edge TPU: coral.ai/docs/edgetpu/compiler and coral.ai/docs/edgetpu/tflite-python.
"""

from __future__ import annotations

from ..core.deployment import Deployment

_LITERT = """\
import numpy as np
from ai_edge_litert.interpreter import Interpreter{delegate_import}

# XNNPACK runs what it can: the interpreter applies it unless given otherwise.
interpreter = Interpreter(model_path="{model}", num_threads={threads}{delegate})
interpreter.allocate_tensors()


def run(*inputs: np.ndarray) -> list[np.ndarray]:
    for detail, data in zip(interpreter.get_input_details(), inputs, strict=True):
        interpreter.set_tensor(detail["index"], data)
    interpreter.invoke()
    return [interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()]


if __name__ == "__main__":
    details = interpreter.get_input_details()
    for output in run(*(np.zeros(detail["shape"], detail["dtype"]) for detail in details)):
        print(output.shape, output.dtype)
"""

_LITERT_CPP = """\
#include <cstdio>
#include <memory>

#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/interpreter_builder.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model_builder.h"

int main() {{
  auto model = tflite::FlatBufferModel::BuildFromFile("{model}");
  if (model == nullptr) return 1;
  // This resolver applies XNNPACK to what it can run.
  tflite::ops::builtin::BuiltinOpResolver resolver;
  std::unique_ptr<tflite::Interpreter> interpreter;
  if (tflite::InterpreterBuilder(*model, resolver)(&interpreter, {threads}) != kTfLiteOk) return 1;
  if (interpreter->AllocateTensors() != kTfLiteOk) return 1;
  // Fill interpreter->input_tensor(0) here.
  if (interpreter->Invoke() != kTfLiteOk) return 1;
  std::printf("%zu bytes of output\\n", interpreter->output_tensor(0)->bytes);
  return 0;
}}
"""

_ONNXRUNTIME = """\
import numpy as np
import onnxruntime

options = onnxruntime.SessionOptions()
options.intra_op_num_threads = {threads}
options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
session = onnxruntime.InferenceSession("{model}", options, providers=["CPUExecutionProvider"])


def run(*inputs: np.ndarray) -> list[np.ndarray]:
    names = [detail.name for detail in session.get_inputs()]
    return session.run(None, dict(zip(names, inputs, strict=True)))
"""

_OPENVINO = """\
import numpy as np
import openvino

compiled = openvino.Core().compile_model("{model}", "CPU", {{"INFERENCE_NUM_THREADS": {threads}}})


def run(*inputs: np.ndarray) -> list[np.ndarray]:
    return list(compiled(list(inputs)).values())
"""

_EDGETPU_IMPORT = ", load_delegate"
_EDGETPU_DELEGATE = ',\n    experimental_delegates=[load_delegate("libedgetpu.so.1")]'


def litert(deployment: Deployment) -> dict[str, str]:
    fields = {"model": "model.tflite", "threads": deployment.threads, "delegate": "", "delegate_import": ""}
    return {"run_model.py": _LITERT.format(**fields), "run_model.cc": _LITERT_CPP.format(**fields)}


def edgetpu(deployment: Deployment) -> dict[str, str]:
    text = _LITERT.format(
        model="model_edgetpu.tflite",
        threads=deployment.threads,
        delegate=_EDGETPU_DELEGATE,
        delegate_import=_EDGETPU_IMPORT,
    )
    return {"run_model.py": text}


def onnxruntime(deployment: Deployment) -> dict[str, str]:
    return {"run_model.py": _ONNXRUNTIME.format(model="model.onnx", threads=deployment.threads)}


def openvino(deployment: Deployment, model: str) -> dict[str, str]:
    return {"run_model.py": _OPENVINO.format(model=model, threads=deployment.threads)}
