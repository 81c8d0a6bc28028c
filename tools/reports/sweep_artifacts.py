"""What a sweep leaves beside its tables: each model's layers, and pictures of work and of precisions."""

from __future__ import annotations

import csv
from pathlib import Path

from ..core.files import file_named, save_all
from ..core.render.csv_lines import csv_lines, number
from ..graph.summarize import summarize_model
from ..model_formats.source import parse_model
from .artifacts import LAYERS, PRECISIONS, layer_rows
from .charts.artifacts import activation_chart, macs_chart, precision_chart
from .charts.picture import can_draw, picture_png, png
from .charts.swept import front_of_sweep

_HEADER = ("model", "layer", "output_elements", "parameter_bytes", "activation_bytes", "macs")


def write_sweep_artifacts(plan: Path, models: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    """Write layerwise_breakdown.csv of all models, and pictures, a front among them, where they can be drawn.

    Args:
        plan: the plan's file, which the models' files are relative to.
        models: as the plan names them.
        folder: of the finished sweep; files of a former run are replaced.

    Returns:
        The names of the files.

    Raises:
        EdgewrightError: the disk is full, or the folder may not be written to.

    Example:
        >>> plan = Path("plan.yaml")
        >>> _ = plan.write_text("models: [kws]\\ntargets: [nrf52840]\\nruntimes: [usual]")
        >>> _ = run_sweep(plan, "swept")
        >>> "layerwise_breakdown.csv" in write_sweep_artifacts(plan, ("kws",), Path("swept"))
        True
    """
    lines: list[tuple[str, ...]] = [_HEADER]
    files: dict[str, bytes | str] = {}
    for model in models:
        rows = layer_rows(summarize_model(parse_model(file_named(model, plan.parent) or model)), batch=1)
        lines += [(model, *(_cell(cell) for cell in row)) for row in rows]
        if can_draw():
            suffix = "" if len(models) == 1 else f"_{Path(model).stem.replace(':', '-')}"
            files[f"layerwise_activation_memory{suffix}.png"] = png(activation_chart(rows))
            files[f"layerwise_macs{suffix}.png"] = png(macs_chart(rows))
            if front := front_of_sweep(folder, model):
                files[f"{front.name}{suffix}.png"] = picture_png(front)
    files[LAYERS] = csv_lines(lines)
    if can_draw():
        with (folder / PRECISIONS).open(newline="", encoding="utf-8") as source:
            header, *precisions = csv.reader(source)
        files["precision_tradeoffs.png"] = png(precision_chart(header, precisions))
    save_all(files, folder, force=True)
    return tuple(files)


def _cell(value: str | int | None) -> str:
    return "" if value is None else value if isinstance(value, str) else number(float(value))
