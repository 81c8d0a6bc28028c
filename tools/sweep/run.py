"""A sweep from plan to files: evaluated in whole units, each journalled, none twice."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from ...hardware_db.errors import EdgewrightError, UsageError, install_line
from ..core.records import dataclass
from ..core.settings import Settings
from .columnar import Collector
from .columns import columns_of
from .evaluate import Part
from .fronts import fronts_of
from .guidelines import learn
from .job import Job, Workplace, job_of
from .journal import REPORT, Journal
from .outputs import result_file, write_parquet, write_results, write_rows, write_tradeoffs
from .plan import SweepPlan, read_plan
from .summary import bests, budget_counts, tradeoffs, verdict_counts, warnings_of
from .sweep_report import LeftOut, SweepReport
from .workers import Done, in_processes, in_this_process

Progress = Callable[[int, int], None]
"""Told how many evaluations are done, of how many."""
ONE_PROCESS_ROWS = 20_000
"""Up to here starting processes takes longer than they save."""


def run_sweep(
    plan: SweepPlan | str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    resume: bool = False,
    force: bool = False,
    workers: int | None = 1,
    scheduler: str | None = None,
    tree: bool = False,
    progress: Progress | None = None,
    settings: Settings | None = None,
) -> SweepReport:
    """Evaluate a plan and write its results into a folder.

    Args:
        plan: a plan, or its file, to which the models named in it are relative.
        output: folder for results.csv, results.parquet (with pyarrow), pareto.csv,
            precision_tradeoffs.csv and summary.json; the journal lies in it until they are written.
        resume: go on where a sweep of the same plan stopped.
        force: overwrite the results of another sweep.
        workers: processes; None takes one for each core where the sweep is large.
        scheduler: address of a Dask scheduler, in place of processes.
        tree: also learn a decision tree.
        progress: called after each unit.
        settings: what of the user's environment counts; None reads it.

    Raises:
        PlanError: a plan that cannot be read or leaves nothing to evaluate.
        UsageError: an output that exists, or into which another process sweeps, or a plan that differs from
            the one to resume.
        EdgewrightError: the disk is full, or workers were lost; what was evaluated is kept.

    Example:
        >>> _ = Path("plan.yaml").write_text("models: [kws, vww]\\ntargets: [nrf52840]\\nruntimes: [usual]")
        >>> run_sweep("plan.yaml", "swept")
        <SweepReport 2 of 2 evaluations accepted, in swept>
    """
    if workers is not None and workers < 1:
        raise UsageError(f"{workers} workers do no work.", hint="Give 1 or more.")
    if resume and force:
        raise UsageError("--resume and --force exclude each other.", hint="Drop one of them.")
    source = plan if isinstance(plan, SweepPlan) else read_plan(plan)
    folder = Path.cwd() if isinstance(plan, SweepPlan) else Path(plan).parent
    job, work = job_of(source, folder, settings)
    journal = Journal(Path(output))
    if resume and journal.finished and (found := _finished(journal, job, tree)):
        journal.remove()
        return found
    try:
        journal.begin(job, resume=resume, force=force)
        collector = Collector(columns_of(work.thresholds))
        doers = _Doers(work, workers, scheduler)
        _evaluate(doers, journal, collector, progress or (lambda _done, _of: None))
        return _results(work, journal, collector, tree)
    finally:
        journal.release()


def _evaluate(doers: _Doers, journal: Journal, collector: Collector, progress: Progress) -> None:
    work = doers.work
    for unit in work.units:
        if (part := journal.load(unit.number)) is not None:
            collector.add(unit.number, part)
    todo, total = collector.missing(len(work.units)), work.evaluations
    done = total - sum(len(work.units[number].rows) for number in todo)
    progress(done, total)
    if not todo:
        return
    try:
        for number, data in doers.do(todo):
            journal.save(number, data)
            collector.add(number, Part.from_bytes(data))
            done += len(work.units[number].rows)
            progress(done, total)
    except EdgewrightError as error:
        error.message = f"Stopped after {done:,} of {total:,} evaluations, which are kept. {error.message}"
        raise


@dataclass(frozen=True)
class _Doers:
    work: Workplace
    workers: int | None
    scheduler: str | None

    def do(self, todo: list[int]) -> Done:
        if self.scheduler is not None:
            try:
                from .cluster import on_cluster
            except ImportError as error:
                raise UsageError(
                    "A cluster needs Dask, which is not installed.", hint=f"{install_line('scale')}."
                ) from error
            return on_cluster(self.work, todo, self.scheduler)
        rows = sum(len(self.work.units[number].rows) for number in todo)
        count = self.workers or (1 if rows <= ONE_PROCESS_ROWS else os.cpu_count() or 1)
        if count == 1 or len(todo) == 1:
            return in_this_process(self.work, todo)
        return in_processes(self.work, todo, count)


def _results(work: Workplace, journal: Journal, collector: Collector, tree: bool) -> SweepReport:
    columns, output, count = columns_of(work.thresholds), journal.output, len(work.units)
    results = output / "results.csv"
    write_results(results, journal.parts(count), columns)
    parquet = write_parquet(output / "results.parquet", results, columns)
    swept = collector.swept()
    left_out = _left_out(work, collector)
    fronts = fronts_of(swept)
    write_rows(output / "pareto.csv", results, {row for _, rows in fronts for row in rows.tolist()})
    precisions = tradeoffs(swept)
    write_tradeoffs(output / "precision_tradeoffs.csv", precisions)
    files = [
        "results.csv",
        *(["results.parquet"] if parquet else []),
        "pareto.csv",
        "precision_tradeoffs.csv",
    ]
    learned = None
    if tree:
        learned = learn(swept)
        with result_file(output / "tree.txt") as file:
            file.write(f"{learned.text}\n".encode())
        files.append("tree.txt")
    report = SweepReport(
        output=str(output),
        evaluations=len(swept),
        accepted=int(swept.accepted.sum()),
        accepted_ratio=float(swept.accepted.mean()) if len(swept) else 0.0,
        verdicts=verdict_counts(swept),
        budgets=budget_counts(swept, work.thresholds),
        precisions=precisions,
        best=bests(swept),
        fronts=tuple(front for front, _ in fronts),
        left_out=tuple(LeftOut(reason=reason, evaluations=n) for reason, n in left_out.most_common()),
        files=(*files, REPORT),
        tree=learned,
        assumptions=(
            "one core; energy is power × time; accuracy is not estimated",
            "Ethos-U is judged by Vela's published rules, not by Vela itself: changed models have no files",
        ),
        warnings=(
            *warnings_of(swept, left_out),
            *(() if parquet else (f"no results.parquet: {install_line('scale')}",)),
        ),
    )
    with result_file(output / REPORT) as file:
        file.write(report.model_dump_json(indent=1).encode())
    journal.remove()
    return report


def _left_out(work: Workplace, collector: Collector) -> Counter[str]:
    found = Counter({reason: n * len(work.variants) for reason, n in work.places.left_out.items()})
    for number in sorted(collector.left_out):
        found.update(collector.left_out[number])
    return found


def _finished(journal: Journal, job: Job, tree: bool) -> SweepReport | None:
    """The report of a sweep that is complete already; None where a tree is missing in it."""
    journal.refuse_other(job)
    try:
        report = SweepReport.model_validate_json((journal.output / REPORT).read_bytes())
    except (OSError, ValueError):
        return None
    return report if report.tree or not tree else None
