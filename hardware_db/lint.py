"""Checks every file of the database, each by itself and all against each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .claims import leaves
from .derived import drives
from .errors import HardwareFileError
from .index import spellings_of
from .loader import RUNTIMES_DIR, TARGETS_DIR, read_document
from .names import folded
from .problem import Problem
from .rules import RUNTIME_RULES, TARGET_RULES, TIDINESS
from .schema import Runtime, Target
from .yaml_reader import Document


@dataclass(frozen=True)
class LintReport:
    targets: int
    runtimes: int
    leaves: int
    sources: int
    conflicts: int
    uncited: int
    problems: tuple[Problem, ...]

    def __str__(self) -> str:
        counts = (
            f"{self.targets} targets, {self.runtimes} runtimes, {self.leaves} leaves, "
            f"{self.sources} sources, {self.conflicts} conflicts, {self.uncited} uncited leaves"
        )
        found = f"{len(self.problems)} problem{'' if len(self.problems) == 1 else 's'}"
        return "\n".join([*map(str, self.problems), f"{counts}: {found}"])


@dataclass(frozen=True)
class _Read:
    targets: tuple[tuple[Target, Document], ...]
    runtimes: tuple[tuple[Runtime, Document], ...]
    problems: tuple[Problem, ...]


def lint(targets_dir: Path = TARGETS_DIR, runtimes_dir: Path = RUNTIMES_DIR) -> LintReport:
    """Everything that is wrong with the database, and how large it is."""
    read = _read(sorted(targets_dir.glob("*.yaml")), sorted(runtimes_dir.glob("*.yaml")))
    entries: list[Target | Runtime] = [target for target, _ in read.targets]
    entries += [runtime for runtime, _ in read.runtimes]
    found = [(leaf, leaf.source in entry.sources) for entry in entries for _, leaf in leaves(entry)]
    problems = [*read.problems]
    for target, document in read.targets:
        problems += check_target(target, document)
    for runtime, document in read.runtimes:
        problems += [p for rule in RUNTIME_RULES for p in rule(runtime, document)]
    problems += _runtimes_exist(read)
    problems += _names_unique(read.targets)
    problems += _names_unique(read.runtimes)
    return LintReport(
        targets=len(read.targets),
        runtimes=len(read.runtimes),
        leaves=len(found),
        sources=len({source.where for entry in entries for source in entry.sources.values()}),
        conflicts=sum(1 for leaf, _ in found if leaf.others),
        uncited=sum(1 for _, is_cited in found if not is_cited),
        problems=tuple(sorted(problems, key=lambda p: (str(p.file), p.line, p.what))),
    )


def check_target(target: Target, document: Document) -> list[Problem]:
    """What is wrong with one target's file by itself."""
    return [problem for rule in TARGET_RULES for problem in rule(target, document)]


def checked_target(path: Path, where: tuple[Path, ...] | None = None) -> Target:
    """The target that a file describes, if it keeps every rule.

    Args:
        where: the user's own hardware directories, in which the target that it extends may be; None takes
            those of the configuration.

    Raises:
        HardwareFileError: for the first rule that it breaks.
    """
    target, document = read_document(path, Target, where)
    for rule in TARGET_RULES:
        for problem in () if rule in TIDINESS else rule(target, document):
            raise problem.as_error()
    return target


def _read(target_files: Iterable[Path], runtime_files: Iterable[Path]) -> _Read:
    targets, runtimes, problems = [], [], []
    for path in target_files:
        try:
            targets.append(read_document(path, Target))
        except HardwareFileError as error:
            problems.append(Problem.of(error))
    for path in runtime_files:
        try:
            runtimes.append(read_document(path, Runtime))
        except HardwareFileError as error:
            problems.append(Problem.of(error))
    return _Read(tuple(targets), tuple(runtimes), tuple(problems))


def _runtimes_exist(read: _Read) -> Iterator[Problem]:
    known = {runtime.id: runtime for runtime, _ in read.runtimes}
    all_of_them = f"Runtimes: {', '.join(sorted(known))}."
    for runtime, document in read.runtimes:
        for index, name in enumerate(runtime.fallback_runtimes):
            if name not in known:
                yield Problem.at(document, ("fallback_runtimes", index), f"no runtime {name!r}", all_of_them)
    for target, document in read.targets:
        for index, name in enumerate(target.runtimes):
            if name not in known:
                yield Problem.at(document, ("runtimes", index), f"no runtime {name!r}", all_of_them)
            elif not drives(known[name], target):
                what = f"{name!r} drives no core and no accelerator of it"
                remedy = "Remove it, or add the core or accelerator to what the runtime runs on."
                yield Problem.at(document, ("runtimes", index), what, remedy)
        if not target.runtimes:
            yield Problem.at(document, ("runtimes",), "no runtime", "Name those that exist, the usual first.")


def _names_unique(entries: Iterable[tuple[Target | Runtime, Document]]) -> Iterator[Problem]:
    owner: dict[str, str] = {}
    for entry, document in entries:
        for spelling in spellings_of(entry):
            other = owner.setdefault(spelling, entry.id)
            if other != entry.id:
                what = f"{spelling!r} is a name of {other!r} too"
                yield Problem.at(document, _place(entry, spelling), what, "Let one target have it.")


def _place(entry: Target | Runtime, spelling: str) -> tuple[str | int, ...]:
    index = next((i for i, alias in enumerate(entry.aliases) if folded(alias) == spelling), None)
    return ("id",) if index is None else ("aliases", index)
