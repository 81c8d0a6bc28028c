"""Arena and file of a model as Vela compiled it: the plan of the compiled file in place of the model's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.deployment import Deployment
from ..core.quantity import Quantity
from ..core.records import dataclass, replace
from ..ethos_u.asked import is_for_vela
from ..ethos_u.kernel import holds_compiled_parts
from ..ethos_u.vela import vela_answer
from ..graph import ModelGraph
from ..placement.host import cpu_side
from .arena import demand_of, plain_liveness, plan_arena
from .flash.flash import CONVERTERS_TELL, flash_of
from .kernels.kernel_call import UnplannableError
from .terms import arena_terms, flash_terms
from .tflm.arena import tflm_liveness

if TYPE_CHECKING:
    from .arena import Arena
    from .flash.flash import Flash


@dataclass(frozen=True)
class CompiledMemory:
    arena: Arena
    flash: Flash


def compiled_memory(graph: ModelGraph, deployment: Deployment) -> CompiledMemory | None:
    """What the interpreter beside the NPU needs for the compiled file; None where Vela did not compile it.

    The interpreter is that of the runtime which computes what the NPU does not. It obeys the offsets that
    Vela wrote into the file; the NPU's scratch memory is one of the file's tensors.
    """
    made, side = _compiled_file(graph, deployment), cpu_side(deployment)
    if made is None or side is None:
        return None
    terms = arena_terms(side)
    try:
        if terms.interpreter is not None:
            lives = tflm_liveness(made, terms.interpreter)
        else:
            lives = plain_liveness(made)
        arena = plan_arena(made, terms, demand_of(made, lives, in_place=False))
    except UnplannableError:
        return None
    notes = (f"arena of {side.runtime.id} for the file that Vela compiled, with the offsets that Vela chose",)
    own = replace(arena, buffers=(), offsets=None, assumptions=(*arena.assumptions, *notes))
    model = Quantity.exact(made.file_bytes or 0, "B")
    flash = flash_of(made, flash_terms(deployment))
    of_code = [line for line in flash.assumptions if line not in CONVERTERS_TELL]
    kept = "the model file is the one that Vela compiled"
    return CompiledMemory(own, replace(flash, model=model, assumptions=(*of_code, kept)))


def _compiled_file(graph: ModelGraph, deployment: Deployment) -> ModelGraph | None:
    """The graph itself where Vela compiled it before it came here."""
    if is_for_vela(deployment) and holds_compiled_parts(graph):
        return graph
    compiled = vela_answer(graph, deployment).compiled
    return None if compiled is None else compiled.graph
