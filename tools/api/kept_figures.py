"""A check by kept figures: the same call, in a process that reads those in place of what ships."""

from __future__ import annotations

import pickle
from pathlib import Path

from ...hardware_db.errors import EdgewrightError, InputError
from ...hardware_db.figures import KeptFigures
from ..constraint_checker.constraint_report import ConstraintReport
from ..core.isolated import FailedError, run_isolated, worker_folder
from ..core.records import replace
from ..graph import ModelGraph
from ..model_formats.origins import origin_of, read_from
from .checking import Asked
from .kept_figures_worker import ANSWER, REQUEST, Sent

SECONDS, MEMORY_BYTES = 600, 8 << 30
_WORKER = f"{__package__}.kept_figures_worker"


def _afresh(graph: ModelGraph) -> ModelGraph:
    """The graph and its file, without what followed from it by other figures."""
    path, copy = origin_of(graph), replace(graph)
    return copy if path is None else read_from(copy, path)


def checked_by(kept: KeptFigures, asked: Asked) -> ConstraintReport:
    """
    Raises:
        InputError: figures that the package cannot answer by.
        EdgewrightError: as the check itself does.
    """
    sent = Sent(
        kept.file,
        asked.place.model_dump_json(by_alias=True),
        asked.place.settings.model_dump_json(),
        _afresh(asked.model),
        asked.limits,
        None if asked.baseline is None else _afresh(asked.baseline),
        asked.remedies,
        None if asked.former is None else Path(asked.former).expanduser().resolve(),
    )
    with worker_folder("figures") as made:
        folder = Path(made)
        (folder / REQUEST).write_bytes(pickle.dumps(sent))
        try:
            run_isolated(_WORKER, folder, seconds=SECONDS, memory_bytes=MEMORY_BYTES)
            answer = pickle.loads((folder / ANSWER).read_bytes())  # noqa: S301 - of our own process
        except (FailedError, OSError) as error:
            raise InputError(
                f"The figures in {str(kept.file)!r} give no answer: {error}.",
                hint="Install the release that wrote them, or leave them out.",
            ) from error
    if isinstance(answer, EdgewrightError):
        raise answer
    assert isinstance(answer, ConstraintReport)
    note = f"judged by the figures of {kept.release} that were kept; chips and rules are this release's"
    return answer.model_copy(update={"assumptions": (*answer.assumptions, note)})
