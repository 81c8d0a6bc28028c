from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from edgewright.agent.events import ToolFinished, ToolStarted
from edgewright.agent.markdown import laid_out, print_markdown, split_blocks
from edgewright.agent.plain_text import printable
from edgewright.agent.repl.loops import screen_for
from edgewright.agent.repl.rich_screen import RichScreen
from edgewright.agent.repl.rich_turn import REWRITTEN, RichTurn
from edgewright.agent.repl.screen import UNCHECKED, WITHDRAWN, PipedScreen, PlainScreen, PlainTurn
from edgewright.agent.repl.terminal import has_styles
from edgewright.agent.repl.trace import TraceLog, error_message, headline
from edgewright.tools.core.sanitize import clean_text

HOSTILE = "conv\x1b[2J\x1b]0;title\x07 \u202egpj.exe [/bold] [red]x\r\x9b31m"
MARKDOWN = (
    "Yes, **it fits**.\n\n- one\n- two\n\n```\na\n\nb\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nDone.\n"
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def console(width: int = 60) -> Console:
    return Console(
        file=io.StringIO(), force_terminal=True, width=width, height=20, color_system=None, markup=False
    )


def final_lines(written: str) -> list[str]:
    """What stands on a terminal in the end: follows carriage return, line feed, cursor up and erase line."""
    lines, row, column = [""], 0, 0
    for piece in re.findall(r"\x1b\[\??[0-9;]*[A-Za-z]|\n|\r|[^\x1b\n\r]+", written):
        if piece == "\n":
            row, column = row + 1, 0
            lines += [""] * (row + 1 - len(lines))
        elif piece == "\r":
            column = 0
        elif piece.endswith("A") and piece.startswith("\x1b"):
            row -= int(piece[2:-1])
        elif piece == "\x1b[2K":
            lines[row] = ""
        elif not piece.startswith("\x1b"):
            lines[row] = lines[row][:column].ljust(column) + piece + lines[row][column + len(piece) :]
            column += len(piece)
    return [line.rstrip() for line in lines]


def test_nothing_that_a_terminal_would_obey_gets_through() -> None:
    shown = printable(HOSTILE)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", shown)
    assert printable("a\r\nb\tc µ × ✓ ⚠️ 日本") == "a\nb\tc µ × ✓ ⚠️ 日本"
    assert clean_text("a\n\n b" + "x" * 300, 20) == "a bxxxxxxxxxxxxxxxx…"


@given(st.text(alphabet="ab \n`~-|#1.*", max_size=80))
def test_what_is_settled_never_changes_while_text_comes(text: str) -> None:
    settled: list[str] = []
    for end in range(len(text) + 1):
        *whole, rest = split_blocks(text[:end])
        assert "".join(whole) + rest == text[:end]
        assert whole[: len(settled)] == settled
        settled = whole


def test_a_fence_a_table_and_a_list_settle_as_wholes() -> None:
    firsts = [block.split("\n")[0] for block in split_blocks(MARKDOWN)]
    assert firsts == ["Yes, **it fits**.", "- one", "```", "| a | b |", "Done."]
    assert len(split_blocks("```\na\n\nb\n")) == 1
    assert len(split_blocks("- a\n\n  more of a\n")) == 1


def test_markup_and_html_are_shown_as_written_and_links_are_spelt_out() -> None:
    source = "[red]x[/red] <b>y</b> [a](http://e.example/z)\n\n<div>\nkept\n</div>"
    page = console()
    shown = "\n".join(line.plain for line in laid_out(source, page, page.options))
    assert shown.startswith("[red]x[/red] <b>y</b> a (http://e.example/z)")
    assert "<div>" in shown
    assert "kept" in shown


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
def test_an_answer_looks_the_same_however_it_comes(size: int) -> None:
    page = console()
    with RichTurn(page, trace=True) as view:
        for start in range(0, len(MARKDOWN), size):
            view.add(MARKDOWN[start : start + size])
        view.finish(MARKDOWN)
    assert final_lines(page.file.getvalue()) == [
        "Yes, it fits.", "", " • one", " • two", "", " a", "", " b", "", " a  b", " ────", " 1  2", "",
        "Done.", "",
    ]  # fmt: skip


def test_a_draft_that_is_withdrawn_leaves_the_screen_and_a_note() -> None:
    page = console()
    with RichTurn(page, trace=True) as view:
        view.add("It takes 99 ms")
        view.replace("")
        view.add("It takes 12 ms.")
        view.finish("It takes 12 ms.")
    assert final_lines(page.file.getvalue()) == [REWRITTEN, "It takes 12 ms.", ""]


def test_a_draft_that_is_printed_already_is_withdrawn_in_words() -> None:
    page = console()
    with RichTurn(page, trace=True) as view:
        view.add("It takes 99 ms.\n\nAnd more\n")
        view.replace("It takes 12 ms.")
        view.finish("It takes 12 ms.")
    assert final_lines(page.file.getvalue()) == ["It takes 99 ms.", WITHDRAWN, "It takes 12 ms.", ""]


def test_what_is_said_before_a_tool_runs_makes_way_for_it() -> None:
    page = console(40)
    with RichTurn(page, trace=True) as view:
        view.add("Let me look")
        view.replace("")
        view.tool_started("t1", "plan_memory(model=kws)")
        assert "plan_memory(model=kws) …" in page.file.getvalue()
        view.tool_finished("t1", "plan_memory(model=kws) · 12 ms · " + "x" * 80)
        view.add("It fits.")
        view.finish("It fits.")
    lines = final_lines(page.file.getvalue())
    assert lines[0].startswith("  plan_memory(model=kws) · 12 ms · xx")
    assert lines[0].endswith("…")
    assert lines[1:] == ["It fits.", ""]


def test_a_stopped_turn_keeps_what_was_said_and_gives_the_cursor_back() -> None:
    page = console()

    def stopped() -> None:
        with RichTurn(page, trace=True) as view:
            view.add("half an ans")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    written = page.file.getvalue()
    assert final_lines(written)[0] == "half an ans"
    assert written.rindex("\x1b[?25h") > written.rindex("\x1b[?25l")


def test_a_long_block_that_still_grows_never_outgrows_the_screen() -> None:
    page = console()
    with RichTurn(page, trace=True) as view:
        for number in range(100):
            view.add(f"- item {number}\n")
        drawn = page.file.getvalue()
        view.finish("")
    assert max(map(int, re.findall(r"\x1b\[(\d+)A", drawn)), default=0) < 20
    assert [line for line in final_lines(page.file.getvalue()) if line] == [
        f" • item {n}" for n in range(100)
    ]


def test_no_screen_passes_escapes_on() -> None:
    for make in (PlainScreen, RichScreen):
        out = io.StringIO()
        screen = make(out)
        screen.show(HOSTILE)
        screen.problem(HOSTILE)
        with screen.turn(trace=True) as view:
            view.tool_started("t1", HOSTILE)
            view.tool_finished("t1", HOSTILE)
            view.add(HOSTILE)
            view.finish(HOSTILE)
        rest = re.sub(r"\x1b\[(?:0|2|31|\?25[lh]|2K|1A)?m?", "", out.getvalue())
        assert not re.search(r"[\x07\x1b\x9b\u202e]", rest)


def test_a_plain_terminal_shows_text_as_it_comes_and_corrects_it_in_words() -> None:
    out = io.StringIO()
    with PlainTurn(out, trace=True) as view:
        view.add("Let me ")
        view.add("look.")
        view.replace("")
        view.tool_started("t1", "f()")
        view.tool_finished("t1", "f() · 1 ms · PASS")
        view.add("It takes 99 ms.")
        view.replace("")
        view.add("It takes 12 ms.")
        view.finish("It takes 12 ms.")
    assert out.getvalue().splitlines() == [
        "Let me look.", UNCHECKED, "  f() · 1 ms · PASS", "It takes 99 ms.", WITHDRAWN, "It takes 12 ms."
    ]  # fmt: skip
    assert "\x1b" not in out.getvalue()


def test_a_pipe_gets_answers_only_and_whole() -> None:
    out, err = io.StringIO(), io.StringIO()
    screen = PipedScreen(out, err)
    for text in ("It takes 12 ms.", "Yes."):
        with screen.turn(trace=True) as view:
            view.add("It takes 99")
            view.replace("")
            view.tool_finished("t1", "f() · 1 ms · PASS")
            view.add(text)
            view.finish(text)
    screen.note("Transcript: x")
    assert out.getvalue() == "It takes 12 ms.\n\nYes.\n"
    assert err.getvalue().splitlines() == ["  f() · 1 ms · PASS", "  f() · 1 ms · PASS", "Transcript: x"]


@pytest.mark.parametrize(
    ("term", "interactive", "kind"),
    [
        ("xterm-256color", True, RichScreen),
        ("dumb", True, PlainScreen),
        ("", True, PlainScreen),
        ("xterm", False, PipedScreen),
    ],
)
def test_the_screen_suits_the_terminal(
    term: str, interactive: bool, kind: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    assert isinstance(screen_for(Terminal(), io.StringIO(), interactive=interactive), kind)
    assert not has_styles(io.StringIO())


def test_colors_are_left_out_where_they_are_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    out = io.StringIO()
    RichScreen(out).problem("It failed.")
    assert not re.search(r"\x1b\[(3|4|9)\d", out.getvalue())
    assert "It failed." in out.getvalue()


def test_letters_that_the_encoding_lacks_do_not_end_the_chat() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    screen_for(out, io.StringIO(), interactive=False).show("12 µs · ⚠")
    assert raw.getvalue() == b"12 ?s ? ?\n"


def test_a_tool_call_is_one_line_with_arguments_time_and_result() -> None:
    log = TraceLog()
    log.start(ToolStarted("t1", "check_constraints", {"model": "kws", "ram_bytes": 65536}))
    call = log.finish(ToolFinished("t1", "check_constraints", 0.0125, {"verdict": "PASS"}, None))
    assert call.line == "check_constraints(model=kws, ram_bytes=65536) · 12.5 ms · PASS"
    log.start(ToolStarted("t2", "get_target", {"target": "x" * 300 + "\x1b[2J\n"}))
    error = '{"tool": "get_target", "error": {"message": "Unknown target.", "candidates": []}}'
    failed = log.finish(ToolFinished("t2", "get_target", 2.5, None, error))
    assert failed.line.endswith("… · 2.5 s · failed: Unknown target.") or len(failed.line) <= 200
    assert failed.line.isprintable()
    assert log.ended == [call, failed]


@pytest.mark.parametrize(
    ("result", "line"),
    [
        ({"bound": "memory", "latency_ms": {"value": 4.1, "unit": "ms", "basis": "fitted"}},
         "memory-bound · 4.1 ms (fitted)"),
        ({"latency_ms": {"value": None, "unit": "ms", "basis": "unknown"}, "arena_bytes": None}, "done"),
        ({"arena_bytes": 22_820, "flash_bytes": 1_048_576}, "arena 22.3 KiB · flash 1 MiB"),
        ({"targets": [1, 2, 3]}, "3 targets"),
        ({"verdict": "FAIL", "score": 41.25}, "FAIL · 41.2 of 100"),
        ({"bound": {"a": 1}, "macs": "many"}, "{'a': 1}-bound"),
        ({}, "done"),
    ],
)  # fmt: skip
def test_the_line_of_a_result_says_its_figures_and_no_unknown_one(
    result: dict[str, object], line: str
) -> None:
    assert headline(result) == line


@pytest.mark.parametrize("error", ["not JSON", "[1]", '{"error": 5}', '{"error": {"message": null}}', ""])
def test_an_error_in_any_shape_becomes_a_line(error: str) -> None:
    assert "\n" not in error_message(error)


def test_a_mark_that_comes_late_rewrites_only_what_still_stands_below() -> None:
    text = "# Memory\n\nThe arena takes 22.3 KiB.\n\nIt takes 9 ms"
    marked = f"{text} ⚠ not from a tool"
    shown = []
    for draft in (text, marked):
        page = console()
        with RichTurn(page, trace=True) as view:
            view.add(draft)
            view.replace(marked)
            view.finish(marked)
        shown.append(final_lines(page.file.getvalue()))
    assert shown[0] == shown[1]
    assert shown[0][-2:] == ["It takes 9 ms ⚠ not from a tool", ""]
    assert WITHDRAWN not in shown[0]


def test_an_answer_on_a_terminal_shows_no_markdown_and_obeys_no_escape(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    out = io.StringIO()
    print_markdown("**PASS**: it fits.\n\n- RAM 22 KiB \x1b[2J\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", out)
    assert "PASS: it fits." in out.getvalue()
    assert "**" not in out.getvalue()
    assert "|---" not in out.getvalue()
    assert "\x1b[2J" not in out.getvalue()
