"""Infers the shapes of an ONNX model, in a process of its own: what takes all memory ends this alone.

Run as a script: the model on standard input, the answer in the folder that it runs in.
"""

from __future__ import annotations

import sys
from pathlib import Path

import onnx


def main() -> None:
    model = onnx.ModelProto.FromString(sys.stdin.buffer.read())
    made = onnx.shape_inference.infer_shapes(model, data_prop=True)
    Path("inferred.onnx").write_bytes(made.SerializeToString())


if __name__ == "__main__":
    main()
