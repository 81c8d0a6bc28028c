"""The rules' verdicts beside Vela's own, operator by operator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from edgewright.tools import deployment, parse_model
from edgewright.tools.ethos_u.compiled import Home
from edgewright.tools.ethos_u.decisions import decided_by_rules
from edgewright.tools.ethos_u.process import VelaFailedError, compile_model
from edgewright.tools.ethos_u.system import system_of
from edgewright.tools.graph import ModelGraph
from edgewright.tools.model_formats.writer.tflite import write_tflite

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data" / "models"


@dataclass(frozen=True)
class Judged:
    """One operator under one configuration; both say whether the CPU has to compute it."""

    model: str
    configuration: str
    index: int
    kind: str
    by_rules: str
    """Why it is left to the CPU; empty where it is not."""
    by_vela: bool
    reason: str

    @property
    def equal(self) -> bool:
        return bool(self.by_rules) == self.by_vela


@dataclass(frozen=True)
class Agreement:
    judged: tuple[Judged, ...]
    failed: tuple[str, ...]
    """Models that Vela itself gives up on, with its reason: there is nothing to compare with."""

    @property
    def unequal(self) -> list[Judged]:
        return [operator for operator in self.judged if not operator.equal]


def judge(name: str, model: bytes, configurations: Iterable[str]) -> Agreement:
    graph = parse_model(model)
    judged: list[Judged] = []
    failed: list[str] = []
    for configuration in configurations:
        where = deployment(configuration)
        system, decided = system_of(where), decided_by_rules(graph, where)
        assert system is not None
        try:
            compiled = compile_model(graph, model, system)
        except VelaFailedError as why:
            failed.append(f"{name}, {configuration}: {why}")
            continue
        for op, operator in zip(graph.ops, compiled.operators, strict=True):
            own = decided[op.index]
            against = "" if own.accelerated else own.reason
            on_cpu = operator.home is Home.CPU
            judged.append(Judged(name, configuration, op.index, op.kind, against, on_cpu, operator.reason))
    return Agreement(tuple(judged), tuple(failed))


def judge_all(models: Iterable[tuple[str, bytes]], configurations: Sequence[str]) -> Agreement:
    found = [judge(name, model, configurations) for name, model in models]
    return Agreement(
        tuple(operator for agreement in found for operator in agreement.judged),
        tuple(why for agreement in found for why in agreement.failed),
    )


def published(every: int = 1) -> Iterable[tuple[str, bytes]]:
    """Every so many of the published files, by name."""
    for file in sorted(SHARED.rglob("*.tflite"))[::every]:
        yield str(file.relative_to(SHARED)), file.read_bytes()


def written(graphs: Mapping[str, ModelGraph]) -> Iterable[tuple[str, bytes]]:
    for name, graph in graphs.items():
        yield name, write_tflite(replace(graph, sha256=""))
