"""Words in Markdown and in HTML: whatever was said stays text, none of it is markup."""

from __future__ import annotations

import re

from ..tools.core.sanitize import clean_text, escape
from .plain_text import printable

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse}td,th{border:1px solid #999;padding:.2rem .6rem}"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f4f4f4;padding:1rem}"
    ".question{border-left:4px solid #888;padding-left:.7rem;white-space:pre-wrap}"
    "@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}pre{background:#222}}"
)
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_LONGEST = 2_000


def html_file(title: str, body: str) -> str:
    """One file that loads nothing and runs nothing."""
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n<style>{_STYLE}</style>\n'
        f"{body}\n</html>\n"
    )


def one_line(text: object) -> str:
    return clean_text(str(text), _LONGEST)


def code(text: object) -> str:
    """As code on one line, whatever backticks it holds."""
    line = one_line(text)
    ticks = "`" * (_longest_run(line) + 1)
    return f"{ticks} {line} {ticks}" if "`" in line else f"`{line}`"


def fenced(text: str, language: str = "") -> str:
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}{language}\n{printable(text)}\n{fence}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
