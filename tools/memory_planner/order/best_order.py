"""Which order of operators, and which packing, a model could be given to need less memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....hardware_db import Planner
from ...core.deployment import Deployment
from ...core.records import dataclass, replace
from ...graph import ModelGraph
from ...graph.serialize import graph_sha256
from ...graph.shapes.change import with_batch
from ..arena import plain_liveness
from ..kernels.kernel_call import UnplannableError
from ..litert.arena import litert_offsets, litert_spans
from ..litert.sharing import merged_buffers, shared_tensors
from ..liveness import Buffer, Liveness
from ..memory_plan import MemoryPlan, PlannedTensor
from ..reporting import plan
from ..terms import ArenaTerms, arena_terms
from ..tflm.arena import head_offsets, tflm_liveness
from ..tflm.greedy import greedy_offsets
from ..tflm.offline_plan import LEFT_TO_PLANNER
from ..tflm.persistent import ALIGNMENT as TFLM_ALIGNMENT
from .advice import STORES_EVERY_TENSOR, advice_of, assumptions_of
from .best_packing import HEURISTIC, PAIRS_AT_MOST, FoundPacking, PackingProblem, find_packing
from .order_report import ArenaFigures, OrderReport
from .packing_solver import solver_name
from .problem import OrderProblem, order_problem
from .search import OPS_AT_MOST, FoundOrder, Progress, find_order

_ORDER_SHARE = 0.6
_PLAN_VERSION = 1


@dataclass(frozen=True)
class _Arranged:
    """One order of the operators with what it takes."""

    graph: ModelGraph
    lives: Liveness
    buffers: tuple[Buffer, ...]
    """Those that are used and have memory of their own."""
    plan: MemoryPlan
    packing: FoundPacking | None


def reordered(graph: ModelGraph, order: Sequence[int]) -> ModelGraph:
    """The same model with the operators of its main subgraph in another order, each given by its index."""
    ops = tuple(replace(graph.ops[old], index=new) for new, old in enumerate(order))
    main = replace(graph.main, ops=ops)
    changed = replace(
        graph,
        subgraphs=(main, *graph.subgraphs[1:]),
        history=(*graph.history, "best order"),
        offline_plans=(),
    )
    return replace(changed, sha256=graph_sha256(changed))


def search(
    graph: ModelGraph, deployment: Deployment, time_limit_s: float, progress: Progress | None = None
) -> OrderReport:
    terms = arena_terms(deployment)
    try:
        as_is = _arranged(graph, deployment, terms, time_limit_s / 2 * (1 - _ORDER_SHARE), progress)
        problem = _problem(as_is, terms)
        found = find_order(problem, time_limit_s * _ORDER_SHARE, progress)
    except UnplannableError as unknown:
        return _unknown(deployment, terms, str(unknown))
    best = as_is
    if list(found.order) != list(range(len(graph.ops))):
        share = time_limit_s / 2 * (1 - _ORDER_SHARE)
        best = _arranged(reordered(graph, found.order), deployment, terms, share, progress)
        if _least_arena(best) > _least_arena(as_is):
            as_given = tuple(range(len(graph.ops)))
            best, found = as_is, FoundOrder(as_given, problem.peak(as_given), found.bound)
    return _report(deployment, terms, as_is, best, problem, found)


def _least_arena(arranged: _Arranged) -> int:
    """As the planner or, if that is less, the packing places the buffers."""
    arena = arranged.plan.arena_nonpersistent_bytes or 0
    return arena if arranged.packing is None else min(arena, arranged.packing.top)


def _arranged(
    graph: ModelGraph,
    deployment: Deployment,
    terms: ArenaTerms,
    time_limit_s: float,
    progress: Progress | None,
) -> _Arranged:
    """
    Raises:
        UnplannableError: the model cannot be planned.
    """
    planned = plan(graph, deployment)
    if planned.arena_nonpersistent_bytes is None:
        raise UnplannableError(planned.warnings[0].removeprefix("arena not known: "))
    if deployment.batch > 1:
        graph = with_batch(graph, deployment.batch)
    lives = plain_liveness(graph) if terms.interpreter is None else tflm_liveness(graph, terms.interpreter)
    buffers = tuple(b for b in lives.buffers if b.is_used)
    if terms.planner is Planner.LITERT_ARENA:
        buffers = tuple(merged_buffers(graph.main, buffers)[0])
    if terms.planner not in STORES_EVERY_TENSOR or not buffers:
        return _Arranged(graph, lives, buffers, planned, None)
    problem = packing_problem(graph, lives, buffers, terms)
    if progress:
        progress(f"packing: {len(buffers):,} buffers, no packing below {problem.floor:,} bytes")
    given = _planners_offsets(graph, lives, buffers, terms)
    return _Arranged(graph, lives, buffers, planned, find_packing(problem, given, time_limit_s))


def alignment_of(terms: ArenaTerms) -> int:
    return TFLM_ALIGNMENT if terms.interpreter is not None else terms.alignment or 1


def packing_problem(
    graph: ModelGraph, lives: Liveness, buffers: Sequence[Buffer], terms: ArenaTerms
) -> PackingProblem:
    alignment = alignment_of(terms)
    spans = [(max(0, b.first), b.last) for b in buffers]
    if terms.planner is Planner.LITERT_ARENA:
        spans = litert_spans(graph, buffers, len(lives.op_of_step))
    return PackingProblem(
        tuple(-(-b.bytes // alignment) * alignment for b in buffers),
        tuple(first for first, _ in spans),
        tuple(last for _, last in spans),
    )


def _planners_offsets(
    graph: ModelGraph, lives: Liveness, buffers: tuple[Buffer, ...], terms: ArenaTerms
) -> list[int]:
    if terms.planner is Planner.LITERT_ARENA:
        return [int(o) for o in litert_offsets(graph, buffers, len(lives.op_of_step), alignment_of(terms))]
    if terms.interpreter is not None:
        return [int(o) for o in head_offsets(graph, buffers)]
    return [int(o) for o in greedy_offsets(buffers, alignment_of(terms))]


def _problem(arranged: _Arranged, terms: ArenaTerms) -> OrderProblem:
    is_litert = terms.planner is Planner.LITERT_ARENA
    return order_problem(
        arranged.graph,
        arranged.lives,
        alignment_of(terms),
        keeps_inputs=is_litert,
        holders=shared_tensors(arranged.graph.main) if is_litert else None,
    )


def _report(
    deployment: Deployment,
    terms: ArenaTerms,
    as_is: _Arranged,
    best: _Arranged,
    problem: OrderProblem,
    found: FoundOrder,
) -> OrderReport:
    before = _figures(as_is, problem, tuple(range(len(found.order))))
    after = before if best is as_is else _figures(best, problem, found.order)
    packed = best.packing
    by_packing = 0 if after.packed_bytes is None else after.arena_bytes - after.packed_bytes
    offline_plan = _offline_plan(best) if terms.interpreter is not None and by_packing > 0 else ()
    report = OrderReport(
        deployment=deployment.ref,
        planner=terms.planner.value,
        order=found.order,
        moved_ops=sum(old != new for new, old in enumerate(found.order)),
        before=before,
        after=after,
        peak_bound_bytes=found.bound,
        order_is_proven=found.is_proven,
        packing_is_proven=packed is not None and packed.is_proven,
        saved_by_order_bytes=before.arena_bytes - after.arena_bytes,
        saved_by_packing_bytes=by_packing,
        advice="",
        placement=_placement(best),
        offline_plan=offline_plan,
        packed_by=packed.found_by if packed else "",
        assumptions=(*assumptions_of(terms, solver_name() or HEURISTIC), *_left_out(problem, packed)),
        warnings=as_is.plan.warnings,
    )
    return report.model_copy(update={"advice": advice_of(report)})


def _left_out(problem: OrderProblem, packed: FoundPacking | None) -> Iterator[str]:
    """What was not sought, as the model is too large."""
    if len(problem.before) > OPS_AT_MOST:
        yield f"of more than {OPS_AT_MOST:,} operators no order is sought but each as late as possible"
    if packed is not None and not packed.is_sought:
        yield f"no other packing was sought: more than {PAIRS_AT_MOST:,} pairs of buffers are alive together"


def _figures(arranged: _Arranged, problem: OrderProblem, order: tuple[int, ...]) -> ArenaFigures:
    live = problem.live_bytes(order)
    arena = arranged.plan.arena_nonpersistent_bytes
    assert arena is not None
    packing = arranged.packing
    return ArenaFigures(
        peak_bytes=problem.peak(order),
        peak_op=arranged.graph.ops[live.index(max(live))].label if live else "",
        arena_bytes=arena,
        packed_bytes=None if packing is None else min(packing.top, arena),
        packed_bound_bytes=None if packing is None else min(packing.bound, arena),
    )


def _placement(best: _Arranged) -> tuple[PlannedTensor, ...]:
    if best.packing is None:
        return ()
    subgraphs = best.graph.subgraphs
    return tuple(
        PlannedTensor(
            tensor=b.tensor,
            name_untrusted="" if b.tensor is None else subgraphs[b.subgraph].tensors[b.tensor].name_untrusted,
            bytes=b.bytes,
            offset=offset,
            first_op=best.lives.op_at(b.first),
            last_op=best.lives.op_at(b.last),
            subgraph=b.subgraph,
        )
        for b, offset in zip(best.buffers, best.packing.offsets, strict=True)
    )


def _offline_plan(best: _Arranged) -> tuple[int, ...]:
    assert best.packing is not None
    placed = {(b.subgraph, b.tensor): o for b, o in zip(best.buffers, best.packing.offsets, strict=True)}
    offsets = [
        placed.get((number, tensor.index), LEFT_TO_PLANNER)
        for number, sub in enumerate(best.graph.subgraphs)
        for tensor in sub.tensors
    ]
    return (_PLAN_VERSION, 0, len(offsets), *offsets)


def _unknown(deployment: Deployment, terms: ArenaTerms, reason: str) -> OrderReport:
    return OrderReport(
        deployment=deployment.ref,
        planner=terms.planner.value,
        order=(),
        moved_ops=0,
        before=None,
        after=None,
        peak_bound_bytes=None,
        order_is_proven=False,
        packing_is_proven=False,
        saved_by_order_bytes=0,
        saved_by_packing_bytes=0,
        advice="No order can be sought: the arena is not known.",
        placement=(),
        offline_plan=(),
        packed_by="",
        warnings=(f"arena not known: {reason}",),
    )
