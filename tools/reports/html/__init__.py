"""A report to hand on: one file that opens anywhere, written from results alone."""

from __future__ import annotations

from .content import document_of
from .markdown import markdown_page
from .page import page
from .results import Results, results_of
from .write import WrittenReport, write_report

__all__ = [
    "Results",
    "WrittenReport",
    "document_of",
    "markdown_page",
    "page",
    "results_of",
    "write_report",
]
