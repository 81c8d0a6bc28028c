"""Speed of the conversation: a question as a whole process, the prompt, a turn, the check of an answer."""

from __future__ import annotations

import os
import pty
import resource
import select
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from edgewright.agent import Workspace, check_grounding, open_assistant
from edgewright.agent.events import ToolFinished
from edgewright.agent.planner import Planner

Row = tuple[str, tuple[float, float, float]]
EDGEWRIGHT = str(Path(sys.executable).parent / "edgewright")
ROUNDS = 10
ASK_S, PROMPT_S, TURN_S, CHECK_S = 0.6, 0.2, 0.05, 0.05
_QUESTION = "Will kws.tflite fit on an STM32H743 and what holds it back?"
_CONVERSATION = (
    "Does kws fit the STM32H743 and what holds it back?",
    "Compare kws on stm32h743, esp32-s3 and rp2040",
    "Which board runs kws under 10 ms?",
    "How can I make vww faster on the nRF52840?",
    "Show the timeline of kws on the L4R5",
    "What bounds mobilenet_v2 on the A100?",
    "How much flash does the nRF52840 have?",
)
_WORDS = 442
_PASTE_ON = b"\x1b[?2004h"
"""What a terminal is told once lines are read from it."""


def rows(home: Path) -> list[Row]:
    """Of each what it took, what it may take, in seconds, and their ratio; `home` holds kws.tflite."""
    return [
        ("edgewright ask, offline, CPU / 600 ms", _row(lambda: ask(home), ASK_S)),
        ("edgewright chat until the prompt, CPU / 200 ms", _row(lambda: prompt(home), PROMPT_S)),
        ("a turn of the assistant beside its tools, CPU / 50 ms", _against(turns(home), TURN_S)),
        ("an answer of 442 words checked, CPU / 50 ms", _against(checks(), CHECK_S)),
    ]


def ask(home: Path) -> float:
    before = _of_children()
    words = [EDGEWRIGHT, "ask", "--llm", "offline", "--no-save", _QUESTION]
    subprocess.run(words, capture_output=True, check=True, cwd=home)
    return _of_children() - before


def prompt(home: Path) -> float:
    """CPU of the process till it reads from its terminal, with all that it had to load."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(home)
        os.environ |= {"TERM": "xterm-256color", "XDG_STATE_HOME": str(home)}
        os.execv(EDGEWRIGHT, [EDGEWRIGHT, "chat", "--llm", "offline"])
    said = b""
    while _PASTE_ON not in said and select.select([terminal], [], [], 10)[0]:
        said += os.read(terminal, 65536)
    taken = Path(f"/proc/{child}/schedstat").read_text().split()[0]
    os.kill(child, 9)
    os.waitpid(child, 0)
    os.close(terminal)
    return int(taken) / 1e9


def turns(home: Path) -> list[float]:
    """The same question again and again, less what its tools took."""
    assistant = open_assistant(directory=home, llm="offline")
    taken = []
    for _ in range(2 * ROUNDS):
        start, in_tools = time.process_time(), 0.0
        for event in assistant.stream(_QUESTION):
            in_tools += event.seconds if isinstance(event, ToolFinished) else 0.0
        taken.append(time.process_time() - start - in_tools)
    return taken[ROUNDS:]


def checks() -> list[float]:
    talk = Planner(Workspace())
    answers = [talk.ask(question).answer for question in _CONVERSATION]
    text = " ".join(" ".join(answers).split(" ")[:_WORDS])
    taken = []
    for _ in range(ROUNDS):
        start = time.process_time()
        check_grounding(text, talk.tool_results(), "\n".join(_CONVERSATION))
        taken.append(time.process_time() - start)
    return taken


def _row(once: Callable[[], float], allowed: float) -> tuple[float, float, float]:
    once()
    return _against([once() for _ in range(ROUNDS)], allowed)


def _against(taken: list[float], allowed: float) -> tuple[float, float, float]:
    usual = statistics.median(taken)
    return usual, allowed, usual / allowed


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
