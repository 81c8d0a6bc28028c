"""What goes into flash: the model, or what a compiler keeps of it, and the code that runs it."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.quantity import Basis, Quantity, weakest
from ...core.records import dataclass, replace
from ...graph import ModelGraph
from ...graph.memoize import memoized
from ..plan_parts import FlashPart
from ..terms import FlashTerms
from .code_family import Build, Family
from .code_size import CodeSize, Tier, code_size
from .dead_channels import dead_bytes

_HEADER_BYTES = 600
_TENSOR_BYTES = 170
_SCALE_BYTES = 13
_STRUCTURE_SPREAD = 0.35
"""Of file size less parameters: 317 published .tflite files lie within it in 9 of 10 cases."""

_KIB = 1024


@dataclass(frozen=True)
class _Converted:
    """What a converter makes of a model's file, as a share of it."""

    low: float
    usual: float
    high: float
    more_bytes: int
    """Over the highest share, for the smallest of files."""
    basis: Basis
    assumption: str


_VELA = _Converted(
    0.4, 1.0, 1.2, 6 * _KIB, Basis.SIMULATED,
    "Vela packs weights and adds commands: 0.4 to 1.2 of the file and 6 KiB, as Vela 5.2.0 makes of 68 of 70 "
    "int8 models for ethos-u55-128",
)  # fmt: skip
_CONVERTED = {
    "ethos-u": _VELA,
    "ethos-u85": replace(_VELA, basis=Basis.ASSUMED),
    "neutron": replace(
        _VELA,
        basis=Basis.ASSUMED,
        assumption="what the converter makes of the file is not known: taken as Vela's",
    ),
    "neural-art": _Converted(
        0.74, 0.97, 1.0, 0, Basis.PUBLISHED,
        "the compiler packs what the NPU reads: 0.74 to 1.0 of the file, as in 14 networks of ST's model zoo",
    ),
    "edgetpu": _Converted(
        1.06, 1.29, 1.54, 124 * _KIB, Basis.PUBLISHED,
        "the compiler rewrites the model: 1.06 to 1.54 of the file and 124 KiB, as in 13 of 14 pairs of "
        "google-coral/test_data",
    ),
}  # fmt: skip
"""Runtimes whose model is another file than the one that was read."""
CONVERTERS_TELL = frozenset(made.assumption for made in _CONVERTED.values())


@dataclass(frozen=True)
class Flash:
    model: Quantity
    code: Quantity
    parts: tuple[FlashPart, ...]
    """What the code is made of; nothing where it is not known apart."""
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
    model, of_model = model_bytes(graph, terms)
    code, parts, of_code = _code_bytes(graph, terms, model)
    return Flash(model, code, parts, (*of_model, *of_code))


def model_bytes(graph: ModelGraph, terms: FlashTerms) -> tuple[Quantity, tuple[str, ...]]:
    """What of the flash is the model, and what was assumed about it."""
    converted = _CONVERTED.get(terms.runtime)
    if converted is not None:
        size, assumptions = memoized(graph, "file bytes", None, lambda: _file_bytes(graph))
        return _as_converted(size, converted), (*assumptions, converted.assumption)
    compiled = terms.build is not None and terms.build.family is Family.COMPILER
    if terms.folds_constants or compiled:
        return _compiled(graph, dead_bytes(graph) if terms.drops_dead_channels else 0)
    return memoized(graph, "file bytes", None, lambda: _file_bytes(graph))


def _compiled(graph: ModelGraph, dead: int) -> tuple[Quantity, tuple[str, ...]]:
    texts = ["the model is compiled: of its file, the parameters alone are kept"]
    if dead:
        texts.append(f"channels that are always zero are dropped: {dead} bytes of their weights")
    basis = Basis.FITTED if dead else Basis.MEASURED
    return Quantity.exact(graph.parameter_bytes - dead, "B", basis), tuple(texts)


def _as_converted(size: Quantity, by: _Converted) -> Quantity:
    assert size.value is not None
    assert size.low is not None
    assert size.high is not None
    return Quantity(
        value=round(size.value * by.usual),
        low=size.low * by.low,
        high=size.high * by.high + by.more_bytes,
        unit="B",
        basis=weakest([size.basis, by.basis]),
    )


def _file_bytes(graph: ModelGraph) -> tuple[Quantity, tuple[str, ...]]:
    """Of the .tflite file. An ONNX file is not what runs on a target, and may keep its weights beside it."""
    if graph.file_bytes is not None and graph.format == "tflite":
        return Quantity.exact(graph.file_bytes, "B", Basis.MEASURED), ()
    parameters = graph.parameter_bytes
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
        f"no .tflite file: its size taken as {parameters} bytes of parameters and {structure} of structure, "
        f"{_TENSOR_BYTES} for each tensor",
    )


def _code_bytes(
    graph: ModelGraph, terms: FlashTerms, model: Quantity
) -> tuple[Quantity, tuple[FlashPart, ...], tuple[str, ...]]:
    if terms.code_bytes is not None:
        return Quantity.exact(terms.code_bytes, "B", Basis.PUBLISHED), (), ()
    found = None if terms.build is None else code_size(graph, terms.build)
    if found is None or terms.build is None:
        text = f"the code size of {terms.runtime} is not known: the model alone takes {model.value:.0f} bytes"
        return Quantity.unknown("B"), (), (text,)
    parts = tuple(FlashPart(what=what, bytes=round(size)) for what, size in found.parts)
    return found.size, parts, tuple(_assumptions(terms.build, found))


def _assumptions(build: Build, found: CodeSize) -> Iterator[str]:
    evidence = found.evidence
    programs = f"{evidence.rows} published sizes, {evidence.networks} networks"
    match found.tier:
        case Tier.TARGET:
            yield f"code of {build.runtime}: fitted to {programs}, on this target"
        case Tier.ISA:
            yield f"code of {build.runtime}: fitted to {programs}, on other targets with such a core"
        case Tier.RUNTIME:
            yield f"code of {build.runtime}: fitted to {programs}, on other cores: hence the wide interval"
        case Tier.FAMILY:
            kin = "TFLite Micro's interpreter" if build.family is Family.INTERPRETER else "compiled models"
            yield f"no code size of {build.runtime} was published: taken from {programs} of {kin}"
    if evidence.whole_programs:
        yield (
            "the code includes start-up code, drivers and C library of the programs measured: an operating "
            "system or a radio's stack comes on top"
        )
    if found.unmeasured:
        yield f"kernels not measured with {build.runtime}, taken as others are: {', '.join(found.unmeasured)}"
