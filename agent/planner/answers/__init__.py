"""What answers each intent."""

from __future__ import annotations

from collections.abc import Callable

from ..bench import Answering
from ..intent import Intent
from ..query import Query
from . import battery, binding, changes, choices, comparing, decoding, estimates, facts, fitting, talk

ANSWERS: dict[Intent, Callable[[Query], Answering]] = {
    Intent.FIT: fitting.fit,
    Intent.LATENCY: estimates.latency,
    Intent.ENERGY: estimates.energy,
    Intent.BATTERY: battery.battery,
    Intent.MEMORY: fitting.memory,
    Intent.BOTTLENECK: binding.bottleneck,
    Intent.COMPATIBILITY: binding.compatibility,
    Intent.OPTIMISE: changes.optimise,
    Intent.WHATIF: changes.whatif,
    Intent.LIMIT: changes.furthest,
    Intent.CLOCK: changes.clock,
    Intent.RECOMMEND: choices.recommend,
    Intent.COMPARE: comparing.compare,
    Intent.DIFF: facts.diff,
    Intent.MODEL: facts.model,
    Intent.HARDWARE: facts.hardware,
    Intent.RUNTIME: facts.runtime,
    Intent.EVIDENCE: facts.evidence,
    Intent.VALIDATE: facts.validate,
    Intent.CODE: facts.code,
    Intent.TIMELINE: changes.timeline,
    Intent.ORDER: changes.order,
    Intent.IMPORT: facts.imported,
    Intent.ACCURACY: talk.accuracy,
    Intent.GENERATION: decoding.generation,
    Intent.EXPLAIN: talk.explain,
    Intent.LIST_TARGETS: facts.list_targets,
    Intent.LIST_RUNTIMES: facts.list_runtimes,
    Intent.SUMMARY: talk.summary,
    Intent.HELP: talk.helped,
    Intent.THANKS: talk.thanks,
    Intent.SAME: talk.unclear,
    Intent.OUTSIDE: talk.outside,
}

__all__ = ["ANSWERS"]
