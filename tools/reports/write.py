"""Writes a report as the one file that was asked for."""

from __future__ import annotations

from pathlib import Path

from ...hardware_db.errors import UsageError
from ..core.deployment import Deployment, DeploymentRef
from ..core.files import save_whole
from ..core.quantity import Result
from ..core.render.markdown import markdown
from ..core.render.page import page
from ..placement.model_source import ModelSource
from ..verdicts.limits import LimitsLike, as_limits
from ..verdicts.verdict import Verdict
from .content import document_of
from .results import Results, results_of

_PAGES = {".html": page, ".htm": page, ".md": markdown}


class WrittenReport(Result):
    """Where a report was written, and what it says of the limits."""

    schema_version: str = "1.0"
    deployment: DeploymentRef
    output: str
    """The file."""
    bytes: int
    """Its size."""
    verdict: Verdict
    """Of the limits and of what the target has."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def write_report(
    model: ModelSource,
    deployment: Deployment | str,
    output: Path,
    limits: LimitsLike | None = None,
    *,
    force: bool = False,
) -> WrittenReport:
    """Write all that the tools know of a model on a deployment into one file.

    Args:
        model: a path, the name of an architecture, or a `ModelGraph`.
        deployment: a deployment, or a target's name for its usual runtime.
        output: ends in .html for a page with drawings that opens without a network, or in .md.
        limits: what is demanded beyond fitting at all, such as {"latency_ms": 50}.
        force: overwrite a file.

    Raises:
        InputError: a model or target that cannot be used.
        UsageError: another ending, a file that exists, or a folder that does not.

    Example:
        >>> board = deployment("stm32h743zi", "tflm-cmsis-nn")
        >>> written = write_report("kws.tflite", board, Path("report.md"))
        >>> written.verdict.value, written.bytes == Path("report.md").stat().st_size
        ('PASS', True)
    """
    written = _PAGES.get(output.suffix.lower())
    if written is None:
        text = repr(output.suffix) if output.suffix else "files without ending"
        raise UsageError(f"Reports are not written as {text}.", hint="Name the file .html or .md.")
    found: list[Results] = []

    def content() -> bytes:
        found.append(results_of(model, deployment, as_limits(limits)))
        return written(document_of(found[0])).rstrip("\n").encode("utf-8", "replace") + b"\n"

    size = save_whole(content, output, force=force)
    checks = found[0].checks
    return WrittenReport(
        deployment=checks.deployment,
        output=str(output),
        bytes=size,
        verdict=checks.verdict,
        assumptions=checks.assumptions,
        warnings=checks.warnings,
    )
