"""What the words beside a number claim: less or more, of how much, which end of a range, of what memory."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from .demands import is_within, repeats
from .facts import Form
from .families import Family
from .figures import Figure
from .tables import cell_titles
from .words import (
    AS_FAST,
    AS_MUCH,
    AT_LEAST,
    AT_MOST,
    BEST,
    BY,
    FASTER,
    FREE,
    LEAVES,
    LEFT,
    LESS,
    LESS_BEFORE,
    LIMIT,
    MORE,
    MORE_BEFORE,
    OF,
    SLOWER,
    TO,
    WORST,
)

_BEFORE, _AFTER, _HEAD = 64, 44, 120
_CLAUSE_ENDS = re.compile(r"\.(?=\s|$)|[;:!?\n|,(](?=\s|\n|[^\d])|[–—→]")
_NEW_VERB = re.compile(
    r"(?<!\w)(?:and|but|yet|while|so)(?= (?:it |they |that )?(?:needs?|takes?|uses?|draws?|has|have|"
    r"requires?|costs?|"
    r"runs?|offers?|reaches|gives?|provides?)(?!\w))",
    re.IGNORECASE,
)
_FIRST_WORDS = r"^[\s*_`-]*(?:[^\W\d]+[\s-]+){0,2}?"
_SOON = {name: re.compile(_FIRST_WORDS + rf"(?:{words})(?!\w)", re.IGNORECASE) for name, words in (
    ("faster", FASTER), ("slower", SLOWER), ("less", LESS), ("more", MORE),
)}  # fmt: skip
_AT_ONCE = {name: re.compile(rf"^[\s*_`]*(?:{words})(?!\w)", re.IGNORECASE) for name, words in (
    ("as_fast", AS_FAST), ("as_much", AS_MUCH), ("of", OF), ("most", AT_MOST), ("least", AT_LEAST),
)}  # fmt: skip
_SOMEWHERE = {name: re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) for name, words in (
    ("less", LESS_BEFORE), ("more", MORE_BEFORE),
)}  # fmt: skip
_JUST = {name: re.compile(rf"(?<!\w)(?:{words})[\s*_`]*(?:only |just |about |nur )?$", re.IGNORECASE)
         for name, words in (("by", BY), ("to", TO), ("most", AT_MOST), ("least", AT_LEAST))}  # fmt: skip
_ARTICLE = re.compile(r"(?<!\w)a[\s*_`]*$")
_LEFT = re.compile(rf"(?<!\w)(?:{LEFT})[\s*_`]*(?:only |about |noch |nur )?$", re.IGNORECASE)
_MUCH_MORE = re.compile(
    rf"^[\s*_`]*(?:{FASTER}|{SLOWER}|{MORE}|less|fewer|lower|smaller|shorter|weniger|menos|"
    rf"de moins)(?!\w)(?! or less)|"
    rf"^[\s*_`]*(?:per inference |each )(?:more|less)(?!\w)",
    re.IGNORECASE,
)
_RESULT = re.compile(
    r"(?<!\w)(?:takes?|needs?|costs?|draws?|requires?|consumes?|uses?|lasts?|finishes in|runs in|"
    r"runs at|reaches|"
    r"achieves?|completes in|clocks in at|comes out at|estimated at|estimate is|latency is|latency of|"
    r"braucht|dauert|benötigt|prend|tarda|necesita)"
    r"[\s*_`~≈]*(?:(?:about|around|roughly|approximately|nearly|almost|only|just|some|a|an)[\s*_`~≈]*)*$",
    re.IGNORECASE,
)
_BY = re.compile(r"(?<!\w)(?:by|um)[\s*_`≈~]*(?:(?:about|just|only|roughly|some|around|nearly)[\s*_`]*)?$")
_AND_SO = re.compile(
    r"[\s*_`]*(?:(?:of|in) (?:the )?[\w-]{1,12})?[\s*_`]*,? ?(?:and|plus)(?: also| another| about|"
    r" some)?[\s*_`~]*"
)
_AND_BY = re.compile(r"[\s*_`]*(?:,|,? and) (?:the |its )?[^\W\d]+ by[\s*_`~]*")
_HEADED = re.compile(r"(?<!\w)(?:headroom|slack|margin|spare)[\s*_`]*:(?:[^.;\n]|\.(?=\d))*$", re.IGNORECASE)
_NEEDED = re.compile(r"^[\s*_`]*(?:(?:is|are) )?(?:needed|required|used|taken|consumed)(?!\w)", re.IGNORECASE)
_ASKED = re.compile(
    r"(?<!\w)(?:limit|budget|bound|deadline|allow|ask|want|within|under|below|over|above|at most|"
    r"at least|less|more|"
    r"than|your|you (?:allow|ask|want|g[ai]ve|set|have|named|said)|every|each|once|per second|grenze|"
    r"frist|erlaub|höchstens|limite|límite|máximo|may|"
    r"must|should|"
    r"is met|are met|exceed|miss)",
    re.IGNORECASE,
)
_TOO_MUCH_BY = re.compile(
    rf"(?<!\w)(?:exceed\w*|over\w*|undershoot\w*|miss\w*|short|under|below|above|too \w+|fails?|"
    rf"überschreitet|verfehlt|"
    rf"dépasse|supera|excede)(?: [^\W\d]+){{0,4}} (?:{BY})[\s*_`]*(?:about |only |just )?$",
    re.IGNORECASE,
)
_SAVES = re.compile(
    r"(?<!\w)(?:sav(?:es?|ed|ing)|shav(?:es?|ed|ing) off|spart|économise|ahorra)(?: you)?[\s*_`~≈]*"
    r"(?:(?:about|around|roughly|nearly|almost|only|just)[\s*_`~≈]*)?$",
    re.IGNORECASE,
)
_LIMIT_TITLE = re.compile(
    r"[\s*_`]*(?:your )?(?:limit|allowed|budget|bound|available|"
    r"max(?:imum)?)[\s*_`]*",
    re.IGNORECASE,
)
_RESULT_TITLE = re.compile(
    r"[\s*_`]*(?:estimated?|demand|needed|needs|required|result|actual|used|predicted|value)[\s*_`]*",
    re.IGNORECASE,
)
_FREE = re.compile(rf"^[\s*_`]*(?:[^\W\d]+[\s-]+){{0,3}}?(?:{FREE})(?!\w)", re.IGNORECASE)
_LEAVES = re.compile(rf"(?<!\w)(?:{LEAVES})[\s*_`]*(?:only |about |noch |nur )?$", re.IGNORECASE)
_LIMIT = re.compile(rf"(?<!\w)(?:{LIMIT})(?!\w)", re.IGNORECASE)
_CASE = {name: re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)
         for name, words in (("most", WORST), ("least", BEST))}  # fmt: skip
_CASE_SOON = {name: re.compile(rf"^[\s*_`]*(?:{words})(?!\w)", re.IGNORECASE)
              for name, words in (("most", WORST), ("least", BEST))}  # fmt: skip


class Claim(NamedTuple):
    direction: int = 0
    """-1: less, 1: more."""
    speed: bool = False
    """Said of speed, where less time is more."""
    form: Form = Form.NONE
    """How a ratio relates two things; NONE where the words leave it open."""
    end: str = ""
    """`low` or `high`: the figure is told as the least or the most."""
    by_case: bool = False
    """That end was told as the best or the worst case."""
    remains: bool = False
    """Told as what is left over."""
    differs: bool = False
    """Told as a difference: so much more or less."""
    is_result: bool = False
    """Told as what comes out."""
    is_limit: bool = False
    """Told as what is allowed."""
    of_limit: bool = False
    """Told against a limit."""
    within: bool = False
    """Told as how far off one may be."""
    times: bool = False
    """A multiple, not so much more."""
    by: bool = False
    """Told as how far one is from the other."""
    repeats: bool = False
    """Told as what the user asked for."""


def claim_of(text: str, figures: Sequence[Figure], position: int) -> Claim:
    figure = figures[position]
    before, after = _before(text, figures, position), _after(text, figures, position)
    direction, speed = _direction(before, after)
    if not direction and _is_coordinated(text, figures, position):
        shared = position - 1
        direction, speed = _direction(_before(text, figures, shared), _after(text, figures, shared))
    if figure.family is Family.RATIO and _LEFT.search(before):
        direction = 0
    return Claim(
        direction,
        speed or _AT_ONCE["as_fast"].search(after) is not None,
        _form(figure, before, after, direction),
        _end(before, after, _is_shared(after, figures, position)),
        _is_case(before, after),
        _remains(before, after)
        or _HEADED.search(text[max(0, figure.start - _HEAD) : figure.start]) is not None,
        _differs(before, after),
        _comes_out(before, after) or _under(text, figure, _RESULT_TITLE),
        _under(text, figure, _LIMIT_TITLE),
        _LIMIT.search(after) is not None,
        is_within(before),
        figure.family is Family.RATIO and figure.readings[0].factor == 1.0 and figure.value > 1,
        _BY.search(before) is not None,
        repeats(before, after),
    )


def _is_coordinated(text: str, figures: Sequence[Figure], position: int) -> bool:
    """Whether it is told as one with the number before: saves 5 KiB of RAM and 101 KiB of flash."""
    if not position:
        return False
    one, other = figures[position - 1], figures[position]
    if one.family is not other.family or one.family in (None, Family.INDEX):
        return False
    if one.family is Family.RATIO:
        return _AND_BY.fullmatch(text, one.end, other.start) is not None
    saved = _SAVES.search(_before(text, figures, position - 1)) is not None
    return saved and _AND_SO.fullmatch(text, one.end, other.start) is not None


def _under(text: str, figure: Figure, titles: re.Pattern[str]) -> bool:
    """Whether the head of its column says so."""
    return any(titles.fullmatch(title) for title in cell_titles(text, figure.start)[:1])


def _remains(before: str, after: str) -> bool:
    return _LEAVES.search(before) is not None or _FREE.search(after) is not None


def _differs(before: str, after: str) -> bool:
    return (
        _SAVES.search(before) is not None
        or _MUCH_MORE.search(after) is not None
        or _TOO_MUCH_BY.search(before) is not None
    )


def _comes_out(before: str, after: str) -> bool:
    told = _RESULT.search(before) is not None or _NEEDED.search(after) is not None
    return told and not _ASKED.search(before) and not _ASKED.search(after)


def _is_case(before: str, after: str) -> bool:
    return any(_CASE[name].search(before) or _CASE_SOON[name].search(after) for name in _CASE)


def _is_shared(after: str, figures: Sequence[Figure], position: int) -> bool:
    """Whether what follows goes on to the next figure."""
    return position + 1 < len(figures) and figures[position].end + len(after) == figures[position + 1].start


def direction_of(text: str, figures: Sequence[Figure], position: int) -> int:
    return _direction(_before(text, figures, position), _after(text, figures, position))[0]


def _after(text: str, figures: Sequence[Figure], position: int) -> str:
    start = figures[position].end
    stop = figures[position + 1].start if position + 1 < len(figures) else len(text)
    window = text[start : max(start, min(stop, start + _AFTER))]
    end = _CLAUSE_ENDS.search(window)
    return window[: end.start()] if end else window


def _before(text: str, figures: Sequence[Figure], position: int) -> str:
    start = figures[position].start
    window = text[max(0, start - _BEFORE) : start]
    ends = [match.end() for match in _CLAUSE_ENDS.finditer(window)]
    ends += [match.end() for match in _NEW_VERB.finditer(window)]
    clause = window[max(ends) :] if ends else window
    if position and not _JUST["by"].search(clause):
        between = max(0, start - figures[position - 1].end)
        clause = clause[-between:] if between < len(clause) else clause
        return clause if between else ""
    return clause


def _direction(before: str, after: str) -> tuple[int, bool]:
    for name, direction, speed in (
        ("faster", -1, True),
        ("slower", 1, True),
        ("less", -1, False),
        ("more", 1, False),
    ):
        if _SOON[name].search(after):
            return direction, speed
    if _JUST["to"].search(before):
        return 0, False
    less, more = _SOMEWHERE["less"].search(before), _SOMEWHERE["more"].search(before)
    if bool(less) == bool(more):
        return 0, False
    return (-1 if less else 1), False


def _form(figure: Figure, before: str, after: str, direction: int) -> Form:
    if figure.family is not Family.RATIO:
        return Form.NONE
    if _AT_ONCE["as_fast"].search(after):
        return Form.FACTOR
    percent = figure.readings[0].factor != 1.0 or (figure.value < 1 and figure.step == 0.0)
    if percent and _FREE.search(after):
        return Form.CHANGE
    becomes = _JUST["to"].search(before) and (percent or not _ARTICLE.search(before))
    if _AT_ONCE["as_much"].search(after) or becomes or _LEFT.search(before):
        return Form.REST
    if direction:
        return Form.CHANGE if percent else Form.FACTOR if direction < 0 else Form.REST
    return Form.REST if _AT_ONCE["of"].search(after) else Form.NONE


def _end(before: str, after: str, shared: bool) -> str:
    for name, end in (("most", "high"), ("least", "low")):
        soon = _AT_ONCE[name].search(after)
        of_next = soon is not None and shared and not after[soon.end() :].strip(" *_`≈~")
        if _JUST[name].search(before) or (soon and not of_next) or _CASE[name].search(before):
            return end
    return ""
