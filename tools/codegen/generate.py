"""Which code belongs to a model on a deployment."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field

from ...hardware_db import Planner, TargetClass
from ..compatibility_scorer.penalties import DEFAULT_WEIGHTS
from ..compatibility_scorer.scorer import PlacedModel, score
from ..core.deployment import Deployment
from ..core.records import dataclass, replace
from ..cost_model.external_memory import with_placements
from ..graph import ModelGraph
from ..memory_planner.memory_plan import MemoryPlan
from ..memory_planner.reporting import plan as memory_plan
from ..placement.op_placement import Runs
from . import hosted, tflm, vendor
from .esp_idf import ESP_IDF, is_supported
from .firmware_code import FirmwareCode
from .instrumented import Instrument, board_files, main_file
from .interpreter import ALIGNMENT
from .operators import ETHOS_U, Registration, Registrations, registrations
from .platformio import PLATFORMIO
from .project import MODEL, Builder, BuildSystem, Project
from .zephyr import ZEPHYR


@dataclass(frozen=True)
class Draft:
    """What is known of the code so far."""

    files: dict[str, str] = field(default_factory=dict)
    array_head: str = ""
    """What stands before the bytes of the model's array."""
    commands: tuple[str, ...] = ()
    arena_bytes: int | None = None
    operators: tuple[str, ...] = ()
    why_not: str = ""
    notes: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wanted:
    one_type: bool = False
    """Kernels of one type alone where all operators of a kind have it."""
    system: BuildSystem | None = None
    """That a whole project is for."""
    instrument: Instrument | None = None
    """For firmware that measures itself."""


Write = Callable[[ModelGraph, Deployment, Wanted], Draft]


BUILDERS: Mapping[BuildSystem, Builder] = {
    BuildSystem.ESP_IDF: ESP_IDF,
    BuildSystem.PLATFORMIO: PLATFORMIO,
    BuildSystem.ZEPHYR: ZEPHYR,
}


def code_for(graph: ModelGraph, deployment: Deployment, wanted: Wanted) -> FirmwareCode:
    draft = _draft(graph, deployment, wanted)
    return FirmwareCode(
        model=graph.name,
        deployment=deployment.ref,
        files=draft.files,
        commands=draft.commands,
        arena_bytes=draft.arena_bytes,
        operators=draft.operators,
        why_not=draft.why_not,
        notes=draft.notes,
        assumptions=(*deployment.assumptions, *draft.assumptions),
        warnings=draft.warnings,
    )


def _draft(graph: ModelGraph, deployment: Deployment, wanted: Wanted) -> Draft:
    runtime = deployment.runtime
    if runtime.planner is Planner.TFLM_GREEDY:
        is_espressif = "espressif" in deployment.target.vendor.casefold()
        if wanted.system is None and is_espressif and is_supported(deployment.target.id):
            wanted = replace(wanted, system=BuildSystem.ESP_IDF)
        if wanted.system is not None:
            return _project(graph, deployment, wanted, wanted.system)
        return _with_main(_tflm(graph, deployment, wanted), wanted)
    if wanted.system is not None:
        return Draft(why_not=f"A project is written for TFLite Micro alone, not for {runtime.id}.")
    if _is_ethos_u(deployment):
        return _with_main(_ethos_u(graph, deployment, wanted), wanted)
    return _OTHERS.get(runtime.id, _unknown)(graph, deployment, wanted)


def _is_ethos_u(deployment: Deployment) -> bool:
    return deployment.runtime.id in ("ethos-u", "ethos-u85") and deployment.target.target_class in (
        TargetClass.MCU,
        TargetClass.NPU,
    )


def can_measure_itself(deployment: Deployment) -> bool:
    """Whether its firmware is TFLite Micro's."""
    return deployment.runtime.planner is Planner.TFLM_GREEDY or _is_ethos_u(deployment)


def _with_main(draft: Draft, wanted: Wanted) -> Draft:
    if wanted.instrument is None or not draft.files:
        return draft
    return replace(draft, files=draft.files | main_file())


def _tflm(
    graph: ModelGraph,
    deployment: Deployment,
    wanted: Wanted,
    first: Sequence[Registration] = (),
    skipped: frozenset[int] = frozenset(),
    file: str = MODEL,
    toolchains: Collection[str] | None = None,
) -> Draft:
    if graph.format == "onnx":
        return Draft(why_not="TFLite Micro reads .tflite files: convert the model first.")
    found = registrations(graph, one_type=wanted.one_type, skipped=skipped)
    if found.missing:
        names = ", ".join(found.missing)
        return Draft(
            why_not=f"TFLite Micro's resolver has no method for {names}: the model does not run on it."
        )
    needed = Registrations((*first, *found.calls), ())
    plan = with_placements(graph, deployment, memory_plan(graph, deployment))
    arena, model = tflm.placed_arena(plan, toolchains), tflm.placed_model(plan, toolchains)
    size = tflm.arena_size(graph, deployment, plan)
    head = tflm.array_head(model)
    files = {
        tflm.HEADER: tflm.header_text(graph, deployment, size),
        tflm.SOURCE: tflm.source_text(graph, needed, arena, measured=wanted.instrument is not None),
    }
    if wanted.instrument is not None:
        files |= board_files(graph, deployment, wanted.instrument, None if wanted.system else head)
    return Draft(
        files=files,
        array_head=head,
        commands=() if tflm.DATA in files else (tflm.data_command(model, file),),
        arena_bytes=size,
        operators=tuple(call.method for call in needed.calls),
        notes=(*_notes(plan, needed, model, size), *_of_measuring(wanted.instrument)),
        assumptions=plan.assumptions[len(deployment.assumptions) :],
        warnings=(*plan.warnings, *([f"It does not fit: {plan.why_not}."] if plan.fits is False else [])),
    )


def _notes(plan: MemoryPlan, needed: Registrations, model: tflm.Placed, size: int | None) -> list[str]:
    notes = []
    if size is None:
        notes.append("The arena is not known: TENSOR_ARENA_SIZE is yours to define.")
    elif size - (plan.arena_bytes or 0) >= ALIGNMENT:
        notes.append(
            f"{plan.arena_bytes:,} bytes of the arena are planned; the rest is for setting up and for what "
            "the plan leaves open. Less may do, down to ArenaUsedBytes()."
        )
    own = sum(bool(call.declaration) for call in needed.calls)
    if own:
        notes.append(
            f"{own} custom operators are yours to define; their names are as the parser cleaned them."
        )
    if model.script:
        notes.append(f"The model's array: {model.script}")
    return notes


def _of_measuring(instrument: Instrument | None) -> tuple[str, ...]:
    if instrument is None:
        return ()
    port = "board_port.h says what may have to be changed for the board: its UART, its counter, its clock."
    return (*instrument.notes, port)


def _project(graph: ModelGraph, deployment: Deployment, wanted: Wanted, system: BuildSystem) -> Draft:
    builder = BUILDERS[system]
    draft = _tflm(graph, deployment, wanted, toolchains=builder.toolchains)
    target = deployment.target.id
    project = Project(target, deployment.runtime.id, deployment.core, draft.files, draft.array_head)
    why_not = draft.why_not or builder.why_not(project)
    if why_not:
        return Draft(why_not=why_not)
    return replace(
        draft,
        files=builder.files(project),
        commands=(f"cp YOUR.tflite {MODEL}", *builder.commands(project)),
        notes=(*draft.notes, f"A project for {system.written}: the commands run in its folder."),
    )


def _ethos_u(graph: ModelGraph, deployment: Deployment, wanted: Wanted) -> Draft:
    """The operators that Vela leaves, and the one that it makes of the rest."""
    if any(op.custom_code_untrusted == ETHOS_U for op in graph.ops):
        return _with_driver(_tflm(graph, deployment, wanted), "The model is compiled for the NPU already.")
    placed = score(PlacedModel.of(graph, deployment), DEFAULT_WEIGHTS).ops
    gone = frozenset(op.index for op in placed if op.runs is Runs.ACCELERATED)
    if wanted.instrument is not None:
        wanted = replace(wanted, instrument=replace(wanted.instrument, model=None))
    draft = _tflm(
        graph, deployment, wanted, (Registration("AddEthosU"),) if gone else (), gone, "model_vela.tflite"
    )
    compiled = replace(draft, commands=(*vendor.vela(deployment), *draft.commands))
    return _with_driver(compiled, f"{len(gone)} of {len(placed)} operators go to the NPU as one.")


def _with_driver(draft: Draft, note: str) -> Draft:
    driver = "Link the Ethos-U core driver, and set it up before SetUpModel()."
    return replace(draft, notes=(*draft.notes, note, driver)) if draft.files else draft


def _stedgeai(graph: ModelGraph, deployment: Deployment, _: Wanted) -> Draft:
    model = f"model.{'onnx' if graph.format == 'onnx' else 'tflite'}"
    return Draft(
        commands=vendor.stedgeai(deployment, model),
        why_not="ST Edge AI Core writes the program itself: there is nothing to paste.",
    )


def _tinyengine(graph: ModelGraph, _: Deployment, __: Wanted) -> Draft:
    if graph.format == "onnx":
        return Draft(why_not="TinyEngine reads .tflite files: convert the model first.")
    return Draft(
        commands=vendor.tinyengine(),
        why_not="TinyEngine's code generator writes the program itself: there is nothing to paste.",
        notes=("Run the command in a checkout of mit-han-lab/tinyengine, with model.tflite beside it.",),
    )


_MLIR_TYPES = {
    "int8": "i8", "uint8": "ui8", "int16": "i16", "int32": "i32", "float32": "f32", "float16": "f16",
}  # fmt: skip


def _torq(graph: ModelGraph, _: Deployment, __: Wanted) -> Draft:
    first = graph.inputs[0] if graph.inputs else None
    shape = "x".join(map(str, first.shape)) if first is not None and first.shape else "SHAPE"
    dtype = _MLIR_TYPES.get(str(first.dtype), "i8") if first is not None else "i8"
    return Draft(
        commands=vendor.torq(f"model.{'onnx' if graph.format == 'onnx' else 'tflite'}", shape, dtype),
        why_not="The Torq compiler writes the program itself: there is nothing to paste.",
        notes=(
            "Profiling is off without --torq-enable-profiling; without --torq-dump-profiling the timeline is "
            "timeline.csv. The number of the phase's dump may differ.",
            "--torq_profile is of the host's simulation, which is not cycle-accurate. Newer releases keep "
            "debug information by --torq-debug-info=DIR, run by torq-run-module --torq_profile_host=FILE, "
            "and annotate into .csv, .xlsx or .pb; edgewright import reads all of them.",
        ),
    )


def _litert(graph: ModelGraph, deployment: Deployment, _: Wanted) -> Draft:
    if graph.format == "onnx":
        return Draft(why_not="LiteRT reads .tflite files: convert the model first.")
    return Draft(files=hosted.litert(deployment))


def _edgetpu(graph: ModelGraph, deployment: Deployment, _: Wanted) -> Draft:
    if graph.format == "onnx":
        return Draft(why_not="The Edge TPU's compiler reads .tflite files: convert the model first.")
    return Draft(files=hosted.edgetpu(deployment), commands=vendor.edgetpu_compiler())


def _onnxruntime(graph: ModelGraph, deployment: Deployment, _: Wanted) -> Draft:
    notes = (
        () if graph.format == "onnx" else ("The session reads model.onnx: export the model in that format.",)
    )
    return Draft(files=hosted.onnxruntime(deployment), notes=notes)


def _openvino(graph: ModelGraph, deployment: Deployment, _: Wanted) -> Draft:
    return Draft(files=hosted.openvino(deployment, f"model.{'onnx' if graph.format == 'onnx' else 'tflite'}"))


def _unknown(_: ModelGraph, deployment: Deployment, __: Wanted) -> Draft:
    return Draft(why_not=f"No source that was read tells what to write for {deployment.runtime.id}.")


_OTHERS: dict[str, Write] = {
    "edgetpu": _edgetpu,
    "litert-xnnpack": _litert,
    "neural-art": _stedgeai,
    "onnxruntime": _onnxruntime,
    "openvino": _openvino,
    "tinyengine": _tinyengine,
    "torq": _torq,
    "x-cube-ai": _stedgeai,
}
