"""Whether a figure of a question is held to be true, or has to be met."""

from __future__ import annotations

import re

from ..grounding.families import Family
from ..grounding.figures import Figure

_CLAIM_BEFORE = re.compile(
    r"\b(?:needs?|takes?|took|is|was|are|gets?|got|measured?|says?|said|claims?|claimed|reports?|"
    r"shows?|states?|reads?|draws?|uses?|has|have|runs (?:at|in)|"
    r"costs?|equals?|quotes?|promis\w+|gives?|just say|saying|writes?|believe)\s+(?:that\s+|it\s+|"
    r"its\s+|only\s+|just\s+|about\s+|around\s+|roughly\s+|a\s+|some\s+|'s\s+|nearly\s+)*$",
    re.IGNORECASE,
)
_ALLOWED_BEFORE = re.compile(
    r"\b(?:it|this|that|net\w*|model|one)(?: only| just)? (?:has|gets|is (?:given|allowed)) "
    r"(?:(?:only|just|at most|no more than|up to) )*$",
    re.IGNORECASE,
)
_MAY_BEFORE = re.compile(
    r"\b(?:may|must|can|should|shall|allowed to|ha(?:s|ve) to)(?:n't| not)? (?:only )?\w+ (?:\w+ )?$",
    re.IGNORECASE,
)
_WISH_BEFORE = re.compile(
    r"\b(?:i|we|you|they)\b(?:'d|'ve|'ll)?(?: (?!measured|read|heard|saw|found|think|believe)\w+){0,4} "
    r"(?:(?:about|around|only|just|some|at most|a|an|the|no more than|up to|with) )*$",
    re.IGNORECASE,
)
"""What we need, may use or have promised."""
_ASKED_BEFORE = re.compile(
    r"(?:^|[.!?;,]\s+)(?:and |but |so )?(?:is|are|would)\s+(?:about |only |just )*$", re.IGNORECASE
)
"""Is 5 ms realistic?"""
_STILL = re.compile(r"\bstill\s+(?:\w+\s+){0,3}$", re.IGNORECASE)
"""That still runs at 10 fps."""
_HEARSAY = re.compile(
    r"\b(?:i (?:read|heard|think|found|saw|remember|believe|was told)|says?|said|claims?|claimed|"
    r"according to|colleague|datasheet|website|web|blog|table|slide|"
    r"someone|somebody|they|chatgpt|supposed(?:ly)?|right\?|correct\?|isn't it|true that|just say|ignore)\b",
    re.IGNORECASE,
)
_DEMANDING = re.compile(
    r"\b(?:boss|chief|manager|management|marketing|sales|purchasing|procurement|customers?|client|"
    r"spec\w*|standard|"
    r"norm|requirements?|contract|product owner|pm|safety people|team lead|"
    r"cameras?|sensors?|microphones?|mics?|loop|stream|video|conveyor|belt|line|interrupt|timer|"
    r"adc|imu|radar|"
    r"harvester|panel|supply|bus)\b[^.;?!]*$",
    re.IGNORECASE,
)
"""Who says, or delivers, a figure that has to be met."""
_LIMIT_WORDS = re.compile(
    r"\b(?:deadline|budget|limit|max(?:imum)?|at most|ceiling|requirement|allowance|allowed|spec)\b",
    re.IGNORECASE,
)
_ALLOWANCES = frozenset((Family.TIME, Family.RATE, Family.ENERGY, Family.POWER))
LIMIT_BEFORE = re.compile(
    r"(?:\b(?:under|below|within|in|into|inside|less than|less of|at most|no more than|"
    r"not more than|up to|max(?:imum)?|only|"
    r"than|every|per|than about|for|target(?: of)?|keep up with|at|with|of|limit|budget|deadline|"
    r"have|has|spare)|[<≤]=?)\s*(?:of |a |an |about |around |is |: ?)*$",
    re.IGNORECASE,
)


def is_claimed(text: str, figure: Figure, family: Family) -> bool:
    """It needs 5 ms: a claim. It needs under 5 ms, I need 5 ms, the deadline is 5 ms: limits."""
    before = text[: figure.start]
    sentence = re.split(r"[.!?;]\s", before)[-1]
    if family in _ALLOWANCES and (_ALLOWED_BEFORE.search(before) or _MAY_BEFORE.search(before)):
        return False
    if (
        _DEMANDING.search(sentence)
        or _WISH_BEFORE.search(before)
        or _STILL.search(sentence)
        or _ASKED_BEFORE.search(before)
    ):
        return False
    if _CLAIM_BEFORE.search(before):
        return _LIMIT_WORDS.search(sentence) is None
    return _HEARSAY.search(sentence) is not None and LIMIT_BEFORE.search(before) is None
