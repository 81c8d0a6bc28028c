"""Techniques by name, whatever the parameter: prune-30, low-rank-50@12, input-64x64, clock-80MHz."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NoReturn

from ....hardware_db import resolve_runtime
from ....hardware_db.errors import EdgewrightError, UsageError, nearest
from ...core.deployment import Deployment
from ...core.records import dataclass
from ...core.units import Dimension, parse_measure
from ...model_zoo.spec import read_spec
from . import deployment_techniques, sparsity
from .catalogue import of_models, prune, techniques
from .precision import float32, int8_except, int16
from .structure import options as structural
from .structure.fusing import PARTS
from .structure.layers import Layers
from .technique import Technique
from .without_simd import without_simd

_LONGEST = 100
OF_MEMORY = frozenset({"in-place", "concat-in-place", "bands-2", "bands-4", "bands-8"})
"""Other plans of the memory, which are simulated of the model as it is."""
_MOST_LAYERS = 1000

Make = Callable[[str, Layers], Technique]
"""From what follows the head of a name, and the layers after an @."""


@dataclass(frozen=True)
class Form:
    """How a technique with a parameter is written."""

    head: str
    """What it begins with, up to the parameter."""
    written: str
    example: str
    about: str
    make: Make
    takes_layers: bool = False
    bare: bool = False
    """Whether it stands without a parameter."""


def technique(name: str, deployment: Deployment) -> Technique:
    """The technique of that name, with the parameter in it.

    Args:
        name: as in `forms()`, such as prune-30@4,7; layers are indices of operators, 4-7 is four of them.
        deployment: a deployment, which tells the runtimes there are.

    Raises:
        UsageError: no technique of that name (with the nearest), or a parameter that it does not take.
    """
    text = " ".join(name.split())
    if len(text) > _LONGEST:
        raise UsageError(f"There is no technique {text[:30] + '…'!r}.", hint="Names are short: prune-30.")
    text = text.replace("runtime ", "runtime-", 1)
    known = {each.name: each for each in techniques(deployment)}
    if text in known:
        return known[text]
    head, mark, listed = text.partition("@")
    form = _form_of(head)
    if form is None:
        _refuse(text, known)
    by_cost = form.head == "prune" and listed == "auto"
    layers = layers_in(text, listed) if mark and not by_cost else ()
    if mark and not form.takes_layers:
        raise UsageError(f"{form.written} takes no layers.", hint=f"Write it as {form.example}.")
    try:
        if by_cost:
            return structural.prune_by_cost(_percent(head.removeprefix("prune-")))
        parameter = head[len(form.head) :].removeprefix("-")
        if form.head == "runtime":
            parameter = resolve_runtime(parameter, deployment.settings.hardware_directories).id
        return form.make(parameter, layers)
    except _ParameterError as error:
        raise UsageError(f"{text!r}: {error}.", hint=f"Write it as {form.example}.") from error


def forms() -> tuple[Form, ...]:
    return _FORMS


def _form_of(head: str) -> Form | None:
    fitting = [f for f in _FORMS if head == f.head or head.startswith(f"{f.head}-")]
    found = max(fitting, key=lambda f: len(f.head), default=None)
    if found is None or (head == found.head and not found.bare):
        return None
    return found


def _refuse(text: str, known: dict[str, Technique]) -> NoReturn:
    head = text.partition("@")[0]
    near = nearest(head, [*known, *(form.example.partition("@")[0] for form in _FORMS)])
    stem = head.rstrip("0123456789.x-")
    near = near or [f.example for f in _FORMS if stem and nearest(stem, [f.head])]
    hint = (
        f"Nearest: {', '.join(dict.fromkeys(near))}."
        if near
        else f"Forms: {', '.join(f.written for f in _FORMS)}."
    )
    raise UsageError(f"There is no technique {text!r}.", hint=hint)


def layers_in(text: str, listed: str) -> Layers:
    """As they are written after an @ in the technique `text`."""
    found: list[int] = []
    for part in listed.split(","):
        span = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", part.strip())
        if span is None:
            raise UsageError(f"{part!r} in {text!r} is no layer.", hint="Write layers as in prune-30@4,7.")
        first = int(span[1])
        last = first if span[2] is None else int(span[2])
        if not first <= last < first + _MOST_LAYERS:
            raise UsageError(f"{part!r} in {text!r} is no range of layers.", hint="Write it as 4-7.")
        found += range(first, last + 1)
    return tuple(dict.fromkeys(found))


class _ParameterError(Exception):
    """What is wrong with a parameter."""


def _percent(text: str, *, least: float = 1, most: float = 99) -> float:
    """30, 30% or 0.3."""
    try:
        value = float(text.removesuffix("%"))
    except ValueError:
        raise _ParameterError(f"{text!r} is no percentage") from None
    if 0 < value < 1 and not text.endswith("%"):
        value *= 100
    if not least <= value <= most:
        near = least if value < least else most
        raise _ParameterError(f"{value:g} % is outside {least:g} to {most:g} %; the nearest is {near:g}")
    return round(value, 3)


def _whole(text: str, least: int = 1) -> int:
    if not re.fullmatch(r"\d{1,6}", text) or int(text) < least:
        raise _ParameterError(f"{text!r} is no whole number of {least} or more")
    return int(text)


def _prune(text: str, layers: Layers) -> Technique:
    percent = _percent(text)
    return structural.prune_layers(percent, layers) if layers else prune(percent)


def _input(text: str, _: Layers) -> Technique:
    size = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text)
    if size is not None:
        return structural.resize_input(int(size[1]), int(size[2]))
    return structural.scale_input(_percent(text, most=400))


def _sparse(text: str, _: Layers) -> Technique:
    group = re.fullmatch(r"(\d):(\d)", text)
    if group is None:
        return sparsity.sparse(_percent(text))
    return sparsity.sparse_in_groups(int(group[1]), int(group[2]))


def _cluster(text: str, _: Layers) -> Technique:
    return sparsity.clustered(_whole(text, 2))


def _clock(text: str, _: Layers) -> Technique:
    try:
        return deployment_techniques.at_clock(parse_measure(text, Dimension.CLOCK_MHZ))
    except EdgewrightError as error:
        raise _ParameterError(f"{text!r} is no clock") from error


def _exit(text: str, _: Layers) -> Technique:
    return structural.leave_early(_whole(text, 0)) if text else structural.leave_halfway()


def _student(text: str, _: Layers) -> Technique:
    if text:
        read_spec(text)
    return structural.distil(text)


def _fuse(text: str, _: Layers) -> Technique:
    if text and text not in PARTS:
        raise _ParameterError(f"{text!r} is none of {', '.join(PARTS)}")
    return structural.fuse(*([text] if text else []))


def _alone(make: Callable[[Layers], Technique]) -> Make:
    """For names that take layers and nothing else."""

    def made(text: str, layers: Layers) -> Technique:
        if text:
            raise _ParameterError(f"{text!r} is a parameter it does not have")
        return make(layers)

    return made


def _fpu(text: str, _: Layers) -> Technique:
    if text not in ("on", "off"):
        raise _ParameterError(f"{text!r} is neither on nor off")
    return deployment_techniques.with_fpu(text == "on")


def _switch(text: str, _: Layers) -> Technique:
    if text not in ("on", "off"):
        raise _ParameterError(f"{text!r} is neither on nor off")
    return deployment_techniques.with_accelerator(text == "on")


_FORMS = (
    Form("prune", "prune-P[@LAYERS] or prune-P@auto", "prune-30@4,7",
         "P % of the channels removed: everywhere, there, or where they cost most", _prune,
         takes_layers=True),
    Form("width", "width-P", "width-75", "every layer with P % of its channels",
         lambda text, _: structural.width(_percent(text, most=400))),
    Form("align", "align-N", "align-8", "channels filled up with zeros to multiples of N",
         lambda text, _: structural.align(_whole(text, 2))),
    Form("input", "input-P or input-HxW", "input-64x64", "input images at P % of their sides, or of HxW",
         _input),
    Form("low-rank", "low-rank-P[@LAYERS]", "low-rank-50@12", "dense and pointwise layers as two of P % rank",
         lambda text, layers: structural.factorise(_percent(text), layers), takes_layers=True),
    Form("separable", "separable[@LAYERS]", "separable@3", "convolutions as a depthwise and a pointwise one",
         _alone(structural.separate), takes_layers=True, bare=True),
    Form("groups", "groups-N[@LAYERS]", "groups-4@5", "convolutions in N groups of channels",
         lambda text, layers: structural.group(_whole(text, 2), layers), takes_layers=True),
    Form("relu6", "relu6[@LAYERS]", "relu6", "HARD_SWISH, GELU, ELU, LEAKY_RELU, PRELU and swish as RELU6",
         _alone(lambda layers: structural.rectify("RELU6", layers)), takes_layers=True, bare=True),
    Form("relu", "relu[@LAYERS]", "relu", "the same as RELU",
         _alone(lambda layers: structural.rectify("RELU", layers)), takes_layers=True, bare=True),
    Form("int8-except", "int8-except@LAYERS", "int8-except@0,9", "int8, but for layers that stay in float32",
         _alone(int8_except), takes_layers=True, bare=True),
    Form("float32", "float32", "float32", "a quantised model as it was before, in float32",
         _alone(lambda _: float32()), bare=True),
    Form("int16", "int16", "int16", "16-bit activations and 8-bit weights, of a model in int8 too",
         _alone(lambda _: int16()), bare=True),
    Form("fuse", "fuse or fuse-PART", "fuse-bn", "bn, activations, pad, reshapes, transposes folded or fused",
         _fuse, bare=True),
    Form("drop-block", "drop-block[@ADDS]", "drop-block@12", "the residual block left out that an ADD ends",
         _alone(structural.drop_blocks), takes_layers=True, bare=True),
    Form("drop-layer", "drop-layer[@LAYERS]", "drop-layer@7", "a layer with equal shapes left out",
         _alone(structural.drop_layers), takes_layers=True, bare=True),
    Form("exit", "exit or exit-LAYER", "exit-12", "ends after a layer with a new head", _exit, bare=True),
    Form("student", "student or student-NAME", "student-mobilenet_v2:0.35",
         "a smaller named network instead, to be trained",
         _student, bare=True),
    Form("runtime", "runtime-ID", "runtime-x-cube-ai", "the same model with another kernel library",
         lambda text, _: deployment_techniques.on_runtime(text)),
    Form("accelerator", "accelerator-on or accelerator-off", "accelerator-off",
         "on the target's accelerator, or on its cores", _switch),
    Form("build", "build-FLAGS", "build-Ofast", "compiled with other flags that were measured",
         lambda text, _: deployment_techniques.built_with(text)),
    Form("fpu", "fpu-on or fpu-off", "fpu-off", "with or without the floating-point unit, where measured",
         _fpu),
    Form("simd-off", "simd-off", "simd-off", "as if the core had no SIMD",
         _alone(lambda _: without_simd()), bare=True),
    Form("clock", "clock-FREQUENCY", "clock-80MHz", "at another clock", _clock),
    Form("threads", "threads-N", "threads-4", "on N cores at once",
         lambda text, _: deployment_techniques.on_threads(_whole(text))),
    Form("batch", "batch-N", "batch-8", "N inferences at once",
         lambda text, _: deployment_techniques.in_batches(_whole(text))),
    Form("sparse", "sparse-P or sparse-N:M", "sparse-2:4",
         "P % of the weights zero, or N of M neighbours", _sparse),
    Form("cluster", "cluster-N", "cluster-16", "N different values among a layer's weights", _cluster),
)  # fmt: skip


_OF_MEMORY_LISTED = (
    ("in-place", "elementwise operators write over their input", "minutes"),
    ("concat-in-place", "what is concatenated is written where it ends up", "minutes"),
    ("bands-2, bands-4, bands-8", "the first block computed in horizontal bands", "redesign"),
)


def listed() -> Iterator[tuple[str, str, str]]:
    """How each technique is written, what it does and its effort: forms first, then what has no parameter."""
    for form in _FORMS:
        head, _, layers = form.example.partition("@")
        made = form.make(
            head[len(form.head) :].removeprefix("-"), layers_in(form.example, layers) if layers else ()
        )
        yield form.written, form.about, made.effort
    heads = tuple(form.head for form in _FORMS)
    for each in of_models():
        if not each.name.startswith(heads):
            yield each.name, each.about, each.effort
    yield from _OF_MEMORY_LISTED
