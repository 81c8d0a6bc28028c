"""What a sentence compares with: its names say nothing of the subject."""

from __future__ import annotations

import re

from .known_names import Mention
from .sentences import Stretch
from .words import ARTICLES, AT, THAN

ON = re.compile(
    rf"[\s*_`]*(?:\(|\[|(?:{AT})\s)[\s*_`]*(?:(?:{ARTICLES})\s*)?(?:layer|model|runtime)?[\s*_`]*",
    re.IGNORECASE,
)
CONTRAST = re.compile(rf"(?<!\w)(?:{THAN})[\s*_`]*(?:(?:{ARTICLES})\s*)?[\s*_`]*$", re.IGNORECASE)


def of_compared(text: str, stretch: Stretch) -> dict[Mention, Mention]:
    """Runtimes named right after the target that something is compared with, each with that target."""
    targets = [m for m in stretch.mentions if m.kind == "target"]
    return {
        runtime: target
        for runtime in stretch.mentions
        if runtime.kind == "runtime"
        for target in targets
        if ON.fullmatch(text, target.end, runtime.start)
        and CONTRAST.search(text[max(stretch.start, target.start - 40) : target.start])
    }
