"""What is known of a model on one deployment: what their commands show beside the result."""

from __future__ import annotations

import functools
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from .. import tools
from ..tools.core.units import Dimension, parse_measure
from ..tools.traces.linked.recognising import is_firmware
from .generated import Asked, Bodies
from .printing import echo
from .progress import bar

app = typer.Typer()
BODIES = Bodies()

Top = Annotated[int, typer.Option(help="Rows of each table.", min=1)]
_QUIET_S = 2.0


@BODIES.of("analyze_model")
def analyze(
    asked: Asked,
    *,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder for the tables as CSV, and a picture of each."),
    ] = None,
    memory_bandwidth: Annotated[
        float | None,
        typer.Option("--memory-bandwidth", help="GB/s that hardware_summary.csv measures its use by."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that are there.")] = False,
) -> None:
    found = asked.result()

    def write() -> None:
        if output is None:
            return
        written: Any = asked.of(
            "write_artifacts", folder=output, memory_bandwidth_gb_s=memory_bandwidth, force=force
        ).result()
        echo(written.headline(), err=True)
        for warning in written.warnings:
            echo(f"edgewright: {warning}", err=True)
        for file in tools.write_pictures(found, output, force=force, needed=False):
            echo(file, err=True)

    asked.show(found, write=write)


@BODIES.of("score_compatibility")
def compat(
    asked: Asked,
    *,
    every: Annotated[bool, typer.Option("--all", help="A row for each operator, alike or not.")] = False,
) -> None:
    asked.show(asked.result(), functools.partial(asked.tool.describe, every=every))


@BODIES.of("plan_memory")
def memory(
    asked: Asked,
    *,
    best_order: Annotated[
        bool,
        typer.Option("--best-order", help="Seek the order of operators and the packing that need least."),
    ] = False,
    time_limit: Annotated[
        float, typer.Option("--time-limit", help="Seconds for that; Ctrl-C ends it with the best found.")
    ] = 5.0,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the .tflite file in that order and packing."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite that file.")] = False,
) -> None:
    if not best_order and output is None:
        asked.show(asked.result())
        return
    begin = time.monotonic()

    def progress(line: str) -> None:
        if time.monotonic() - begin > _QUIET_S:
            echo(line, err=True)

    asked = asked.of("best_memory_order", time_limit_s=time_limit)
    sought: Any = asked.result(progress=progress)

    def save() -> None:
        from ..tools.memory_planner.order.saving import save_reordered

        if output is not None:
            written = save_reordered(asked.given["model"], sought, output, force=force)
            done = f"{output}: {written:,} bytes" if written else "Nothing to save: no file written."
            echo(done, err=True)

    asked.show(sought, write=save)


@BODIES.of("trace_timeline")
def timeline(
    asked: Asked,
    *,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Draw it: .svg or .html; trace it: .json; .csv, .pb by units."),
    ] = None,
) -> None:
    from ..tools.timeline.drawing import check_drawable, write_drawing

    if output is not None:
        check_drawable(output)
    traced: Any = asked.result()

    def draw() -> None:
        if output is not None:
            write_drawing(traced, output)

    asked.show(traced, write=draw)


@BODIES.of("firmware_code")
def code(
    asked: Asked,
    *,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Folder for the files.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that are there.")] = False,
) -> None:
    made: Any = asked.result()
    asked.show(made if output is None else tools.write_firmware(made, output, force=force))


@BODIES.of("write_report")
def report(
    asked: Asked,
    *,
    model_explorer: Annotated[
        Path | None,
        typer.Option("--model-explorer", help="Folder for what Google's Model Explorer shows on nodes."),
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option("--trace", help="Of --model-explorer: what a profiler wrote on the first target."),
    ] = None,
) -> None:
    if model_explorer is None:
        asked.show(asked.result())
        return
    nodes = asked.of("write_node_data", folder=model_explorer, trace=trace)
    if "output" in asked.given or "bundle" in asked.given:
        asked.show(asked.result(), write=lambda: echo(nodes.result().headline(), err=True))
        return
    nodes.show(nodes.result())


@BODIES.of("hardware_guide")
def guide(
    asked: Asked,
    *,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write it: .html or .md, with every estimate.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite that file.")] = False,
) -> None:
    with bar() as progress:
        found: Any = asked.result(progress=progress)

    def write() -> None:
        if output is not None:
            echo(f"{output}: {tools.write_guide(found, output, force=force):,} bytes", err=True)

    asked.show(found, write=write)


@BODIES.of("check_constraints")
def check(
    asked: Asked,
    *,
    form: Annotated[str, typer.Option("--format", help="text, markdown, junit or sarif.")] = "text",
) -> None:
    from ..tools.reports.gate import writer

    if asked.json and form != "text":
        raise tools.UsageError(f"--json and --format {form} are two formats.", hint="Drop one of them.")
    asked.judge(writer(form, asked.given["model"]))


@BODIES.of("recommend_hardware")
def recommend(
    asked: Asked,
    *,
    top: Top = 10,
    every: Annotated[bool, typer.Option("--all", help="Every runtime of every target.")] = False,
) -> None:
    _ranked(asked, top=top, every=every)


@BODIES.of("recommend_model")
def recommend_model(
    asked: Asked,
    *,
    top: Top = 10,
    every: Annotated[bool, typer.Option("--all", help="Every model.")] = False,
) -> None:
    _ranked(asked, top=top, every=every)


def _ranked(asked: Asked, **shown: Any) -> None:
    asked.judge(functools.partial(asked.tool.describe, **shown))


@BODIES.of("import_profile")
def import_trace(asked: Asked) -> None:
    """Against the estimate where a model and a target are named; else what the files say by themselves."""
    named = [asked.given.get(name) is not None for name in ("model", "target")]
    if any(named) and not all(named):
        raise tools.UsageError(
            "--model and --target go together.", hint="Name both, or neither to see the trace by itself."
        )
    if all(named) and asked.given.get("beside"):
        raise tools.UsageError(
            "--with is for traces without --model and --target.", hint="Leave one of them out."
        )
    if (earlier := asked.given.get("against")) is not None:
        if any(named) or asked.given.get("beside"):
            raise tools.UsageError(
                "--against compares two measured runs alone.", hint="Leave out the others."
            )
        asked = asked.of("compare_runs", before=earlier, after=asked.given["path"])
    elif is_firmware(asked.given["path"]):
        asked = asked.of("explain_firmware")
    elif not all(named):
        asked = asked.of("explain_trace")
    asked.show(asked.result())


@BODIES.of("profile_on_host")
def profile(
    asked: Asked,
    *,
    target: Annotated[
        str | None, typer.Option("--target", "-t", help="Board on --port that runs the model.")
    ] = None,
    port: Annotated[
        str | None, typer.Option("--port", help="Serial line of a board: /dev/ttyACM0 (docs/board.md).")
    ] = None,
    clock: Annotated[
        str | None, typer.Option("--clock", help="Its core's clock, such as 80MHz; else as it states.")
    ] = None,
    variants: Annotated[
        bool, typer.Option("--variants", help="With and without fusion, other kernels, more cores.")
    ] = False,
    baud: Annotated[int, typer.Option("--baud", help="Rate of the serial line.")] = 115_200,
    wait: Annotated[float, typer.Option("--wait", help="Longest time without a line of it, in s.")] = 30.0,
) -> None:
    """Here, or on a board where a serial line is named."""
    if (target is None) != (port is None):
        raise tools.UsageError(
            "--target and --port go together.", hint="Name both for a board, neither for this machine."
        )
    if port is not None:
        asked = asked.of(
            "profile_on_board", model=asked.given["path"], target=target, port=port, baud=baud, wait_s=wait,
            clock_mhz=None if clock is None else parse_measure(clock, Dimension.CLOCK_MHZ),
        )  # fmt: skip
    elif variants:
        asked = asked.of("measure_variants", repeat=min(asked.given["repeat"], 50))
    asked.show(asked.result())


@BODIES.of("analyze_roofline")
def roofline(
    asked: Asked,
    *,
    measured: Annotated[
        bool, typer.Option("--measured", help="Of a host: by bandwidth and peaks measured here, in 2 s.")
    ] = False,
) -> None:
    asked.show(asked.result(measured=measured))


@BODIES.of("estimate_generation")
def generation(
    asked: Asked,
    *,
    min_rate: Annotated[
        float,
        typer.Option("--min-rate", help="Of a ranking: tokens a second that each session has to write."),
    ] = 10.0,
    max_price: Annotated[
        float | None, typer.Option("--max-price", help="Of a ranking of targets: in US dollars.")
    ] = None,
    only: Annotated[
        str | None, typer.Option("--class", help="Of a ranking of targets: gpu, gpu-soc, cpu, mpu or npu.")
    ] = None,
    top: Annotated[int, typer.Option(help="Of a ranking: rows of each table.", min=1)] = 15,
) -> None:
    if asked.given.get("model") is not None and asked.given.get("target") is not None:
        asked.judge()
    asked = asked.of("rank_generation", min_tokens_per_s=min_rate, max_price_usd=max_price, target_class=only)
    _ranked(asked, top=top)
