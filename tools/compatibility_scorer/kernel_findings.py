"""What the rules that read a runtime's kernels alone find: asked once for a graph and a runtime."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...hardware_db import Runtime
from ..graph import ModelGraph
from ..graph.kept import kept
from . import speed, support
from .site import Finding, KernelRule, KernelSite, Rule, called_subgraphs, kernel_sites

Found = tuple[Rule, Finding]


@dataclass(frozen=True, eq=False)
class KernelFindings:
    """Of each operator of a subgraph, the first rule of a group that applies; None where none does."""

    runtime: Runtime
    sites: tuple[KernelSite, ...]
    calls: tuple[bool, ...]
    """Whether an operator runs other subgraphs."""
    ahead: tuple[Found | None, ...]
    of_kernels: tuple[Found | None, ...]
    of_memory: tuple[Found | None, ...]
    of_speed: tuple[Found | None, ...]


def kernel_findings(graph: ModelGraph, subgraph: int, runtime: Runtime) -> KernelFindings:
    """Kept with the graph by the runtime's identity, which the findings keep alive."""

    def found() -> KernelFindings:
        sites = kernel_sites(graph, subgraph, runtime)
        groups = ((speed.computed_ahead,), support.OF_KERNELS, support.OF_MEMORY, speed.OF_KERNELS)
        calls = tuple([bool(called_subgraphs(site.op)) for site in sites])
        return KernelFindings(runtime, sites, calls, *(_first(rules, sites) for rules in groups))

    return kept(graph, "kernel findings", (subgraph, id(runtime)), found)


def _first(rules: Sequence[KernelRule], sites: Sequence[KernelSite]) -> tuple[Found | None, ...]:
    return tuple([_applies(rules, site) for site in sites])


def _applies(rules: Sequence[KernelRule], site: KernelSite) -> Found | None:
    for rule in rules:
        found = rule(site)
        if found is not None:
            return rule, found
    return None
