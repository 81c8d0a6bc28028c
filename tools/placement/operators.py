"""Where each operator runs: the rules are asked in order, and the first that applies decides."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import field
from functools import cached_property

from ...hardware_db import Fallback
from ..core.deployment import Deployment
from ..core.records import dataclass
from ..ethos_u.asked import is_for_vela
from ..graph import ModelGraph, Op
from . import speed, support
from .host import HOST, cpu_side
from .kernel_findings import Found, KernelFindings, kernel_findings
from .op_context import Finding, Outcome, PlacementContext, Rule, called_subgraphs
from .op_placement import OpPlacement, Runs
from .partition import mapped
from .remedies import Advice, faster, remedy

FALLBACK = "fallback"
UNTOLD = "untold"
_RUNS = {Outcome.REFUSED: False, Outcome.UNKNOWN: None}
_STATES = {True: Runs.CPU, False: Runs.NOT, None: Runs.UNKNOWN}


@dataclass(frozen=True)
class Placed:
    """Where an operator runs, and the rule that decided it."""

    context: PlacementContext
    rule: Rule
    supported: bool | None
    runs: Runs
    processor: str
    optimized: bool
    reason: str
    cause: str
    """Name of the rule; FALLBACK or UNTOLD where the CPU computes what the accelerator does not."""
    advice: Advice = field(default_factory=Advice, compare=False, repr=False)
    """Shared by the operators that were placed with it."""

    @property
    def kind(self) -> str:
        """As `placement.op`, without what the file calls a custom operator: fit for a sentence."""
        return self.context.op.kind

    @property
    def decided_by(self) -> str:
        """The rule behind a fallback; as `cause` elsewhere."""
        return self.rule.__name__

    @cached_property
    def placement(self) -> OpPlacement:
        """For people; what would help is looked for here."""
        return OpPlacement(
            index=self.context.op.index,
            op=self.context.op.label,
            supported=self.supported,
            runs=self.runs,
            processor=self.processor,
            optimized=self.optimized,
            reason=self.reason,
            remedy=self._remedy(),
        )

    def _remedy(self) -> str:
        if self.supported and self.cause == self.decided_by:
            if self.optimized:
                return ""
            return self.advice.of(self.context, (faster,), lambda: faster(self.context))
        if self.rule is left_out:
            return "first make the accelerator take what cuts it off"
        return self.advice.of(self.context, (remedy, self.rule), lambda: remedy(self.context, self.rule))


@dataclass(frozen=True)
class Given:
    """What somebody else decided of an operator, such as the accelerator's own compiler."""

    accelerated: bool | None
    reason: str


def place_operators(
    graph: ModelGraph,
    deployment: Deployment,
    chain: tuple[int, ...] = (0,),
    given: Mapping[int, Given] | None = None,
) -> tuple[Placed, ...]:
    """Placements of a subgraph's operators, in order; the main one's unless `chain` leads to another.

    They follow from the graph's operators and tensors (not from weights), and from the deployment's target,
    core, accelerator and runtime; neither clock nor batch matters.

    Args:
        given: by index of the subgraph's operators, what was decided elsewhere; the rules decide of the
            others, and where those run that are not accelerated. It is final: no piece is left out of it.
            None asks the accelerator's own compiler, or its rules, where there are such.
    """
    if given is None and chain == (0,):
        given = _by_compiler(graph, deployment)
    desk = Desk(graph, deployment, chain)
    if given is not None:
        return tuple([desk.as_given(index, given.get(op.index)) for index, op in enumerate(desk.ops)])
    placed = [desk.placed(index) for index in range(len(desk.ops))]
    taken = [p.runs in {Runs.ACCELERATED, Runs.UNTOLD} for p in placed]
    kept = mapped(graph.subgraphs[chain[-1]], taken, deployment.runtime.partition)
    cut = Finding(Outcome.REFUSED, _cut_by(placed, taken, kept))
    return tuple(
        [
            p if not takes or index in kept else desk.left_to_cpu(index, left_out, cut)
            for index, (p, takes) in enumerate(zip(placed, taken, strict=True))
        ]
    )


def _by_compiler(graph: ModelGraph, deployment: Deployment) -> dict[int, Given] | None:
    if not is_for_vela(deployment):
        return None
    from ..ethos_u.decisions import decisions

    found = decisions(graph, deployment)
    return None if found is None else {index: Given(*decided) for index, decided in found.items()}


def called_operators_run(context: PlacementContext) -> Finding | None:
    """Control flow runs only if every operator of the subgraphs that it calls does."""
    for called in called_subgraphs(context.op):
        if called in context.chain or not 0 < called < len(context.graph.subgraphs):
            return Finding(Outcome.REFUSED, f"subgraph {called} cannot be called from here")
        for placed in place_operators(context.graph, context.deployment, (*context.chain, called)):
            if not placed.supported:
                outcome = Outcome.UNKNOWN if placed.supported is None else Outcome.REFUSED
                index = placed.context.op.index
                return Finding(outcome, f"in subgraph {called}, {placed.kind} ({index}): {placed.reason}")
    return None


def left_out(_context: PlacementContext) -> Finding | None:
    """The accelerator could compute it, but is not given that part of the model."""
    return None


def _cut_by(placed: Sequence[Placed], taken: Sequence[bool], kept: frozenset[int]) -> str:
    """What cuts off the operators that are taken and not kept: the first to do so."""
    behind = min(kept, default=0)
    cutting = next((p for p in placed[behind:] if not taken[p.context.op.index]), None)
    return "" if cutting is None else f"{cutting.kind} ({cutting.context.op.index}) cuts it off"


def decided_elsewhere(_context: PlacementContext) -> Finding | None:
    """The accelerator's compiler decides."""
    return None


def undecided(_context: PlacementContext) -> Finding | None:
    """The accelerator's compiler, which would decide, made nothing of the model."""
    return None


@dataclass(frozen=True)
class Desk:
    """One subgraph's operators on one deployment."""

    graph: ModelGraph
    deployment: Deployment
    chain: tuple[int, ...]

    @property
    def ops(self) -> tuple[Op, ...]:
        return self.graph.subgraphs[self.chain[-1]].ops

    def context(self, index: int) -> PlacementContext:
        return PlacementContext.on(self._here.contexts[index], self.deployment, self.chain)

    @cached_property
    def _here(self) -> KernelFindings:
        return kernel_findings(self.graph, self.chain[-1], self.deployment.runtime)

    @cached_property
    def _cpu(self) -> Deployment | None:
        return cpu_side(self.deployment)

    @cached_property
    def _falls_back(self) -> bool:
        return self.deployment.accelerator is not None and self.deployment.runtime.fallback is Fallback.CPU

    @cached_property
    def _advice(self) -> Advice:
        return Advice()

    @cached_property
    def _of_alike(self) -> dict[Hashable, Placed]:
        """One of each kind of operators that are alike, and that were decided alike elsewhere."""
        return {}

    def placed(self, index: int) -> Placed:
        return self._like(index, self._here.alike[index], self._placed)

    def _like(self, index: int, key: Hashable, place: Callable[[int], Placed]) -> Placed:
        """As the first operator of this key was placed, which `place` does."""
        first = self._of_alike.get(key)
        if first is None:
            return self._of_alike.setdefault(key, place(index))
        return Placed(
            self.context(index),
            first.rule,
            first.supported,
            first.runs,
            first.processor,
            first.optimized,
            first.reason,
            first.cause,
            self._advice,
        )

    def _placed(self, index: int) -> Placed:
        context = self.context(index)
        rule, found = self.decided(index)
        match found.outcome:
            case Outcome.FAST | Outcome.SLOW:
                return self._at(
                    context, rule, True, _reason(rule, found), optimized=found.outcome is Outcome.FAST
                )
            case Outcome.UNKNOWN if self._surely_on_cpu(index):
                text = f"Where it runs is not known; at worst the CPU runs it. {_reason(rule, found)}"
                return self._on_cpu(context, UNTOLD, rule, text)
            case Outcome.UNKNOWN:
                return self._at(context, rule, None, _reason(rule, found))
        return self.left_to_cpu(index, rule, found)

    def as_given(self, index: int, given: Given | None) -> Placed:
        if given is None:
            return self.placed(index)
        key = self._here.alike[index], given.accelerated, given.reason
        return self._like(index, key, lambda index: self._as_given(index, given))

    def _as_given(self, index: int, given: Given) -> Placed:
        if given.accelerated is None:
            found = Finding(Outcome.UNKNOWN, given.reason)
            return self._at(self.context(index), undecided, None, _reason(undecided, found))
        found = Finding(Outcome.FAST if given.accelerated else Outcome.REFUSED, given.reason)
        if given.accelerated:
            text = _reason(decided_elsewhere, found)
            return self._at(self.context(index), decided_elsewhere, True, text, optimized=True)
        rule, own = self.decided(index)
        agrees = own.outcome is Outcome.REFUSED
        return self.left_to_cpu(index, *((rule, own) if agrees else (decided_elsewhere, found)))

    def left_to_cpu(self, index: int, rule: Rule, found: Finding) -> Placed:
        """What the accelerator does not compute, for the reason `found`."""
        context, reason = self.context(index), _reason(rule, found)
        if not self._falls_back:
            return self._at(context, rule, False, reason)
        if refused := self._refused_by_cpu(index):
            text = f"The accelerator does not take it, nor does the CPU. {refused.evidence}"
            return self._at(context, rule, _RUNS[refused.outcome], text)
        text = f"The CPU runs it. {reason}"
        if rule is not left_out:
            text = f"The accelerator does not take it, so the CPU runs it. {reason}"
        return self._on_cpu(context, FALLBACK, rule, text)

    def decided(self, index: int) -> Found:
        """The first rule that applies, in the order: ahead, kernels, machine, memory, callees, speed."""
        context, here = self.context(index), self._here
        found = (
            here.ahead[index]
            or here.of_kernels[index]
            or (_asked(context, support.accelerator_computes) if self.deployment.accelerator else None)
            or here.of_memory[index]
            or (_asked(context, called_operators_run) if here.calls[index] else None)
            or _asked(context, speed.float_unit, speed.instructions)
            or here.of_speed[index]
        )
        assert found is not None, "the last rule of speed always applies"
        return found

    def _refused_by_cpu(self, index: int) -> Finding | None:
        """What the runtime that computes it instead has against it; None where that is not known."""
        if self._cpu is None:
            return None
        there = kernel_findings(self.graph, self.chain[-1], self._cpu.runtime)
        found = there.of_kernels[index] or there.of_memory[index]
        return None if found is None else Finding(found[1].outcome, _reason(*found))

    def _surely_on_cpu(self, index: int) -> bool:
        """Whether the CPU's kernels take an operator of which the accelerator's sources say nothing."""
        if self._falls_back and self.deployment.runtime.fallback_takes_all:
            return self.context(index).op.kind != "CUSTOM"
        return self._falls_back and self._cpu is not None and self._refused_by_cpu(index) is None

    def _on_cpu(self, context: PlacementContext, cause: str, rule: Rule, reason: str) -> Placed:
        processor = HOST if self.deployment.target.needs_host else self.deployment.core.id
        runs = Runs.FALLBACK if cause == FALLBACK else Runs.UNTOLD
        return Placed(context, rule, True, runs, processor, False, reason, cause, self._advice)

    def _at(
        self,
        context: PlacementContext,
        rule: Rule,
        supported: bool | None,
        reason: str,
        *,
        optimized: bool = False,
    ) -> Placed:
        accelerator = self.deployment.accelerator
        processor = accelerator.id if accelerator else self.deployment.core.id
        runs = Runs.ACCELERATED if supported and accelerator else _STATES[supported]
        return Placed(
            context, rule, supported, runs, processor if supported else "", optimized, reason, rule.__name__,
            self._advice,
        )  # fmt: skip


def _asked(context: PlacementContext, *rules: Rule) -> Found | None:
    for rule in rules:
        found = rule(context)
        if found is not None:
            return rule, found
    return None


def _reason(rule: Rule, found: Finding) -> str:
    """The rule's sentence, and what of this operator makes it apply."""
    sentence = (rule.__doc__ or "").strip()
    evidence = found.evidence
    return f"{sentence} {evidence[0].upper()}{evidence[1:].removesuffix('.')}." if evidence else sentence
