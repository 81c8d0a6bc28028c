"""Where each operator runs: the rules are asked in order, and the first that applies decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ...hardware_db import Fallback
from ..deployments import Deployment
from ..graph import ModelGraph
from . import speed, support
from .host import HOST, cpu_side
from .partition import mapped
from .remedies import faster, remedy
from .report import OpPlacement, Runs
from .site import Finding, OpSite, Outcome, Rule, called_subgraphs, foldable

FALLBACK = "fallback"
UNTOLD = "untold"
_RUNS = {Outcome.REFUSED: False, Outcome.UNKNOWN: None}
_STATES = {True: Runs.CPU, False: Runs.NOT, None: Runs.UNKNOWN}


@dataclass(frozen=True)
class Placed:
    """An operator's placement, and the name of the rule that decided it."""

    placement: OpPlacement
    cause: str
    kind: str
    """As `placement.op`, without what the file calls a custom operator: fit for a sentence."""
    decided_by: str = ""
    """The rule behind a fallback; as `cause` elsewhere."""


@dataclass(frozen=True)
class Given:
    """What somebody else decided of an operator, such as the accelerator's own compiler."""

    accelerated: bool
    reason: str


def place_operators(
    graph: ModelGraph,
    where: Deployment,
    chain: tuple[int, ...] = (0,),
    given: Mapping[int, Given] | None = None,
) -> tuple[Placed, ...]:
    """Placements of a subgraph's operators, in order; the main one's unless `chain` leads to another.

    They follow from the graph's operators and tensors (not from weights), and from the deployment's target,
    core, accelerator and runtime; neither clock nor batch matters.

    Args:
        given: by index of the subgraph's operators, what was decided elsewhere; the rules decide of the
            others, and where those run that are not accelerated. It is final: no piece is left out of it.
    """
    subgraph = graph.subgraphs[chain[-1]]
    ahead = foldable(subgraph) if where.runtime.folds_constants else frozenset[int]()
    sites = [OpSite.of(op, graph, where, chain, folded=op.index in ahead) for op in subgraph.ops]
    if given is not None:
        return tuple([_as_given(site, given.get(site.op.index)) for site in sites])
    placed = [_placed(site) for site in sites]
    taken = [p.placement.runs in {Runs.ACCELERATED, Runs.UNTOLD} for p in placed]
    kept = mapped(subgraph, taken, where.runtime.partition)
    return tuple(
        [
            p
            if not takes or index in kept
            else _left_to_cpu(sites[index], left_out, Finding(Outcome.REFUSED))
            for index, (p, takes) in enumerate(zip(placed, taken, strict=True))
        ]
    )


def called_operators_run(site: OpSite) -> Finding | None:
    """Control flow runs only if every operator of the subgraphs that it calls does."""
    for called in called_subgraphs(site.op):
        if called in site.chain or not 0 < called < len(site.graph.subgraphs):
            return Finding(Outcome.REFUSED, f"subgraph {called} cannot be called from here")
        for placed in place_operators(site.graph, site.where, (*site.chain, called)):
            inner = placed.placement
            if not inner.supported:
                outcome = Outcome.UNKNOWN if inner.supported is None else Outcome.REFUSED
                return Finding(
                    outcome, f"in subgraph {called}, {placed.kind} ({inner.index}): {inner.reason}"
                )
    return None


def left_out(_site: OpSite) -> Finding | None:
    """The accelerator could compute it, but another operator cuts it off from the part that it is given."""
    return None


def decided_elsewhere(_site: OpSite) -> Finding | None:
    """The accelerator's compiler decided."""
    return None


_RULES: tuple[Rule, ...] = (speed.computed_ahead, *support.RULES, called_operators_run, *speed.RULES)


def _placed(site: OpSite) -> Placed:
    rule, found = next((rule, found) for rule in _RULES if (found := rule(site)) is not None)
    reason = _reason(rule, found)
    match found.outcome:
        case Outcome.FAST:
            return _at(site, rule, True, reason, optimized=True)
        case Outcome.SLOW:
            return _at(site, rule, True, reason, faster(site))
        case Outcome.UNKNOWN if _surely_on_cpu(site):
            told = f"Where it runs is not told; at worst the CPU runs it. {reason}"
            return _on_cpu(site, UNTOLD, rule, told)
        case Outcome.UNKNOWN:
            return _at(site, rule, None, reason, remedy(site, rule))
    return _left_to_cpu(site, rule, found)


def _left_to_cpu(site: OpSite, rule: Rule, found: Finding) -> Placed:
    """What the accelerator does not compute, for the reason `found`."""
    reason = _reason(rule, found)
    if site.where.accelerator is None or site.runtime.fallback is not Fallback.CPU:
        return _at(site, rule, False, reason, remedy(site, rule))
    if refused := _refused_by_cpu(site):
        told = f"The accelerator does not take it, nor does the CPU. {refused.evidence}"
        return _at(site, rule, _RUNS[refused.outcome], told, remedy(site, rule))
    return _on_cpu(site, FALLBACK, rule, f"The accelerator does not take it, so the CPU runs it. {reason}")


def _as_given(site: OpSite, given: Given | None) -> Placed:
    if given is None:
        return _placed(site)
    found = Finding(Outcome.FAST if given.accelerated else Outcome.REFUSED, given.reason)
    if given.accelerated:
        return _at(site, decided_elsewhere, True, _reason(decided_elsewhere, found), optimized=True)
    return _left_to_cpu(site, decided_elsewhere, found)


def _surely_on_cpu(site: OpSite) -> bool:
    """Whether the CPU's kernels take an operator of which the accelerator's sources say nothing."""
    falls_back = site.where.accelerator is not None and site.runtime.fallback is Fallback.CPU
    return falls_back and _cpu_site(site) is not None and _refused_by_cpu(site) is None


def _refused_by_cpu(site: OpSite) -> Finding | None:
    """What the runtime that computes it instead has against the operator; None where that is not told."""
    there = _cpu_site(site)
    if there is None:
        return None
    found = ((rule, rule(there)) for rule in support.RULES)
    return next((Finding(f.outcome, _reason(rule, f)) for rule, f in found if f is not None), None)


def _cpu_site(site: OpSite) -> OpSite | None:
    """The operator under the first runtime named for the fallback that drives the core."""
    side = cpu_side(site.where)
    return None if side is None else site.under(side)


def _on_cpu(site: OpSite, cause: str, rule: Rule, reason: str) -> Placed:
    processor = HOST if site.where.target.needs_host else site.where.core.id
    runs = Runs.FALLBACK if cause == FALLBACK else Runs.UNTOLD
    placed = _at(site, rule, True, reason, remedy(site, rule))
    placement = placed.placement.model_copy(update={"processor": processor, "runs": runs})
    return replace(placed, placement=placement, cause=cause)


def _at(
    site: OpSite,
    rule: Rule,
    supported: bool | None,
    reason: str,
    remedy: str = "",
    *,
    optimized: bool = False,
) -> Placed:
    accelerator = site.where.accelerator
    here = accelerator.id if accelerator else site.where.core.id
    placement = OpPlacement(
        index=site.op.index,
        op=site.op.label,
        supported=supported,
        runs=Runs.ACCELERATED if supported and accelerator else _STATES[supported],
        processor=here if supported else "",
        optimized=optimized,
        reason=reason,
        remedy=remedy,
    )
    return Placed(placement, rule.__name__, site.op.kind, rule.__name__)


def _reason(rule: Rule, found: Finding) -> str:
    """The rule's sentence, and what of this operator makes it apply."""
    sentence = (rule.__doc__ or "").strip()
    evidence = found.evidence
    return f"{sentence} {evidence[0].upper()}{evidence[1:].removesuffix('.')}." if evidence else sentence
