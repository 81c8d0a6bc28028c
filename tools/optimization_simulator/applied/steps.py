"""What can be applied to a file, step by step: each predicts a graph and makes the bytes of another file."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .... import __version__
from ....hardware_db.errors import InputError, UsageError, nearest
from ...core.deployment import Deployment, as_deployment
from ...graph import ModelGraph
from ...graph.integer_schemes import QUANTIZER_INT8
from ...model_formats.source import parse_model
from ...model_formats.writer.file_size import converted_bytes, tflite_bytes
from ..techniques.names import OF_MEMORY, layers_in
from ..techniques.names import technique as named
from ..techniques.precision import quantised_except
from ..techniques.technique import Technique
from .factoring import factored_file
from .folding import fused_file
from .kinds import KINDS, RISKS, SAME
from .layer_errors import layers_to_keep
from .process import quantise, quantizer, restructure, workplace
from .rewriting import rewritten
from .samples import Samples, fitted, inputs_of

_LONGEST = 8
_ANYWHERE = "host-x86-64"
"""Where names are looked up when no target was named; what is applied does not depend on it."""
_PRECISION, _BY_COST, _FUSE, _FACTORS = "precision", "@auto", "fuse", "low-rank-"
_IN_ONNX = re.compile(r"fuse|input-.+|(?:prune|width|align)-[\d.]+")
_EXCEPT = "int8-except@"
_MIXED = re.compile(r"mixed(?:-(\d{1,3}(?:\.\d+)?)(?:dB)?)?")
_CHANNELS_FIRST = (0, 3, 1, 2)
_STRUCTURE = ("prune-50", "width-75", "align-8", "input-96x96", _FUSE)


class Step(NamedTuple):
    """One change of a file."""

    name: str
    library: str
    """What makes it, with its version."""
    risk: str
    """What accuracy others lost by it."""
    predict: Callable[[ModelGraph], ModelGraph]
    """Raises UsageError where it does not apply to a graph."""
    make: Callable[[ModelGraph, bytes, Samples], bytes]
    """Of a file as it was read, its bytes, and samples of its inputs."""


class Changed(NamedTuple):
    """A file after its steps, and the samples that fit it."""

    content: bytes
    graph: ModelGraph
    samples: Samples


def steps_of(technique: str, suffix: str, place: Deployment | None = None) -> tuple[Step, ...]:
    """Of one technique, or several joined by +, in their order.

    Raises:
        UsageError: something that cannot be applied to such a file.
    """
    names = _names(technique)
    if len(names) > _LONGEST:
        raise UsageError(f"{len(names)} changes at once are too many.", hint=f"Apply at most {_LONGEST}.")
    return tuple(_step(name, suffix, place) for name in names)


def settled(technique: str, suffix: str, given: Changed, progress: Callable[[str], None]) -> str:
    """Where the last change is `mixed`, what it comes to for a file: int8 but for named layers.

    Raises:
        UsageError: no .tflite file, or no layers reach the signal to noise that is asked for.
        InputError: the quantiser fails.
    """
    *earlier, last = _names(technique)
    wanted = _MIXED.fullmatch(last)
    if wanted is None:
        return technique
    if suffix != ".tflite":
        raise UsageError(f"{last!r} cannot be applied to a {suffix} file here.", hint="Take int16x8.")
    if earlier:
        given = changed_by(steps_of(" + ".join(earlier), suffix), *given, progress)
    goal = None if wanted[1] is None else float(wanted[1])
    keep = layers_to_keep(given.graph, given.content, given.samples, goal, progress)
    found = f"int8-except@{','.join(map(str, keep))}" if keep else "int8"
    return " + ".join([*earlier, found])


def _names(technique: str) -> list[str]:
    return [" ".join(part.split()) for part in technique.split("+")]


def changed_by(
    steps: Sequence[Step],
    content: bytes,
    graph: ModelGraph,
    samples: Samples,
    progress: Callable[[str], None] = lambda _: None,
) -> Changed:
    """
    Raises:
        UsageError: a step that does not apply to what the one before it made.
        InputError: a quantiser that fails.
    """
    for step in steps:
        progress(f"{step.library}: {step.name} with {samples.description}")
        content = step.make(graph, content, samples)
        graph = parse_model(content)
        samples = fitted(samples, inputs_of(graph, content))
    return Changed(content, graph, samples)


def _step(name: str, suffix: str, place: Deployment | None) -> Step:
    kind = SAME.get(name, name)
    if kind in KINDS[suffix]:
        return _quantised(kind, suffix)
    if name.endswith(_BY_COST) and place is None:
        raise UsageError(f"{name} goes by the times on a target.", hint="Name one: deployment=….")
    if name in OF_MEMORY or name == "bands":
        raise UsageError(
            f"{name} is no change of a file: it is how a runtime computes the operators in it.",
            hint="Simulate it with `edgewright optimize --technique`; kernels that do so are the runtime's.",
        )
    there = place or as_deployment(_ANYWHERE)
    change = named(name, there)
    if suffix == ".tflite" and change.name.startswith(_EXCEPT):
        return _quantised_except(change)
    if change.family == _PRECISION or (suffix == ".onnx" and not _IN_ONNX.fullmatch(change.name)):
        close = nearest(name, KINDS[suffix]) or [*KINDS[suffix], *_STRUCTURE]
        raise UsageError(
            f"{name!r} cannot be applied to a {suffix} file here.", hint=f"What can be: {', '.join(close)}."
        )
    if suffix == ".tflite":
        return _structural(change, there)
    return _fused(change) if change.name == _FUSE else _structural(change, there, onnx=True)


def _quantised(kind: str, suffix: str) -> Step:
    library = quantizer(suffix)

    def make(graph: ModelGraph, content: bytes, samples: Samples) -> bytes:
        KINDS[suffix][kind](graph)
        with workplace(content, samples) as folder:
            made = quantise(folder, suffix, kind)
        if _stored(parse_model(made)) == _stored(graph):
            raise InputError(
                f"{library} makes no {kind} of this model: its weights stay as they are.",
                hint="Nothing was written. Look at other techniques with `edgewright optimize`.",
            )
        return made

    return Step(kind, library, RISKS[kind], KINDS[suffix][kind], make)


def _quantised_except(change: Technique) -> Step:
    keep = layers_in(change.name, change.name.removeprefix(_EXCEPT))

    def predict(graph: ModelGraph) -> ModelGraph:
        return quantised_except(graph, keep, scheme=QUANTIZER_INT8)

    def make(graph: ModelGraph, content: bytes, samples: Samples) -> bytes:
        predict(graph)
        with workplace(content, samples) as folder:
            return quantise(folder, ".tflite", "int8", keep)

    return Step(change.name, quantizer(".tflite"), change.accuracy_risk, predict, make)


def _structural(change: Technique, there: Deployment, *, onnx: bool = False) -> Step:
    def predict(graph: ModelGraph) -> ModelGraph:
        made, place = change.apply(graph, there)
        if made is graph or place != there:
            raise UsageError(
                f"{change.name} changes where the model runs, not its file.",
                hint="Simulate it with `edgewright optimize --technique`.",
            )
        return made

    def make(graph: ModelGraph, content: bytes, samples: Samples) -> bytes:
        if change.name.startswith(_FUSE):
            predict(graph)
            return fused_file(graph, content, change.name)
        if change.name.startswith(_FACTORS):
            return factored_file(graph, content, predict(graph), change.name)
        if not onnx:
            return rewritten(graph, content, predict(graph), change.name)
        with workplace(content, samples) as folder:
            return restructure(folder, _request(change.name, graph, content, predict(graph)), change.name)

    return Step(change.name, f"edgewright {__version__}", change.accuracy_risk, predict, make)


def _request(name: str, graph: ModelGraph, content: bytes, predicted: ModelGraph) -> dict[str, Any]:
    """What the worker is asked to do, with the shapes of inputs in the order that the file has them in."""
    head, _, amount = name.partition("-")
    if head != "input":
        number = float(amount)
        return {"step": "channels", "change": head, "amount": number if head == "align" else number / 100}
    shapes = []
    for given, old, new in zip(inputs_of(graph, content), graph.inputs, predicted.inputs, strict=True):
        if old.shape == new.shape:
            shapes.append(list(given.shape))
        elif given.shape == old.shape:
            shapes.append(list(new.shape))
        else:
            shapes.append([new.shape[axis] for axis in _CHANNELS_FIRST])
    return {"step": "input", "shapes": shapes}


def _fused(change: Technique) -> Step:
    """What ONNX Runtime folds and fuses on any hardware, which is fused already in the graph that is read."""

    def make(_: ModelGraph, content: bytes, samples: Samples) -> bytes:
        with workplace(content, samples) as folder:
            return restructure(folder, {"step": _FUSE}, change.name)

    return Step(change.name, quantizer(".onnx"), change.accuracy_risk, lambda graph: graph, make)


def _stored(graph: ModelGraph) -> list[tuple[str, int]]:
    """Types and bytes of the constants, by which a file that was quantised differs."""
    return sorted((tensor.dtype.value, tensor.stored_bytes) for tensor in graph.parameters)


def predicted_file_bytes(
    steps: Sequence[Step], predicted: ModelGraph, original: ModelGraph, suffix: str
) -> int:
    """Of an .onnx file, the change of its constants alone."""
    if suffix != ".tflite":
        return (original.file_bytes or 0) + predicted.parameter_bytes - original.parameter_bytes
    if all(step.name in KINDS[suffix] or step.name.startswith(_EXCEPT) for step in steps):
        return converted_bytes(predicted, original)
    return tflite_bytes(predicted)


def is_integer(step: Step) -> bool:
    """Whether layers compute in integers behind it."""
    return step.name in {"int8", "int8-float-io", "int16x8"} or step.name.startswith(_EXCEPT)


def told(steps: Sequence[Step]) -> tuple[str, str, str]:
    """Names, libraries and risks of all, as the user reads them."""
    risks = dict.fromkeys(step.risk for step in steps)
    libraries = dict.fromkeys(step.library for step in steps)
    return " + ".join(step.name for step in steps), ", ".join(libraries), "; ".join(risks)
