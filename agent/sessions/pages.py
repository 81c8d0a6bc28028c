"""A conversation to read, in Markdown and in HTML. Whatever was said stays text: none of it is markup."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from ..compaction import compact
from ..plain_text import printable

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f5f5f5;padding:.7rem}"
    ".question{border-left:4px solid #888;padding-left:.7rem;white-space:pre-wrap}"
)


def markdown_page(document: Mapping[str, Any]) -> str:
    """Results cut down to their heaviest rows; the JSON document has them whole."""
    return "\n\n".join(_markdown(document)) + "\n"


def html_page(document: Mapping[str, Any]) -> str:
    """One file that loads nothing and runs nothing."""
    title = f"Edgewright session {escape(document['session'])}"
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    head = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}"><style>{_STYLE}</style>'
    )
    facts = "".join(f"<li>{escape(line)}</li>" for line in _facts(document))
    turns = "\n".join(_html_turn(number, turn) for number, turn in enumerate(document["turns"], 1))
    return f"{head}\n<h1>{title}</h1>\n<ul>{facts}</ul>\n{turns}\n</html>\n"


def _markdown(document: Mapping[str, Any]) -> Iterator[str]:
    yield f"# Edgewright session {document['session']}"
    yield "\n".join(f"- {_code(line)}" for line in _facts(document))
    for number, turn in enumerate(document["turns"], 1):
        yield f"## Question {number}"
        yield _fenced(turn["question"])
        for call in turn["tool_calls"]:
            yield f"Tool call {_code(_named(call))}"
            yield _fenced(_json(call["arguments"]), "json")
            yield _fenced(call["error"] or compact({"result": call["result"]}), "json")
        yield "Answer"
        yield _fenced(_answer(turn))
        if sources := _sources(turn):
            yield "\n".join(f"- {_code(line)}" for line in sources)


def _html_turn(number: int, turn: Mapping[str, Any]) -> str:
    calls = "".join(
        f"<details><summary>{escape(_one_line(_named(call)))}</summary>"
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
    yield f"recorded with edgewright {_one_line(recorded.get('version', 'unknown'))}"
    yield from (
        f"{name}: {_one_line(recorded[name])}" for name in ("time", "python", "platform") if name in recorded
    )
    yield f"exported with edgewright {document['exported_with']['version']}"
    for model in document["models"]:
        yield f"model {_one_line(model['file_untrusted'])}: SHA-256 {_one_line(model['sha256'])}"
    yield from map(_one_line, document["warnings"])


def _answer(turn: Mapping[str, Any]) -> str:
    if turn["answer"] is not None:
        return str(turn["answer"])
    draft = f"\nWritten so far, not checked:\n{turn['draft']}" if turn["draft"] else ""
    return f"No answer: {turn['stopped']}.{draft}"


def _sources(turn: Mapping[str, Any]) -> list[str]:
    bound = [f"{b['text']} = [{b['tool_call']} {b['path']}]" for b in turn["bindings"]]
    loose = [f"{text}: from no tool" for text in turn.get("ungrounded") or ()]
    return [_one_line(line) for line in (*bound, *loose)]


def _named(call: Mapping[str, Any]) -> str:
    return f"{call['id']} {call['name']}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


def _escaped(text: str) -> str:
    return escape(printable(text))


def _one_line(text: object) -> str:
    return " ".join(printable(str(text)).split())


def _code(text: str) -> str:
    """As code on one line, whatever backticks it holds."""
    line = _one_line(text)
    fence = "`" * (_longest_run(line) + 1)
    return f"{fence} {line} {fence}" if "`" in line else f"`{line}`"


def _fenced(text: str, language: str = "text") -> str:
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}{language}\n{printable(text)}\n{fence}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
