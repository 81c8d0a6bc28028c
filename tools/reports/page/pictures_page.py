"""Pictures as one page that loads nothing, each with the table behind it."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.sanitize import escape
from ..charts.picture import Picture
from .fragment import chart_figure
from .shell import file_of_charts


def pictures_page(pictures: Sequence[Picture]) -> str:
    """Only where the charting library is installed."""
    main = "".join(
        f"<section><h2>{escape(picture.title)}</h2>{figures(picture)}</section>" for picture in pictures
    )
    title = pictures[0].title if len(pictures) == 1 else "Pictures"
    return file_of_charts(title, main)


def figures(picture: Picture) -> str:
    """Its charts and one caption; several stand in two columns where there is room."""
    if len(picture.charts) == 1:
        return chart_figure(picture.charts[0], escape(picture.caption))
    drawn = "".join(chart_figure(chart, escape(chart.spec["description"])) for chart in picture.charts)
    return f'<div class="beside">{drawn}</div><p class="caption">{escape(picture.caption)}</p>'
