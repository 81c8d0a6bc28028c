"""Strings out of a file that nobody vouches for, made harmless once."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 80
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_HARMFUL = frozenset({"Cc", "Cf", "Cn", "Co", "Cs"})
_SPACES = frozenset({"Zl", "Zp", "Zs"})


def clean_text(text: str, longest: int = LONGEST) -> str:
    """`text` as one printable line of at most `longest` characters.

    Control, format (bidirectional overrides, joiners), private-use, surrogate and unassigned
    characters become U+FFFD; any run of line breaks and other white space becomes one space.
    """
    text = text[: 4 * longest]
    if not text.isprintable():
        text = "".join(map(_harmless, text))
    text = " ".join(text.split())
    return text if len(text) <= longest else text[: longest - 1] + "…"


def clean_bytes(raw: bytes, longest: int = LONGEST) -> str:
    """The same of what should be UTF-8; bytes that are not become U+FFFD."""
    return clean_text(raw.decode("utf-8", "replace"), longest)


def harmless(text: str) -> str:
    """`text` at its length, lines and tabs kept; what a terminal or a parser of XML obeys is U+FFFD."""
    if text.isprintable():
        return text
    return "".join(c if c in "\n\t" else _harmless(c) for c in text)


def _harmless(character: str) -> str:
    category = unicodedata.category(character)
    if category in _SPACES or character in "\t\n\v\f\r\x85":
        return " "
    return _REPLACEMENT if category in _HARMFUL else character


_PLAIN_NAME = re.compile(r"[A-Za-z_][\w.:/+@-]{0,59}")


def plain_name(text: str) -> str:
    """A name that is no more than one word, such as an operator's; empty for whatever could be a sentence."""
    return text if _PLAIN_NAME.fullmatch(text) and text.isascii() else ""
