"""The report of a model on a deployment: one document out of all results."""

from __future__ import annotations

import functools
import shlex
from collections.abc import Iterator, Mapping

from ... import __version__
from ...hardware_db.cited import Source
from ..calibration.validation import describe as evidence
from ..compatibility_scorer import describe as compatibility
from ..constraint_checker import describe as constraints
from ..core.document import (
    Block,
    Code,
    Document,
    Drawing,
    Items,
    Paragraph,
    Section,
    Table,
    Text,
    joined,
    notes,
    place,
    table_of,
    text,
    within,
)
from ..core.records import replace
from ..cost_model import describe as performance
from ..graph import describe as model
from ..memory_planner import describe as memory
from ..optimization_simulator import describe as optimization
from ..roofline import describe as roofline
from ..timeline.drawing import drawing as timeline_drawing
from ..verdicts.describe import listed
from ..verdicts.verdict import Verdict
from .charts.attribution import sunburst
from .charts.energy import energy_chart
from .charts.flame import estimated_flame
from .charts.layers import layer_chart
from .charts.memory import memory_chart
from .charts.picture import PICTURE, Picture
from .charts.roofline import roofline_chart
from .charts.steps import optimization_timeline, steps_chart
from .charts.utilization import utilization
from .kinds import whole_gops
from .results import Results
from .roofline_drawing import roofline_drawing

_SLOWEST = 8
_NOTED = ("performance", "memory", "checks", "timeline", "evidence")
_STEPS = (
    "The changes that would meet the limits, or come nearest, one upon the other; the red mark is the limit."
)
_DOTS = "A dot for each kind of layer, larger the more time it takes; the bar is the model's 90 % interval."


def document_of(results: Results) -> Document:
    sections = (
        Section("Verdict", tuple(_verdict(results))),
        Section("Time and energy", tuple(_time(results))),
        Section("What holds it back", tuple(_roofline(results))),
        Section("Time of each layer", tuple(_layers(results))),
        Section("Memory", tuple(_memory(results))),
        Section("Where operators run", tuple(_placement(results))),
        Section("What would help", tuple(_help(results))),
        Section("The model", tuple(_model(results))),
        Section("What the estimates stand on", tuple(_grounds(results))),
        Section("Sources of the hardware's figures", (_sources(results),)),
    )
    batch = results.performance.deployment.batch
    of_batch = f" of a batch of {batch}" if batch > 1 else ""
    subject = results.by_name
    return Document(
        subject=subject,
        title=joined(f"{results.model.name} on ", place(results.checks.deployment, "checks.deployment")),
        sections=tuple(section for section in sections if section.blocks),
        verdict=text("{checks.verdict}"),
        summary=(_summary(results),),
        figures=(
            (f"Latency{of_batch}", text("{performance.latency_ms~!}")),
            (f"Energy{of_batch}", text("{performance.energy_uj~!}")),
            ("RAM (arena)", text("{memory.arena~!}")),
            ("Flash", text("{memory.flash~!}")),
        ),
        notes=notes(subject, inside=tuple(name for name in _NOTED if name in subject)),
        footer=(
            joined(f"edgewright {__version__}, model SHA-256 ", text("{model.sha256}")),
            "Ranges in brackets are 90 % intervals. MAC: multiply-accumulate, 2 FLOP; 1 KiB is 1,024 bytes.",
        ),
    )  # fmt: skip


def _summary(results: Results) -> Text:
    checks = [(at, check) for at, check in enumerate(results.checks.checks) if not check.soft]
    failing = [at for at, check in checks if check.verdict is Verdict.FAIL]
    failed = [text("{statement}", f"checks.checks[#{at}]") for at in failing]
    unknown = [check.name for _, check in checks if check.verdict is Verdict.UNKNOWN]
    roof = results.roofline
    held = f"It is {roof.bound_in_words}." if roof.bound != "unknown" else "What holds it back is not known."
    if not failed and not unknown:
        return f"It meets what was asked: {', '.join(check.name for check in results.checks.checks)}. {held}"
    missing = f"Not known: {', '.join(unknown)}. " if unknown else ""
    fails = ("It fails: ", listed(failed, "; "), ". ") if failed else ()
    return joined(*fails, missing, held)


def _verdict(results: Results) -> Iterator[Block]:
    yield from within("checks", constraints.blocks(results.checks))
    if chart := steps_chart(results.checks, results.performance, results.memory):
        yield Drawing(str, _STEPS, "chart", chart=chart)


def _time(results: Results) -> Iterator[Block]:
    yield from within("performance", [performance.head(results.performance)])
    on = "run on an accelerator; of the others {optimized_layers} run on kernels written for their processor."
    yield Paragraph(text(f"Of {{layers}} layers {{accelerated_layers}} {on}", "performance"))
    yield from within("performance", performance.power_throughout(results.performance))
    if chart := energy_chart(results.performance):
        yield Drawing(str, "Energy of one batch by kind of layer.", "chart", chart=chart)


def _roofline(results: Results) -> Iterator[Block]:
    roof = results.roofline
    kinds = results.by_name["kinds"]
    shares = [text(f"{{bound_shares.{bound}}} {bound}", "roofline") for bound in roof.bound_shares]
    yield from within("roofline", roofline.sentences(roof))
    yield Paragraph(joined("Of the time ", listed(shares), ".") if shares else "No layer's time is known.")
    if drawn := roofline_drawing(results.model, roof):
        absent = ", ".join(kind.op for kind in kinds if not kind.can_be_placed)
        left_out = f" Without arithmetic that is counted, or without a time: {absent}." if absent else ""
        chart = roofline_chart(roof, kinds, whole_gops(results.model, roof))
        yield Drawing(lambda: drawn, f"{_DOTS}{left_out}", "chart", chart=chart)
    else:
        yield Paragraph("No roofline can be drawn: no kind of layer has both a time and counted work.")
    yield from _drawn(sunburst(roof, results.performance))
    yield from within("roofline", [roofline.head(roof)])
    yield table_of(
        kinds, "kinds", ("Kind of layer", "{op}"), ("Layers", "{layers}"), ("Time", "{latency_ms}"),
        ("Share", "{share}"), ("FLOP/byte", "{intensity|}"), ("Reached", "{gops}"), ("Bound", "{bound}"),
    )  # fmt: skip


def _layers(results: Results) -> Iterator[Block]:
    roof = results.roofline
    chart = layer_chart(results.model, results.performance, roof)
    drawings = [replace(each, chart=chart) for each in roofline.drawing(roof)]
    yield from within("roofline", drawings) if drawings else [Paragraph("No layer's time is known.")]
    yield from _drawn(utilization(results.timeline))
    yield from _drawn(estimated_flame(roof, results.performance))
    order = sorted(range(len(roof.layers)), key=lambda at: -(roof.layers[at].share or 0.0))
    header = ("Layer", "Operator", "Time", "Share", "Bound", "FLOP/byte", "Energy", "MACs", "Moved", "On")
    yield Table(header, tuple(map(_layer, order[:_SLOWEST])))
    if len(order) > _SLOWEST:
        rows = tuple(map(_layer, sorted(order)))
        yield Table(header, rows, folded=f"All {len(order)} layers in their order")


def _drawn(picture: Picture | None) -> Iterator[Drawing]:
    """Where a page has the charting library; elsewhere the tables of their section say the same."""
    if picture is not None:
        for chart in picture.charts:
            yield Drawing(str, picture.caption, PICTURE, chart=chart)


def _layer(at: int) -> tuple[Text, ...]:
    roof = ("{index}", "{op}", "{latency_ms}", "{share}", "{bound}", "{arithmetic_intensity|}")
    cost = ("{energy_uj}", "{macs}", "{memory_bytes}", "{processor}")
    return (
        *(text(cell, f"roofline.layers[#{at}]") for cell in roof),
        *(text(cell, f"performance.layers[#{at}]") for cell in cost),
    )


def _memory(results: Results) -> Iterator[Block]:
    yield from within("memory", memory.blocks(results.memory))
    line = results.timeline
    if line.arena_bytes is None and line.peak is None:
        yield Paragraph("The arena over time is not known: the runtime's planner is not modelled.")
        return
    said = [text("The arena over the run, as {planner} plans it.", "timeline")]
    if line.peak is not None:
        said.append(text(" The peak is {live_bytes} at layer {index} ({op}).", "timeline.peak"))
    if line.arena_bytes is not None:
        said.append(text(" The whole arena takes {arena_bytes!}.", "timeline"))
    caption = joined(*said)
    drawn = functools.partial(timeline_drawing, line, time=False)
    yield Drawing(drawn, caption, "timeline", caption, chart=memory_chart(line))


def _placement(results: Results) -> Iterator[Block]:
    report = results.compatibility
    yield Paragraph(compatibility.score("compatibility"))
    yield from within("compatibility", compatibility.blocks(report))


def _help(results: Results) -> Iterator[Block]:
    report = results.optimization
    if report is None:
        place = results.checks.deployment
        where = f"-t {place.target} -r {place.runtime} --clock {place.clock_mhz:g}MHz --batch {place.batch}"
        command = f"edgewright optimize {shlex.quote(results.model.name)} {where}"
        yield Code("Not computed on this page. This command tells:", command)
        return
    yield from _drawn(optimization_timeline(report))
    yield from within("optimization", [*optimization.options(report), *optimization.heavy(report)])


def _model(results: Results) -> Iterator[Block]:
    summary = results.model
    blocks: list[Block] = [model.head(summary)]
    if summary.not_counted:
        blocks.append(Items(model.left_out(summary)))
    yield from within("model", blocks)


def _grounds(results: Results) -> Iterator[Block]:
    if results.evidence is not None:
        yield from within("evidence", evidence.blocks(results.evidence))
    places = range(len(results.performance.stands_on))
    if places:
        yield Items(tuple(text(f"{{performance.stands_on[#{at}]}}") for at in places))


def _sources(results: Results) -> Table:
    target, runtime = results.place.target, results.place.runtime
    rows = (*_cited(target.id, target.sources), *_cited(runtime.id, runtime.sources))
    header = ("For", "Source", "Where", "Version", "Date", "Kind")
    return Table(header, rows, folded=f"{len(rows)} sources of {target.name} and {runtime.id}")


def _cited(what: str, sources: Mapping[str, Source]) -> Iterator[tuple[str, ...]]:
    for source in sources.values():
        yield (what, source.title, source.where, source.version, f"{source.date}", source.kind.value)
