"""What a model wrote, told apart: thoughts, the answer, and tool calls that its server left in the text.

Models are trained on templates of their own; a server that does not know the template hands its marks over
as text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import Any

_THOUGHTS = re.compile(r"\A\s*<(think|thinking|reasoning)>.*?(</\1>\s*|\Z)", re.DOTALL)
_DANGLING = re.compile(r"\A.*</(?:think|thinking|reasoning)>\s*", re.DOTALL)
"""The end of a thought whose beginning the server kept for itself."""
_HARMONY = re.compile(
    r"<\|channel\|>\s*(?P<channel>\w+)(?P<to>[^<]*?)(?:<\|constrain\|>\s*\w+\s*)?<\|message\|>"
    r"(?P<text>.*?)(?=<\|(?:end|call|return|start|channel)\|>|\Z)",
    re.DOTALL,
)
_HARMONY_MARK = "<|channel|>"
_TO = re.compile(r"to=(?:functions\.)?([\w-]+)")
CALL_MARKS = ("<tool_call>", "<function_call>", "<function=", "[TOOL_CALLS]", _HARMONY_MARK)
"""What a reply begins with that is no text for the user until it is whole."""
_TAGGED = re.compile(r"<(tool_call|function_call|tools?)>\s*(\{.*?\})\s*(?:</\1>|\Z)", re.DOTALL)
_NAMED = re.compile(r"<function=([\w-]+)>\s*(\{.*?\})?\s*</function>", re.DOTALL)
_MISTRAL = re.compile(r"\[TOOL_CALLS\]\s*(\[.*\])", re.DOTALL)
_FENCED = re.compile(r"\A\s*(?:```(?:json|tool_code|tool_call)?\s*)?(\{.*\})\s*(?:```)?\s*\Z", re.DOTALL)
_ARGUMENTS = ("arguments", "parameters", "args")


def answer_text(raw: str) -> str:
    """The part of a reply that is for the user; what is still a thought is none yet."""
    if _HARMONY_MARK in raw:
        final = [m["text"] for m in _HARMONY.finditer(raw) if m["channel"] == "final"]
        return "".join(final).strip()
    raw = _THOUGHTS.sub("", raw, count=1)
    if "</think" in raw or "</reasoning>" in raw:
        raw = _DANGLING.sub("", raw)
    return raw


def written_calls(raw: str, names: Collection[str]) -> tuple[str, list[dict[str, Any]]]:
    """The text without the calls of known tools that stand in it, and those calls as {"name", "args"}."""
    calls = [call for call in _calls(raw) if call["name"] in names]
    if not calls:
        return raw, []
    text = answer_text(raw)
    for pattern in (_TAGGED, _NAMED, _MISTRAL, _FENCED):
        text = pattern.sub("", text)
    return text.strip(), calls


def _calls(raw: str) -> Iterator[dict[str, Any]]:
    for match in _HARMONY.finditer(raw):
        to = _TO.search(match["to"])
        if to is not None:
            yield from _call({"name": to[1], "arguments": match["text"]})
    for match in _NAMED.finditer(raw):
        yield from _call({"name": match[1], "arguments": match[2] or "{}"})
    for text in (
        *(match[2] for match in _TAGGED.finditer(raw)),
        *(match[1] for match in _MISTRAL.finditer(raw)),
        *(match[1] for match in _FENCED.finditer(raw)),
    ):
        found = _json(text)
        for each in found if isinstance(found, list) else [found]:
            yield from _call(each)


def _call(found: Any) -> Iterator[dict[str, Any]]:
    if not isinstance(found, dict):
        return
    found = found["function"] if isinstance(found.get("function"), dict) else found
    arguments: Any = next((found[key] for key in _ARGUMENTS if key in found), None)
    if isinstance(arguments, str):
        arguments = _json(arguments)
    if isinstance(found.get("name"), str) and isinstance(arguments, dict):
        yield {"name": found["name"], "args": arguments}


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
