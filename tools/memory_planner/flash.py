"""What goes into flash: the model, or what a compiler keeps of it, and the code that runs it."""

from __future__ import annotations

from dataclasses import dataclass

from ...hardware_db import Planner, TargetClass
from ..graph import ModelGraph
from ..quantity import Basis, Quantity, weakest
from .terms import FlashTerms

_HEADER_BYTES = 600
_TENSOR_BYTES = 170
_SCALE_BYTES = 13
_STRUCTURE_SPREAD = 0.35
"""Of file size less parameters: 317 published .tflite files lie within it in 9 of 10 cases."""

_KIB = 1024
_CODE_KIB: dict[Planner, tuple[float, float, float, str]] = {
    Planner.TFLM_GREEDY: (
        74, 90, 157, "105 whole programs of EdgeMark on a Cortex-M4 (TFLM with CMSIS-NN, -O3)"
    ),
    Planner.IN_PLACE: (13, 63, 160, "77 published code sizes of X-CUBE-AI 7.3 to 10.0 (ST model zoo)"),
    Planner.COMPILED: (
        48, 76, 244, "84 whole programs of EdgeMark less their parameters (Edge Impulse EON, e-AI Translator)"
    ),
}  # fmt: skip
"""Least, usual and most code beside the model, in KiB, and where they were seen."""
_SEEN_ON = {Planner.COMPILED: TargetClass.MCU}
"""Where a planner serves computers too, of which such sizes say nothing."""


@dataclass(frozen=True)
class Flash:
    model: Quantity
    code: Quantity
    assumptions: tuple[str, ...]

    @property
    def total(self) -> Quantity:
        """Model and code; unknown while the code is."""
        if self.code.value is None or self.model.value is None:
            return Quantity.unknown("B")
        return Quantity(
            value=self.model.value + self.code.value,
            low=(self.model.low or 0) + (self.code.low or 0),
            high=(self.model.high or 0) + (self.code.high or 0),
            unit="B",
            basis=weakest([self.model.basis, self.code.basis]),
        )


def flash_of(graph: ModelGraph, terms: FlashTerms) -> Flash:
    model, of_model = _model_bytes(graph, terms)
    code, of_code = _code_bytes(terms, model)
    return Flash(model, code, (*of_model, *of_code))


def _model_bytes(graph: ModelGraph, terms: FlashTerms) -> tuple[Quantity, tuple[str, ...]]:
    parameters = graph.parameter_bytes
    if terms.folds_constants:
        told = "the model is compiled: of its file, the parameters alone are kept"
        return Quantity.exact(parameters, "B"), (told,)
    if graph.file_bytes is not None:
        return Quantity.exact(graph.file_bytes, "B"), ()
    tensors = [t for sub in graph.subgraphs for t in sub.tensors]
    scales = sum(len(t.quantization.scales) for t in tensors if t.quantization is not None)
    structure = _HEADER_BYTES + _TENSOR_BYTES * len(tensors) + _SCALE_BYTES * scales
    size = Quantity(
        value=parameters + structure,
        low=parameters + round(structure * (1 - _STRUCTURE_SPREAD)),
        high=parameters + round(structure * (1 + _STRUCTURE_SPREAD)),
        unit="B",
        basis=Basis.FITTED,
    )
    return size, (
        f"no model file: its size taken as {parameters} bytes of parameters and {structure} of structure, "
        f"{_TENSOR_BYTES} for each tensor",
    )


def _code_bytes(terms: FlashTerms, model: Quantity) -> tuple[Quantity, tuple[str, ...]]:
    if terms.code_bytes is not None:
        return Quantity.exact(terms.code_bytes, "B", Basis.PUBLISHED), ()
    here = terms.target_class
    if terms.planner not in _CODE_KIB or _SEEN_ON.get(terms.planner, here) is not here:
        told = f"the code size of {terms.runtime} is not known: the model alone takes {model.value:.0f} bytes"
        return Quantity.unknown("B"), (told,)
    low, usual, high, seen = _CODE_KIB[terms.planner]
    size = Quantity(value=usual * _KIB, low=low * _KIB, high=high * _KIB, unit="B", basis=Basis.ASSUMED)
    return size, (f"code taken as {usual} KiB, between {low} and {high} KiB as in {seen}",)
