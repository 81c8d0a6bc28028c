"""Answers one check by kept figures, in a process of its own. Run as a module in the request's folder."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import NamedTuple

from ...hardware_db.errors import EdgewrightError
from ...hardware_db.figures import answer_by, read_kept
from ..core.deployment import Deployment
from ..core.settings import Settings
from ..graph import ModelGraph
from ..verdicts.limits import Limits
from .checking import Asked, checked

REQUEST, ANSWER = "request", "answer"


class Sent(NamedTuple):
    """What is asked, as it goes to the other process; deployments go as JSON."""

    figures: Path
    place: str
    settings: str
    model: ModelGraph
    limits: Limits
    baseline: ModelGraph | None
    remedies: bool
    former: Path | None

    def deployment(self) -> Deployment:
        settings = Settings.model_validate_json(self.settings)
        return Deployment.model_validate_json(self.place).model_copy(update={"settings": settings})


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
