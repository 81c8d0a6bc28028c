from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewright.tools.core.sanitize import LONGEST, clean_bytes, clean_text

BAD = "\N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize(
    ("dirty", "clean"),
    [
        ("conv2d/Relu;batch_norm", "conv2d/Relu;batch_norm"),
        ("卷积层 1", "卷积层 1"),
        ("a\x1b[2Jb", f"a{BAD}[2Jb"),
        ("a\x9b31mb", f"a{BAD}31mb"),
        ("\u202eevil\u2066", f"{BAD}evil{BAD}"),
        ("zero\u200bwidth\ufeff", f"zero{BAD}width{BAD}"),
        ("private\ue000", f"private{BAD}"),
        ("unassigned\u0378", f"unassigned{BAD}"),
        ("half\ud800", f"half{BAD}"),
        ("nul\0", f"nul{BAD}"),
        ("one\r\n\ttwo\u2028three", "one two three"),
    ],
)
def test_what_could_act_on_a_terminal_or_a_prompt_is_replaced(dirty: str, clean: str) -> None:
    assert clean_text(dirty) == clean


def test_a_long_name_is_cut_and_says_so() -> None:
    assert clean_text("x" * 10_000) == "x" * (LONGEST - 1) + "…"
    assert clean_text("x" * LONGEST) == "x" * LONGEST


def test_bytes_that_are_not_utf8_are_tolerated() -> None:
    assert clean_bytes(b"ok\xff\xfe") == f"ok{BAD}{BAD}"


@given(st.text(max_size=400))
def test_the_result_is_one_short_printable_line_and_cleaning_it_again_changes_nothing(text: str) -> None:
    cleaned = clean_text(text)
    assert len(cleaned) <= LONGEST
    assert cleaned.isprintable()
    assert not {unicodedata.category(c) for c in cleaned} & {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
    assert clean_text(cleaned) == cleaned
