"""The one table of commands: it drives help, completion and dispatch."""

from __future__ import annotations

from collections.abc import Iterator

from ..registry import TOOLS
from . import completion as complete
from .analyses import analysis, check, compare, inspect, memory, recommend, timeline
from .chat_report import report
from .commands import Command
from .general import choose_llm, clear, help_text, leave, list_tools
from .pins import set_limits, set_model, set_runtime, set_target
from .resume import resume, session_ids
from .review import as_json, audit, save, trace, usage
from .state import ChatState

_PLACE = "[MODEL [TARGET]]"


def _help(_state: ChatState, argument: str) -> str:
    return help_text(COMMANDS, argument)


def _of_records() -> Iterator[Command]:
    """Of every tool that needs a model and a target, and that the command line has a word for."""
    for tool in TOOLS:
        if tool.command and tool.needs_only_a_deployment:
            run = analysis(tool.function)
            yield Command(f"/{tool.command}", tool.help, run, _PLACE, complete=complete.models_then_targets)


ANALYSES: tuple[Command, ...] = (
    Command("/inspect", "What the model holds: operators, types, parameters, MACs.", inspect,
            "[MODEL]", complete=complete.models),
    *_of_records(),
    Command("/memory", "Arena and flash, and what makes the peak.",
            memory, _PLACE, complete=complete.models_then_targets),
    Command("/timeline", "Memory and time operator by operator, and what would lower the peak.",
            timeline, _PLACE, complete=complete.models_then_targets),
    Command("/compat", "Which operators run, where, and why not.",
            analysis("score_compatibility"), _PLACE, complete=complete.models_then_targets),
    Command("/optimize", "What would make it faster or smaller, each change simulated.",
            analysis("simulate_optimizations"), _PLACE, complete=complete.models_then_targets),
    Command("/check", "Whether it fits, and meets limits such as 50ms 256KiB flash=1MiB 20fps 1mJ.", check,
            "[LIMITS]"),
    Command("/recommend", "Rank all hardware for the model under limits such as 50ms 10USD.", recommend,
            "[LIMITS]"),
    Command("/compare", "Compare targets side by side, TARGET/RUNTIME where not the usual one.", compare,
            "TARGET ...", complete=complete.several_targets),
)  # fmt: skip
"""Those whose text belongs into a report."""

COMMANDS: tuple[Command, ...] = (
    Command("/help", "List the commands, or explain one.", _help, "[COMMAND]", ("/?", "/h")),
    Command("/model", "Pin the model: a file or a known architecture; none unpins.", set_model,
            "[FILE|NAME|none]", complete=complete.models),
    Command("/target", "Pin the chip or board, by any of its names; none unpins.", set_target,
            "[NAME|none]", complete=complete.targets),
    Command("/runtime", "Pin the kernel library; none takes the target's usual one.", set_runtime,
            "[NAME|none]", complete=complete.runtimes),
    Command("/limits", "Pin limits such as 50ms 256KiB flash=1MiB 20fps for every question; none unpins.",
            set_limits, "[LIMITS|none]", complete=complete.words("none")),
    *ANALYSES,
    Command("/audit", "Where each number of the last answer comes from.", audit),
    Command("/json", "The last answer as JSON.", as_json),
    Command("/trace", "Show tool calls or not; alone: those of the last question in full.", trace,
            "[on|off]", complete=complete.words("on", "off")),
    Command("/tools", "What can be computed.", list_tools),
    Command("/llm", "Which chat model answers: a name of the endpoint's, or offline.", choose_llm,
            "[NAME|offline]", complete=complete.words("offline")),
    Command("/usage", "Questions, tool calls, time and tokens so far.", usage),
    Command("/report", "Write answers and analyses to a report: FILE.md or FILE.html.", report, "FILE"),
    Command("/save", "Write the conversation to a file: .md to read, .json or .html with all results.", save,
            "FILE"),
    Command("/resume", "Go on with a saved conversation; alone: list them.", resume, "[ID]",
            complete=session_ids),
    Command("/clear", "Forget the conversation; what is pinned stays.", clear, aliases=("/new",)),
    Command("/exit", "Leave.", leave, aliases=("/quit", "/q", "exit", "quit", ":q")),
)  # fmt: skip
