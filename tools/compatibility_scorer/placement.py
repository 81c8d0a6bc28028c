"""Where each operator runs: the rules are asked in order, and the first that applies decides."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...hardware_db import Fallback, load_runtime
from ..deployments import Deployment
from ..graph import ModelGraph
from . import speed, support
from .remedies import faster, remedy
from .report import OpPlacement
from .site import Finding, OpSite, Outcome, called_subgraphs, foldable
from .support import Rule

FALLBACK = "fallback"
_RUNS = {Outcome.REFUSED: False, Outcome.UNKNOWN: None}


@dataclass(frozen=True)
class Placed:
    """An operator's placement, and the name of the rule that decided it."""

    placement: OpPlacement
    cause: str
    kind: str
    """As `placement.op`, without what the file calls a custom operator: fit for a sentence."""


def place_operators(
    graph: ModelGraph, where: Deployment, chain: tuple[int, ...] = (0,)
) -> tuple[Placed, ...]:
    """Placements of a subgraph's operators, in order; the main one's unless `chain` leads to another."""
    subgraph = graph.subgraphs[chain[-1]]
    ahead = foldable(subgraph) if where.runtime.folds_constants else frozenset[int]()
    return tuple(
        [_placed(OpSite.of(op, graph, where, chain, folded=op.index in ahead)) for op in subgraph.ops]
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


_RULES: tuple[Rule, ...] = (speed.computed_ahead, *support.RULES, called_operators_run, *speed.RULES)


def _placed(site: OpSite) -> Placed:
    rule, found = next((rule, found) for rule in _RULES if (found := rule(site)) is not None)
    core, accelerator = site.where.core, site.where.accelerator
    processor = accelerator.id if accelerator else core.id
    reason = _reason(rule, found)
    match found.outcome:
        case Outcome.FAST:
            return _at(site, rule.__name__, True, processor, reason, optimized=True)
        case Outcome.SLOW:
            return _at(site, rule.__name__, True, processor, reason, faster(site))
        case Outcome.UNKNOWN if _surely_on_cpu(site):
            told = f"Where it runs is not told; at worst the CPU runs it. {reason}"
            return _at(site, FALLBACK, True, core.id, told, remedy(site, rule))
        case Outcome.UNKNOWN:
            return _at(site, rule.__name__, None, "", reason, remedy(site, rule))
    if _leaves_to_cpu(site):
        if refused := _refused_by_cpu(site):
            told = f"The accelerator does not take it, nor does the CPU. {refused.evidence}"
            return _at(site, rule.__name__, _RUNS[refused.outcome], "", told, remedy(site, rule))
        told = f"The accelerator does not take it, so the CPU runs it. {reason}"
        return _at(site, FALLBACK, True, core.id, told, remedy(site, rule))
    return _at(site, rule.__name__, False, "", reason, remedy(site, rule))


def _leaves_to_cpu(site: OpSite) -> bool:
    return site.where.accelerator is not None and site.runtime.fallback is Fallback.CPU


def _surely_on_cpu(site: OpSite) -> bool:
    """Whether the CPU's kernels take an operator of which the accelerator's sources say nothing."""
    return _leaves_to_cpu(site) and _cpu_site(site) is not None and _refused_by_cpu(site) is None


def _refused_by_cpu(site: OpSite) -> Finding | None:
    """What the runtime that computes it instead has against the operator; None where that is not told."""
    there = _cpu_site(site)
    if there is None:
        return None
    found = ((rule, rule(there)) for rule in support.RULES)
    return next((Finding(f.outcome, _reason(rule, f)) for rule, f in found if f is not None), None)


def _cpu_site(site: OpSite) -> OpSite | None:
    """The operator under the first runtime named for the fallback that drives the core."""
    core = site.where.core
    for name in site.runtime.fallback_runtimes:
        runtime = load_runtime(name)
        if core.isa.value in runtime.runs_on_isas:
            where = site.where.model_copy(update={"runtime": runtime, "accelerator": None})
            return replace(site, where=where, support=runtime.operators.get(site.op.label))
    return None


def _at(
    site: OpSite,
    cause: str,
    supported: bool | None,
    processor: str,
    reason: str,
    remedy: str = "",
    *,
    optimized: bool = False,
) -> Placed:
    placement = OpPlacement(
        index=site.op.index,
        op=site.op.label,
        supported=supported,
        processor=processor,
        optimized=optimized,
        reason=reason,
        remedy=remedy,
    )
    return Placed(placement, cause, site.op.kind)


def _reason(rule: Rule, found: Finding) -> str:
    """The rule's sentence, and what of this operator makes it apply."""
    sentence = (rule.__doc__ or "").strip()
    evidence = found.evidence
    return f"{sentence} {evidence[0].upper()}{evidence[1:].removesuffix('.')}." if evidence else sentence
