"""A report as one archive to hand on and to make again: page, tables, results, versions, hashes, a script."""

from __future__ import annotations

import hashlib
import io
import json
import platform
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata
from typing import Any

from ... import __version__
from ...hardware_db.coefficients import RELEASE
from ..core.files import file_named
from ..core.render.csv_lines import csv_lines, number
from ..core.render.markdown import markdown
from ..core.sanitize import json_text
from ..verdicts.limits import Limits
from .charts.board_rows import COLUMNS, board_rows
from .charts.layers import COLUMNS as LAYER_COLUMNS
from .charts.layers import layer_chart
from .content import document_of
from .page.shell import page
from .results import Results

MANIFEST, RESULTS, SCRIPT = "manifest.json", "results.json", "make_again.py"
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""No time of writing, so that the same results make the same bytes."""
_STANDS_ON = ("numpy", "pydantic", "tflite")


def bundle(views: Sequence[Results], source: str, limits: Limits, *, charts: bool) -> bytes:
    """The archive of a report.

    Args:
        views: the deployments of the page.
        source: what the model was named by; empty for a graph.
        limits: what was demanded.
        charts: let the page carry the charting library.
    """
    files: dict[str, str] = {
        "page.html": page(views, charts=charts),
        "report.md": markdown(document_of(views[0])),
        "deployments.csv": _deployments(views),
        "layers.csv": _layers(views),
        RESULTS: json_text([_figures(view) for view in views]),
        SCRIPT: _script(views, source, limits),
    }
    data = {name: text.encode("utf-8", "replace") for name, text in files.items()}
    data[MANIFEST] = json.dumps(_manifest(views, data, limits), indent=1).encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in data.items():
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _manifest(views: Sequence[Results], data: Mapping[str, bytes], limits: Limits) -> dict[str, Any]:
    packages = {name: _version(name) for name in _STANDS_ON}
    return {
        "schema_version": "1.0",
        "edgewright": __version__,
        "figures": RELEASE,
        "python": platform.python_version(),
        "packages": packages,
        "model": views[0].model.name,
        "model_sha256": views[0].model.sha256,
        "limits": limits.model_dump(mode="json", exclude_defaults=True),
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in data.items()},
    }


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def _figures(view: Results) -> dict[str, Any]:
    parts = (view.performance, view.roofline, view.memory, view.checks, view.compatibility)
    names = ("performance", "roofline", "memory", "checks", "compatibility")
    found = {name: part.model_dump(mode="json") for name, part in zip(names, parts, strict=True)}
    return {"transform": view.transform, "deployment": view.checks.deployment.model_dump(), **found}


def _deployments(views: Sequence[Results]) -> str:
    """As the page's first table, in plain numbers with their units in the heading."""
    heads = [f"{column.title} [{column.unit}]" if column.unit else column.title for column in COLUMNS]
    rows = ([_cell(row[column.field]) for column in COLUMNS] for row in board_rows(views))
    return csv_lines([heads, *rows])


def _layers(views: Sequence[Results]) -> str:
    heads = ["deployment", "transform"]
    heads += [f"{column.title} [{column.unit}]" if column.unit else column.title for column in LAYER_COLUMNS]
    return csv_lines([heads, *_layer_rows(views)])


def _layer_rows(views: Sequence[Results]) -> Iterator[list[str]]:
    for view in views:
        chart = layer_chart(view.model, view.performance, view.roofline)
        place = view.checks.deployment.headline()
        for row in chart.rows:
            yield [place, view.transform, *(_cell(row[column.field]) for column in LAYER_COLUMNS)]


def _cell(value: Any) -> str:
    match value:
        case None:
            return "unknown"
        case str():
            return value
        case _:
            return number(float(value))


def _script(views: Sequence[Results], source: str, limits: Limits) -> str:
    """Python that makes the archive again where the model and this release are."""
    places = dict.fromkeys(repr_of(view) for view in views)
    transforms = list(dict.fromkeys(view.transform for view in views if view.transform))
    demands = limits.model_dump(mode="json", exclude_defaults=True)
    listed = "".join(f"    {place},\n" for place in places)
    sha256 = views[0].model.sha256
    named = source if file_named(source) else views[0].model.name
    return (
        f'"""Makes this archive again with edgewright {__version__} and figures {RELEASE}."""\n\n'
        "from pathlib import Path\n\nfrom edgewright.tools import deployment, parse_model, write_report\n\n"
        f"MODEL = {named!r}  # a graph that was made in a program: give its file\n"
        f"PLACES = [\n{listed}]\n\n"
        f"assert parse_model(MODEL).sha256 == {sha256!r}, 'another model than the one of the archive'\n"
        f'write_report(MODEL, PLACES, Path("again.zip"), {demands!r}, transforms={transforms!r})\n'
    )


def repr_of(view: Results) -> str:
    """The call that makes a deployment."""
    ref = view.checks.deployment
    return (
        f"deployment({ref.target!r}, {ref.runtime!r}, clock_mhz={ref.clock_mhz!r}, batch={ref.batch}, "
        f"threads={ref.threads})"
    )
