"""A chat's answers and analyses as one page: /report FILE.md or FILE.html."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import PurePath

from ... import __version__, tools
from ...hardware_db.errors import EdgewrightError, UsageError
from ...tools.core.sanitize import clean_text, escape
from ..markup import code, fenced
from ..new_file import write_new
from ..plain_text import printable
from .limits import shown_limits
from .pins import unquoted
from .state import Analysis, ChatState, Said

_ENDINGS = (".md", ".html")


def report(state: ChatState, argument: str) -> str:
    """Write the page; never over a file that is there."""
    name = unquoted(argument)
    ending = PurePath(name).suffix.casefold()
    if ending not in _ENDINGS:
        raise UsageError(f"{clean_text(name, 80)} ends in neither .md nor .html.", hint="/report kws.html")
    if not state.said and not state.analyses:
        raise UsageError("There is nothing to report yet.", hint="Ask something first, or run an analysis.")
    text = as_markdown(state)
    from .report_page import page_of

    path = write_new(name, text if ending == ".md" else page_of(state, as_html(text)))
    return f"Wrote {len(state.said)} answers and {len(state.analyses)} analyses to {path}."


def as_markdown(state: ChatState) -> str:
    parts = ["# Edgewright report", "\n".join(_head(state))]
    for index, said in enumerate([*state.said, None]):
        parts += [_analysis(a) for a in state.analyses if a.after == index]
        parts += [] if said is None else [_said(said)]
    return printable("\n\n".join(parts)) + "\n"


def as_html(markdown: str) -> str:
    """HTML that loads nothing: raw HTML, links and images of a text stay text."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    html: str = parser.disable(["link", "image", "autolink", "html_block", "html_inline"]).render(markdown)
    return html


def _head(state: ChatState) -> Iterator[str]:
    context = state.workspace.context
    yield f"- edgewright {__version__}, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {state.conversation.llm}"
    if context["model"]:
        yield f"- model {context['model']}{_hash(state)}"
    yield from (f"- {name} {context[name]}" for name in ("target", "runtime") if context[name])
    if limits := shown_limits(state.workspace.limits):
        yield f"- limits {limits}"


def _hash(state: ChatState) -> str:
    try:
        workspace = state.workspace
        model = tools.parse_model(workspace.model_source(None), settings=workspace.settings)
        return f", SHA-256 {model.sha256}"
    except EdgewrightError:
        return ""


def _said(said: Said) -> str:
    asked = "\n".join(f"> {escape(line, quote=False)}" for line in said.question.splitlines())
    calls = "\n".join(f"- {code(call.line)}" for call in said.calls)
    answer = said.answer.answer if said.answer else "*No answer: stopped or failed.*"
    heading = f"## {escape(clean_text(said.question, 80), quote=False)}"
    whole = [asked] if clean_text(said.question, 80) != said.question else []
    return "\n\n".join(part for part in (heading, *whole, answer, calls) if part)


def _analysis(analysis: Analysis) -> str:
    return f"## {code(clean_text(analysis.line, 80))}\n\n{fenced(analysis.text)}"
