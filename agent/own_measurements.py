"""Every answer that goes by what the user measured says so, whoever wrote it."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from pathlib import PurePath

from .answer import Answer, ToolCallRecord
from .events import Event, Finished, TextDelta
from .patterns import compiled

_NOTE = compiled(r"of your own\b.*, (?P<file>[^,]+\.json)\)$")
"""How an assumption ends that names a calibration (`tools/cost_model/own_measured.py`)."""


def own_measurements_named(events: Generator[Event, None, None]) -> Generator[Event, None, None]:
    """The same events; an answer whose results go by a calibration ends with a line that names the board."""
    with closing(events) as said:
        for event in said:
            line = named(event.answer) if isinstance(event, Finished) else ""
            if not line or not isinstance(event, Finished):
                yield event
                continue
            yield TextDelta(f"\n{line}")
            text = f"{event.answer.answer}\n{line}"
            yield Finished(event.answer.model_copy(update={"answer": text}))


def named(answer: Answer) -> str:
    """The line; empty where nothing goes by a calibration, or nothing was answered."""
    boards = calibrated_boards(answer.tool_calls)
    if not boards or not answer.complete:
        return ""
    return (
        f"This goes by your own measurements of {', '.join(boards)}: `edgewright calibrate --list` shows "
        f"them, `--remove {boards[0]}` forgets them."
    )


def calibrated_boards(records: Iterable[ToolCallRecord]) -> list[str]:
    """Targets whose calibration a result was made with, each once."""
    notes = (
        note for record in records if record["result"] for note in record["result"].get("assumptions", ())
    )
    files = (match["file"] for note in notes if (match := _NOTE.search(str(note))))
    return list(dict.fromkeys(PurePath(file).stem for file in files))
