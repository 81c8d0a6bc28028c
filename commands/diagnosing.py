"""What to look at when something does not work."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..agent.llm.keys import without_keys
from .options import CsvFile, Json
from .printing import print_result
from .rows import write_rows

EXIT_BROKEN = 2

app = typer.Typer()


@app.command()
def doctor(
    context: typer.Context,
    llm: Annotated[str | None, typer.Option("--llm", help="A model's name, or offline.")] = None,
    base_url: Annotated[
        str | None, typer.Option("--base-url", help="Of an OpenAI-compatible server.")
    ] = None,
    reach: Annotated[
        bool, typer.Option("--reach", help="Ask the endpoint; else nothing uses the network.")
    ] = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="Mend what is damaged of what is kept; copies stay beside it.")
    ] = False,
    sweep: Annotated[
        list[Path] | None, typer.Option("--sweep", help="Output folder of a sweep to look at too.")
    ] = None,
    json: Json = False,
    csv: CsvFile = None,
) -> None:
    """Check installation, extras, hardware data, configuration, endpoint, what is kept, and terminal.

    Exit code 2 where something is broken.
    """
    from ..agent.doctor import diagnose, diagnosis_text, safe_url

    fields = {
        "llm": without_keys(llm) if llm else None,
        "base_url": safe_url(base_url) if base_url else None,
        "reach": reach,
        "repair": repair,
    }
    report = diagnose(
        llm, base_url, reach=reach, hardware_directories=context.obj.hardware_directories or None,
        repair=repair, sweeps=sweep or (),
    )  # fmt: skip
    print_result("diagnose", report, fields, json, diagnosis_text)
    if csv is not None:
        write_rows(report.findings, csv)
    raise typer.Exit(0 if report.healthy else EXIT_BROKEN)
