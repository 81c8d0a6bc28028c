"""Words that stand before and behind `the first`, `the cheapest`: what they point at."""

from __future__ import annotations

from .query import Role

NOUNS = {
    Role.TARGET: frozenset(
        ("board", "boards", "chip", "chips", "card", "cards", "gpu", "mcu", "module", "machine", "box",
         "device", "part", "hardware")
    ),
    Role.MODEL: frozenset(("model", "models", "network", "networks", "net", "nets")),
}  # fmt: skip
"""What `the first` is, by the word behind it."""
IN_A_TABLE = frozenset(
    ("", "one", "ones", "option", "row", "entry", "candidate", "choice", "pick", "best", "then", "and",
     "but", "at", "with", "in", "you", "of", "is", "cost", "from", "instead", "please", "so", "suggestion",
     "much", "worse", "better", "slower", "faster", "cheaper", "for", "that", "or")
).union(*NOUNS.values())  # fmt: skip
"""What may stand behind `the second` where it is a row, unlike a layer or an inference."""
TAKES = frozenset(
    ("take", "taking", "pick", "choose", "with", "use", "using", "buy", "order", "on", "about", "of", "and",
     "does", "would", "will", "for", "or")
)  # fmt: skip
"""What stands before `the cheapest` where it is taken, unlike where it is asked for."""
ASKS_FOR = frozenset(
    ("is", "are", "was", "be", "which", "what", "find", "name", "get", "give", "want", "need", "show", "me",
     "has", "have", "recommend", "as", "by", "to")
)  # fmt: skip
"""What stands before `the cheapest one` where it is asked for."""
