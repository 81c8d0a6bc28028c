"""Strings out of a file that nobody vouches for, made harmless once."""

from __future__ import annotations

import html
import json
import re
import unicodedata
from typing import Any

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


def escape(text: str, quote: bool = True) -> str:
    """`text` in HTML, SVG or XML: no markup, and nothing that their parsers or a terminal would obey."""
    return html.escape(harmless(text), quote)


_UNSEEN = re.compile(
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\uf8ff\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)


def json_text(document: object, indent: int | None = 1, **more: Any) -> str:
    """A document as JSON in readable letters, whose strings hold no character that a terminal would obey."""
    text = json.dumps(document, ensure_ascii=False, indent=indent, **more)
    return _UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1], text)


_PLAIN_NAME = re.compile(r"[A-Za-z_][\w.:/+@-]{0,59}")


def plain_name(text: str) -> str:
    """A name that is no more than one word, such as an operator's; empty for whatever could be a sentence."""
    return text if _PLAIN_NAME.fullmatch(text) and text.isascii() else ""
