"""Of several questions in one message, those that the answer leaves open: answered, or named as not."""

from __future__ import annotations

from ...pages import Subject
from ..bench import Answering, ToolFailedError
from ..parts import Part, parts_of
from ..query import Query, Role
from ..want import Want
from ..words import meaning, spoken
from . import causes
from .besides import MOST_WORDS, fields_of, line_on, told_by
from .doubted import LEAST_SURE
from .passages import APT, search, shortened
from .phrases import as_words, language_models

_LIKELY = 0.2
"""Chance from which on a part may want something; where the answer tells that, the part is no longer open."""
_SURE, _POSSIBLE = 0.35, 0.1
"""Below the first a part is named and not guessed at; from the second on it may have been told already."""
_IN_WORDS, _TOLD_BY_A_PAGE = 5, 0.7
_LONGEST, _ALIKE = 90, 60
_OF_TOKENS = frozenset(
    (
        Want.GENERATION, Want.LATENCY, Want.THROUGHPUT, Want.FITS, Want.MEETS, Want.RAM, Want.BOUND,
        Want.COMPARE,
    )
)  # fmt: skip
"""What an answer on a language model tells."""


_OF_TALK = frozenset((Want.ASK_BACK, Want.SAME, Want.THANKS, Want.HELP, Want.SUMMARY))
_OF_OTHERS = frozenset((Want.CHEAPEST, Want.RECOMMEND))
"""What is asked about other hardware than is named; of several that are named it is chosen among these."""


def each_part(query: Query, answer: str) -> Answering:
    """A line on each part that is open; the parts that nothing here answers by their own words."""
    told = told_by(query.wants) | (_OF_TOKENS if language_models(query) else frozenset())
    told |= _OF_OTHERS if len(set(query.all(Role.TARGET))) > 1 else frozenset()
    shown = set(fields_of(answer))
    said: list[str] = []
    left: list[str] = []
    judged, paged_answer = causes.asks(query), "From docs/" in answer
    for part in parts_of(query):
        if (found := search(part.text, 1)) and found[0].place in answer:
            continue
        if judged and causes.cause_of(part.text):
            continue
        if LEAST_SURE in answer and spoken("unsure", part.text):
            continue
        if paged_answer and (found := search(part.text, 1, APT)):
            line = shortened(found[0], MOST_WORDS)
            said += [line] if line and f"From {found[0].place}." not in answer else []
            continue
        likely = [(want, chance) for want, chance in part.likely if want not in _OF_TALK]
        wants = [want for want, chance in likely if chance >= _LIKELY]
        paged = wants[:1] in ([Want.CONCEPT], [Want.PRODUCT])
        sure = bool(wants) and likely[0][1] >= _SURE
        open_ = not sure and not told & set(wants) and len(part.text.split()) >= _IN_WORDS
        if open_ and (found := search(part.text, 1, _TOLD_BY_A_PAGE, (Subject.CONCEPT,))):
            named = as_words(part.text[:_LONGEST]).rstrip("?.! ")
            line = shortened(found[0], MOST_WORDS)
            said += [f"On *{named}*: {line}"] if line else []
            continue
        if told & {want for want, chance in likely if chance >= _POSSIBLE} and not (paged and sure):
            continue
        if not sure:
            left += [part.text] if len(part.text.split()) >= _IN_WORDS else []
            continue
        line = yield from _line(query, part, wants[0])
        fields = set(fields_of(line))
        if not line and not paged:
            left.append(part.text)
        elif line and line[:_ALIKE] not in answer and not (fields and fields <= shown):
            said.append(line if paged or not meaning(wants[0]) else f"Also, {meaning(wants[0])}: {line}")
            shown |= fields
        told |= told_by(wants[:1])
    named = ", ".join(f"*{as_words(text[:_LONGEST]).rstrip('?.! ')}*" for text in left)
    return "\n".join([*said, *([f"I did not answer: {named}."] if left else [])])


def _line(query: Query, part: Part, want: Want) -> Answering:
    alone = query.model_copy(update={"question": part.text, "wants": (want,), "likely": ()})
    if want in _OF_OTHERS:
        alone = alone.without([Role.TARGET, Role.RUNTIME]).model_copy(update={"wants": (Want.RECOMMEND,)})
        want = Want.RECOMMEND
    try:
        return (yield from line_on(alone, want))
    except ToolFailedError:
        return ""
