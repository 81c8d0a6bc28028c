"""A conversation to read, in Markdown and in HTML. Whatever was said stays text: none of it is markup."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ...tools.core.sanitize import escape
from ..concise import shown
from ..markup import code, fenced, html_file, one_line
from ..plain_text import printable


def markdown_page(document: Mapping[str, Any]) -> str:
    """Results cut down to their heaviest rows; the JSON document has them whole."""
    return "\n\n".join(_markdown(document)) + "\n"


def html_page(document: Mapping[str, Any]) -> str:
    """One file that loads nothing and runs nothing."""
    title = f"Edgewright session {document['session']}"
    facts = "".join(f"<li>{escape(line)}</li>" for line in _facts(document))
    turns = "\n".join(_html_turn(number, turn) for number, turn in enumerate(document["turns"], 1))
    return html_file(title, f"<h1>{escape(title)}</h1>\n<ul>{facts}</ul>\n{turns}")


def _markdown(document: Mapping[str, Any]) -> Iterator[str]:
    yield f"# Edgewright session {document['session']}"
    yield "\n".join(f"- {code(line)}" for line in _facts(document))
    for number, turn in enumerate(document["turns"], 1):
        yield f"## Question {number}"
        yield fenced(turn["question"], "text")
        for call in turn["tool_calls"]:
            yield f"Tool call {code(_named(call))}"
            yield fenced(_json(call["arguments"]), "json")
            yield fenced(call["error"] or shown([call]), "text")
        yield "Answer"
        yield fenced(_answer(turn), "text")
        if sources := _sources(turn):
            yield "\n".join(f"- {code(line)}" for line in sources)


def _html_turn(number: int, turn: Mapping[str, Any]) -> str:
    calls = "".join(
        f"<details><summary>{escape(one_line(_named(call)))}</summary>"
        f"<pre>{_escaped(_json(call['arguments']))}</pre>"
        f"<pre>{_escaped(call['error'] or _json(call['result']))}</pre></details>"
        for call in turn["tool_calls"]
    )
    sources = "".join(f"<li>{escape(line)}</li>" for line in _sources(turn))
    return (
        f'<h2>Question {number}</h2><p class="question">{_escaped(turn["question"])}</p>{calls}'
        f"<pre>{_escaped(_answer(turn))}</pre><ul>{sources}</ul>"
    )


def _facts(document: Mapping[str, Any]) -> Iterator[str]:
    recorded = document["recorded_with"]
    yield f"recorded with edgewright {one_line(recorded.get('version', 'unknown'))}"
    yield from (
        f"{name}: {one_line(recorded[name])}" for name in ("time", "python", "platform") if name in recorded
    )
    yield f"exported with edgewright {document['exported_with']['version']}"
    for model in document["models"]:
        yield f"model {one_line(model['file_untrusted'])}: SHA-256 {one_line(model['sha256'])}"
    yield from map(one_line, document["warnings"])


def _answer(turn: Mapping[str, Any]) -> str:
    if turn["answer"] is not None:
        return str(turn["answer"])
    draft = f"\nWritten so far, not checked:\n{turn['draft']}" if turn["draft"] else ""
    return f"No answer: {turn['stopped']}.{draft}"


def _sources(turn: Mapping[str, Any]) -> list[str]:
    bound = [f"{b['text']} = {b['path']}" for b in turn["bindings"]]
    loose = [f"{text}: from no tool" for text in turn.get("ungrounded") or ()]
    return [one_line(line) for line in (*bound, *loose)]


def _named(call: Mapping[str, Any]) -> str:
    return f"{call['id']} {call['name']}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


def _escaped(text: str) -> str:
    return escape(printable(text))
