"""Combinations of changes, each estimated on the changed graph and deployment, never added up.

A prefix of changes is applied once, and the deployments of one graph are estimated together, in arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import numpy as np

from ....hardware_db.errors import EdgewrightError, UsageError
from ...core.deployment import Deployment
from ...core.deployment_table import DeploymentTable
from ...core.records import dataclass, replace
from ...cost_model.comparing import for_changes
from ...cost_model.estimate_table import EstimateTable
from ...cost_model.table import estimate_many
from ...graph import ModelGraph
from ...graph.costs.table import layer_table
from ...graph.serialize import graph_sha256
from ...verdicts.changes import Figures
from ...verdicts.judge import VERDICTS, Judged, misses, overall
from ...verdicts.limits import Limits
from ...verdicts.rules import judged
from ...verdicts.verdict import Verdict
from ..efforts import steps_of
from ..figures import figure
from ..kept import Built, Kept, kept
from ..techniques.catalogue import reason_of
from ..techniques.technique import Technique

Combination = tuple[str, ...]
"""Names of techniques in the order in which they are applied."""
Progress = Callable[[int], None]
"""Told how many combinations have been estimated."""

SHAPES_FIRST = ("resolution", "pruning")
TYPES_NEXT = ("precision", "io", "casts")
WHERE_LAST = ("runtime", "accelerator", "memory", "batch", "threads", "clock")
"""Shapes first, then types, then where it runs: quantisation parameters belong to the final shapes. Other
families change structure and stand between the first and the second."""
WORK_AT_MOST = 40_000
"""Operators, of all combinations together, that are estimated anew for changes that nobody named."""
_KEEPS_GRAPH_AND_KERNELS = ("clock", "threads")
_LEFT_OUT = "not tried, as the model has {:,} operators: name the change (--technique) to have it tried"


@dataclass(frozen=True, eq=False)
class Trial:
    """A combination with its figures, and the row of its verdicts."""

    changes: Combination
    figures: Figures
    verdict: Verdict
    runs: bool
    """Whether no operator is known to lack a kernel."""
    miss: float
    """Decades beyond the limits; 0 where none fails."""
    steps: int
    parts: Sequence[Judged]
    row: int

    @property
    def meets(self) -> bool:
        return self.verdict in (Verdict.PASS, Verdict.MARGINAL)

    @property
    def reasons(self) -> tuple[str, ...]:
        """What decides the verdict, where that is not PASS."""
        state = VERDICTS.index(self.verdict)
        deciding = [part for part in self.parts if part.verdict[self.row] == state]
        return () if state == 0 else tuple(part.sentence(self.row) for part in deciding)


class Trials:
    """All combinations of some techniques that were asked about, on one model, deployment and limits.

    On an Ethos-U its published rules judge all of them: of changed models Vela could compile no file.
    """

    def __init__(
        self,
        graph: ModelGraph,
        deployment: Deployment,
        techniques: Iterable[Technique],
        limits: Limits,
        progress: Progress | None = None,
        *,
        work: int | None = WORK_AT_MOST,
    ) -> None:
        known = list(techniques)
        known.sort(key=lambda technique: _stage(technique.family))
        self.techniques: Mapping[str, Technique] = {technique.name: technique for technique in known}
        self.limits = limits
        self._at = {name: position for position, name in enumerate(self.techniques)}
        place = for_changes(graph, deployment)
        shared = Kept(place) if work is None else kept(graph, place)
        self._built, self._graphs = shared.built, shared.graphs
        self._built.setdefault((), Built(graph, place))
        self._graphs.setdefault(graph.sha256, graph)
        self._found: dict[Combination, Trial | str] = {}
        self.progress = progress
        self._work, self._spent, self._left_out = work, len(graph.ops), set[Combination]()

    def only(self, names: Collection[str]) -> Trials:
        """Those of some of the techniques, with what was estimated of them."""
        first = self._built[()]
        assert isinstance(first, Built)
        chosen = [t for t in self.techniques.values() if t.name in names]
        fewer = Trials(first.graph, first.deployment, chosen, self.limits, self.progress, work=self._work)
        fewer._spent, fewer._left_out = self._spent, self._left_out
        fewer._built, fewer._graphs = self._built, self._graphs
        fewer._found = {c: found for c, found in self._found.items() if set(c) <= set(fewer.techniques)}
        return fewer

    @property
    def operators(self) -> int:
        """Of the model as it is."""
        first = self._built[()]
        return len(first.graph.ops) if isinstance(first, Built) else 0

    def is_tried(self, combination: Combination) -> bool:
        return combination in self._found

    @property
    def found(self) -> list[Trial]:
        """All that could be estimated so far, in the order they were."""
        return [trial for trial in self._found.values() if isinstance(trial, Trial)]

    @property
    def unchanged(self) -> Trial:
        """The model as it is.

        Raises:
            UsageError: it cannot be estimated there.
        """
        trial = self.one(())
        if isinstance(trial, str):
            raise UsageError(trial)
        return trial

    @property
    def count(self) -> int:
        """Combinations asked about, those that do not apply among them."""
        return len(self._found) - len(self._left_out)

    @property
    def left_out(self) -> str:
        """Why not all that was asked about was tried; empty where it was."""
        if not self._left_out:
            return ""
        return f"{len(self._left_out):,} combinations {_LEFT_OUT.format(self.operators)}"

    @property
    def families(self) -> dict[str, list[str]]:
        families: dict[str, list[str]] = {}
        for technique in self.techniques.values():
            families.setdefault(technique.family, []).append(technique.name)
        return families

    def ordered(self, names: Iterable[str]) -> Combination:
        return tuple(sorted(names, key=self._at.__getitem__))

    def run(self, combinations: Iterable[Combination]) -> list[Trial]:
        """Those of the combinations that apply; each is estimated once."""
        asked = list(dict.fromkeys(combinations))
        groups: dict[int, list[Combination]] = {}
        for combination in asked:
            if combination in self._found:
                continue
            if not self._is_afforded(combination):
                self._left_out.add(combination)
                self._keep(combination, _LEFT_OUT.format(self.operators))
                continue
            built = self.built(combination)
            if isinstance(built, str):
                self._spent -= self.operators * 7 // 8
                self._keep(combination, built)
            else:
                groups.setdefault(id(built.graph), []).append(combination)
        for group in groups.values():
            self._estimate(group)
        return [trial for each in asked if isinstance(trial := self._found[each], Trial)]

    def _is_afforded(self, combination: Combination) -> bool:
        """Whether it is within the work that may be done; counts what it takes."""
        if all(self.techniques[name].family in _KEEPS_GRAPH_AND_KERNELS for name in combination):
            return True
        if self._work is not None and self._spent + self.operators >= self._work:
            return False
        self._spent += self.operators
        return True

    def one(self, combination: Combination) -> Trial | str:
        """One combination, or why it does not apply."""
        self.run([combination])
        return self._found[combination]

    def built(self, combination: Combination) -> Built | str:
        """The graph and deployment after the changes, or why one of them does not apply."""
        if combination not in self._built:
            self._built[combination] = self._apply(combination)
        return self._built[combination]

    def _apply(self, combination: Combination) -> Built | str:
        before = self.built(combination[:-1])
        if isinstance(before, str):
            return before
        technique = self.techniques[combination[-1]]
        try:
            graph, where = technique.apply(before.graph, before.deployment)
        except EdgewrightError as error:
            return reason_of(error)
        if graph is not before.graph:
            graph = replace(graph, history=(*before.graph.history, technique.name))
            graph = replace(graph, sha256=graph_sha256(graph))
        return Built(self._graphs.setdefault(graph.sha256, graph), where)

    def _estimate(self, group: Sequence[Combination]) -> None:
        """Combinations that share a graph."""
        built = [b for c in group if isinstance(b := self.built(c), Built)]
        graph, places = built[0].graph, DeploymentTable(b.deployment for b in built)
        try:
            table = estimate_many(graph, places)
        except EdgewrightError as error:
            for combination in group:
                self._keep(combination, reason_of(error))
            return
        parts = judged(table, places, self.limits.hard)
        verdicts, missed = overall(parts), misses(parts)
        for row, combination in enumerate(group):
            self._keep(
                combination,
                Trial(
                    changes=combination,
                    figures=figures_at(graph, table, row),
                    verdict=VERDICTS[verdicts[row]],
                    runs=bool(table.runs[row] != 0),
                    miss=float(missed[row]),
                    steps=steps_of(self.techniques[name].effort for name in combination),
                    parts=parts,
                    row=row,
                ),
            )

    def _keep(self, combination: Combination, trial: Trial | str) -> None:
        self._found[combination] = trial
        if self.progress is not None:
            self.progress(len(self._found))


def standing(trial: Trial, goal: str) -> tuple[bool, float, float, int, int]:
    """Less is better: what meets the limits or misses them least, then the goal, then the effort."""
    value = figure(trial.figures, goal)
    value = float("inf") if value is None else value
    return (not trial.runs, trial.miss, value, trial.steps, len(trial.changes))


def soundest(trials: Sequence[Trial]) -> Sequence[Trial]:
    """Those that meet the limits; where none does, those that are not known to fail; else all."""
    groups = ([t for t in trials if t.meets], [t for t in trials if t.verdict is not Verdict.FAIL], trials)
    return next((group for group in groups if group), [])


def _stage(family: str) -> tuple[int, int]:
    for stage, families in ((0, SHAPES_FIRST), (2, TYPES_NEXT), (3, WHERE_LAST)):
        if family in families:
            return stage, families.index(family)
    return 1, 0


def figures_at(graph: ModelGraph, table: EstimateTable, row: int) -> Figures:
    """Of one row of a table of estimates."""
    arena, flash = table.arena_bytes.value[row], table.flash_bytes.value[row]
    return Figures(
        latency_ms=table.latency_ms[row],
        energy_uj=table.energy_uj[row],
        arena_bytes=None if np.isnan(arena) else round(float(arena)),
        flash_bytes=None if np.isnan(flash) else round(float(flash)),
        parameter_bytes=graph.parameter_bytes,
        macs=layer_table(graph).total_macs,
    )
