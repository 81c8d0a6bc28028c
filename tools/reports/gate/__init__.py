"""A constraint report for machines that gate builds: Markdown for pull requests, JUnit, SARIF."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ....hardware_db.errors import UsageError, nearest
from ...constraint_checker.constraint_report import ConstraintReport
from ...core.document import Document, describe
from ...core.sanitize import clean_text
from .junit import junit_xml
from .markdown import markdown
from .sarif import sarif_json

FORMATS = {"markdown": markdown, "junit": junit_xml, "sarif": sarif_json}
"""Name → function of a report and the model's name as the user wrote it."""


_LONGEST_NAME = 400


def writer(form: str, model: str) -> Callable[[ConstraintReport], Document | str]:
    """What writes a report about `model` in a format.

    Raises:
        UsageError: no such format.
    """
    if form == "text":
        return describe
    if form not in FORMATS:
        close = ", ".join(nearest(form, FORMATS)) or ", ".join(("text", *FORMATS))
        raise UsageError(f"There is no format {form!r}.", hint=f"Known: {close}.")
    return partial(FORMATS[form], model=clean_text(model, _LONGEST_NAME))


__all__ = ["FORMATS", "junit_xml", "markdown", "sarif_json", "writer"]
