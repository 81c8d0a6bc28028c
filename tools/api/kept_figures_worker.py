"""Answers one check by kept figures, in a process of its own. Run as a module in the request's folder."""

from __future__ import annotations

import pickle
from pathlib import Path

from ...hardware_db.errors import EdgewrightError
from ...hardware_db.figures import answer_by, read_kept
from .checking import Asked, checked
from .kept_figures import ANSWER, REQUEST, Sent


def main() -> None:
    sent: Sent = pickle.loads(Path(REQUEST).read_bytes())  # noqa: S301 - of the process that started this one
    try:
        answer_by(read_kept(sent.figures))
        answer: object = checked(
            Asked(sent.model, sent.deployment(), sent.limits, sent.baseline, sent.remedies, sent.former)
        )
    except EdgewrightError as error:
        answer = error
    Path(ANSWER).write_bytes(pickle.dumps(answer))


if __name__ == "__main__":
    main()
