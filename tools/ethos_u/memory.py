"""Arena and file of a model as Vela compiled it: the plan of the compiled file in place of the model's."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..compatibility_scorer.host import cpu_side
from ..deployments import Deployment
from ..graph import ModelGraph
from ..memory_planner.kernel_call import UnplannableError
from ..quantity import Quantity
from .vela import vela_answer

if TYPE_CHECKING:
    from ..memory_planner.arena import Arena
    from ..memory_planner.flash import Flash


@dataclass(frozen=True)
class CompiledMemory:
    arena: Arena
    flash: Flash


def compiled_memory(graph: ModelGraph, where: Deployment, flash: Flash) -> CompiledMemory | None:
    """What the interpreter beside the NPU needs for the compiled file; None where Vela did not compile it.

    The interpreter is that of the runtime which computes what the NPU does not. It obeys the offsets that
    Vela wrote into the file; the NPU's scratch memory is one of the file's tensors.
    """
    from ..memory_planner.arena import demand_of, plain_liveness, plan_arena
    from ..memory_planner.terms import arena_terms
    from ..memory_planner.tflm_arena import tflm_liveness

    compiled, side = vela_answer(graph, where).compiled, cpu_side(where)
    if compiled is None or side is None:
        return None
    terms = arena_terms(side)
    try:
        if terms.interpreter is not None:
            demand = demand_of(
                compiled.graph, tflm_liveness(compiled.graph, terms.interpreter), in_place=False
            )
        else:
            demand = demand_of(compiled.graph, plain_liveness(compiled.graph), in_place=False)
        arena = plan_arena(compiled.graph, terms, demand)
    except UnplannableError:
        return None
    told = (f"arena of {side.runtime.id} for the file that Vela compiled, with the offsets that Vela chose",)
    own = replace(arena, buffers=(), offsets=None, assumptions=(*arena.assumptions, *told))
    model = Quantity.exact(compiled.graph.file_bytes or 0, "B")
    kept = "the model file is the one that Vela compiled"
    return CompiledMemory(own, replace(flash, model=model, assumptions=(*flash.assumptions, kept)))
