"""What Vela makes of a model on a deployment, where it is installed and there is a file to compile."""

from __future__ import annotations

import functools

from ...hardware_db.errors import install_line
from ..core.deployment import Deployment
from ..core.records import dataclass
from ..core.settings import VELA_VARIABLE, Vela
from ..graph import ModelGraph
from ..model_formats.origins import file_of, origin_of
from .asked import is_for_vela
from .compiled import Compiled
from .kernel import holds_compiled_parts
from .process import VelaFailedError, compile_model, vela_version
from .system import System, system_of

_KEPT = 64
_BY_RULES = "operators judged by Vela's published rules, not by Vela itself"


@dataclass(frozen=True)
class VelaAnswer:
    compiled: Compiled | None
    notes: tuple[str, ...] = ()
    """Who answers, and why it is not Vela: fit for assumptions."""
    gave_up: str = ""
    """Why Vela, which was asked, made nothing of the model."""


_NOT_ASKED = VelaAnswer(None)


def vela_answer(graph: ModelGraph, deployment: Deployment) -> VelaAnswer:
    """Vela's result for a graph that was read from a file; compiled once for each file and configuration.

    Clock and size of the NPU and the target's memories decide what Vela is given. Where it cannot be asked
    `compiled` is None, and `notes` say what answers instead; empty where Vela has no part in it.
    """
    if not is_for_vela(deployment):
        return _NOT_ASKED
    reason = _unasked(graph, deployment)
    system = None if reason else system_of(deployment)
    if system is None:
        why = reason or "no source tells the size of the NPU or its memories"
        return VelaAnswer(None, (f"{_BY_RULES}: {why}",))
    return _compiled(_Source(graph), system)


def _unasked(graph: ModelGraph, deployment: Deployment) -> str:
    match deployment.settings.vela:
        case Vela.RULES:
            return "changed models are compared, of which there are no files"
        case Vela.OFF:
            return f"it is switched off ({VELA_VARIABLE})"
        case Vela.COMPILER:
            pass
    if vela_version() is None:
        return f"it is not installed ({install_line('ethos-u')})"
    if holds_compiled_parts(graph):
        return "it has compiled the model already, and the file does not tell what of it takes how long"
    if origin_of(graph) is None:
        return "there is no .tflite file to compile"
    return "it compiles one inference, not a batch" if deployment.batch > 1 else ""


@dataclass(frozen=True)
class _Source:
    """A graph; the same as another of the same content and the same file."""

    graph: ModelGraph

    def __hash__(self) -> int:
        return hash(self.graph.sha256)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Source) and (
            other.graph.sha256 == self.graph.sha256 and origin_of(other.graph) == origin_of(self.graph)
        )


@functools.lru_cache(maxsize=_KEPT)
def _compiled(source: _Source, system: System) -> VelaAnswer:
    model = file_of(source.graph)
    if model is None:
        return VelaAnswer(None, (f"{_BY_RULES}: the model file has changed",))
    try:
        compiled = compile_model(source.graph, model, system)
    except VelaFailedError as failed:
        return VelaAnswer(None, (f"which operators run is not known: {failed}",), str(failed))
    return VelaAnswer(compiled, (f"compiled by Vela {compiled.version}", *system.assumptions))
