"""PyTorch's operators (ATen), as exported programs and ExecuTorch's hold them, put into those of ONNX."""

from .calls import Argument, Call, Name
from .program import Program
from .translate import translated

__all__ = ["Argument", "Call", "Name", "Program", "translated"]
