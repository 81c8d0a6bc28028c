"""Writes a report as the one file that was asked for."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path

from ...hardware_db.errors import UsageError
from ..core.deployment import Deployment, DeploymentRef
from ..core.files import save_whole
from ..core.quantity import Result
from ..core.render.markdown import markdown
from ..graph import ModelGraph
from ..placement.model_source import ModelSource
from ..verdicts.limits import Limits, LimitsLike, as_limits
from ..verdicts.verdict import Verdict
from .bundle import bundle
from .content import document_of
from .page.shell import page
from .results import Results
from .views import views_of

_ENDINGS = "Name the file .html or .md, or .zip for all of it."


class WrittenReport(Result):
    """Where a report was written, and what it says of the limits."""

    schema_version: str = "1.0"
    deployment: DeploymentRef
    """The first one."""
    deployments: tuple[DeploymentRef, ...] = ()
    """All that the page switches among; nothing for a report of one."""
    output: str
    """The file."""
    bytes: int
    """Its size."""
    verdict: Verdict
    """Of the limits and of what the target has, on the first deployment."""
    verdicts: tuple[Verdict, ...] = ()
    """Of each of `deployments`."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


Places = Deployment | str | Sequence[Deployment | str]


def write_report(
    model: ModelSource,
    deployment: Places,
    output: Path,
    limits: LimitsLike | None = None,
    *,
    transforms: Sequence[str] = (),
    in_depth: bool | None = None,
    charts: bool = True,
    force: bool = False,
) -> WrittenReport:
    """Write all that the tools know of a model on a deployment, or on several, into one file.

    Args:
        model: a path, the name of an architecture, or a `ModelGraph`.
        deployment: a deployment, or a target's name for its usual runtime; or several, of which a page shows
            all side by side and each in full.
        output: ends in .html for a page that opens without a network, in .zip for an archive with that, the
            tables, all results, versions, hashes and a script that makes it again, or, for one deployment, in
            .md.
        limits: what is demanded beyond fitting at all, such as {"latency_ms": 50}.
        transforms: what else to show the model as on each deployment, such as int8 or input-50.
        in_depth: also simulate changes and look up measurements; None does so for the first deployment, as it
            takes most of the time.
        charts: let the page carry the charting library, where it is installed.
        force: overwrite a file.

    Raises:
        InputError: a model or target that cannot be used.
        UsageError: another ending, a file that exists, a folder that does not, a transform that cannot be
            applied, or several deployments in one .md.

    Example:
        >>> board = deployment("stm32h743zi", "tflm-cmsis-nn")
        >>> written = write_report("kws.tflite", board, Path("report.md"))
        >>> written.verdict.value, written.bytes == Path("report.md").stat().st_size
        ('PASS', True)
    """
    several = [deployment] if isinstance(deployment, Deployment | str) else list(deployment)
    demands = as_limits(limits)
    render = _renderer(output, model, demands, one=len(several) == 1 and not transforms, charts=charts)
    views: list[Results] = []

    def content() -> bytes:
        views.extend(views_of(model, several, demands, transforms, in_depth=in_depth))
        return _encoded(render(views))

    return _written(views, output, save_whole(content, output, force=force))


def _encoded(made: str | bytes) -> bytes:
    return made if isinstance(made, bytes) else made.rstrip("\n").encode("utf-8", "replace") + b"\n"


def _written(views: Sequence[Results], output: Path, size: int) -> WrittenReport:
    checks = views[0].checks
    many = views if len(views) > 1 else []
    return WrittenReport(
        deployment=checks.deployment,
        deployments=tuple(view.checks.deployment for view in many),
        output=str(output),
        bytes=size,
        verdict=checks.verdict,
        verdicts=tuple(view.checks.verdict for view in many),
        assumptions=checks.assumptions,
        warnings=checks.warnings,
    )


Renderer = Callable[[Sequence[Results]], str | bytes]


def _renderer(output: Path, model: ModelSource, limits: Limits, *, one: bool, charts: bool) -> Renderer:
    match output.suffix.lower():
        case ".html" | ".htm":
            return functools.partial(page, charts=charts)
        case ".zip":
            source = "" if isinstance(model, ModelGraph) else str(model)
            return functools.partial(bundle, source=source, limits=limits, charts=charts)
        case ".md" if one:
            return lambda views: markdown(document_of(views[0]))
        case ".md":
            raise UsageError("One .md holds one deployment.", hint="Name the file .html.")
        case "":
            raise UsageError("Reports are not written as files without ending.", hint=_ENDINGS)
        case ending:
            raise UsageError(f"Reports are not written as {ending!r}.", hint=_ENDINGS)
