"""A text that is translated is read and written as long again; of two lengths the longer is read."""

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.tools import estimate_generation


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize(
    ("question", "model", "target", "read", "written"),
    [
        ("How long does a Mac mini M4 need with gemma 2 9b to translate a 3 page letter?",
         "gemma-2-9b", "apple-m4", 2000, 2000),
        ("I want llama 3 8b on a Raspberry Pi 5 to proofread pages of 300 words. How long for one page?",
         "llama-3-8b", "raspberry-pi-5", 400, 400),
        ("I paste reports of 6000 tokens into llama 3 8b on an RTX 3060 and want a 400 token summary. "
         "How long does it take?", "llama-3-8b", "rtx-3060", 6000, 400),
        ("Llama 3 8B on an RTX 4060: a contract of 9 pages in, a summary of 1 page out. How long?",
         "llama-3-8b", "rtx-4060", 6000, 667),
    ],
)  # fmt: skip
def test_the_whole_time_is_that_of_reading_and_writing(
    planner: Planner, question: str, model: str, target: str, read: int, written: int
) -> None:
    told = planner.ask(question)
    context = read + written
    found = estimate_generation(model, target, prompt_tokens=read, context=context)
    whole = found.time_to_first_token_ms.value + 1e3 * written / found.session_tokens_per_s.value
    assert told.numbers[0].value == pytest.approx(whole, rel=0.05)
    assert told.answer.count("The first token comes after") == 0


@pytest.mark.parametrize(("prompt", "long"), [(2000, True), (20, False)])
def test_a_long_wait_tells_what_a_shorter_prompt_saves(planner: Planner, prompt: int, *, long: bool) -> None:
    told = planner.ask(
        f"llama 3 8b on a Raspberry Pi 5, {prompt} tokens of prompt: when comes the first token?"
    )
    assert ("A hundred tokens of prompt less save" in told.answer) is long


@pytest.mark.parametrize(
    ("question", "begins", "tells"),
    [
        ("Is an iPhone 15 Pro able to run llama 3 8b?", "Probably, though not surely, it fits", "iOS ends an app"),
        ("Can an iPhone 15 Pro hold llama 3 8b in Q8?", "No, it does not fit", "that iOS gives an app at most"),
        ("Will Llama 3.1 8B at 4 bit run on my MacBook Air M1 with 8 GB?", "Probably", "macOS gives its GPU 67 %"),
        ("MacBook Air M2 with 8 GB or 16 GB for llama 3 8b?", "", "with 8 GB it hardly fits"),
    ],
)  # fmt: skip
def test_what_the_system_leaves_decides_the_fit(
    planner: Planner, question: str, begins: str, tells: str
) -> None:
    answer = planner.ask(question).answer
    assert answer.startswith(begins)
    assert tells in answer
