"""Where in a result a number stands, and what its place says of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from .facts import FIELD_OF_BOTH, SEVERAL, Fact, Form, Kind, Subject
from .families import Reading
from .fields import measure_of
from .kept import Named
from .quantities import with_tags

_INHERIT_NAME = frozenset(("value", "low", "high", "dense", "sparse"))
_INHERITED_BY_ALL = frozenset(("gain", "bound_shares"))
LABELS = ("name", "what", "region", "figure", "quantity", "field", "of")
_CORE = re.compile(r"^cores\.\w+\.")
_CPUS = ("cm", "ca", "cpu", "lx", "hifi", "rv", "x86")
"""How the names of processors begin that run what no accelerator takes."""


class Place(NamedTuple):
    """Where in a result one stands; `field` is the name that tells what numbers measure there."""

    call: str
    subject: Subject
    untrusted: tuple[str, ...]
    named: Named
    path: str = ""
    field: str = ""
    kind: Kind = Kind.FIELD
    tags: frozenset[str] = frozenset()
    earlier: str = ""
    """The model that another one is compared with."""
    sides: tuple[Subject, ...] = ()
    """Deployments told side by side: lists of the same length have one value for each."""

    def under(self, key: str) -> Place:
        inherits = key in _INHERIT_NAME or (self.field in _INHERITED_BY_ALL and measure_of(key) is None)
        named = self.field if inherits and self.field else key
        path = f"{self.path}.{key}" if self.path else key
        subject = self.subject
        if key == "after" and subject.technique:
            subject = _changed(subject)
        tags = with_tags(self.tags, "total" if key == "ram_bytes" and "limits" not in self.tags else "")
        tags = with_tags(tags, key)
        if key in ("before", "peak_before"):
            tags = with_tags(tags, "baseline") if "runtime" in subject.technique else tags
            subject = _unchanged(subject, self.earlier)
        return self._replace(path=path, field=named, tags=tags, subject=subject)

    def fact(self, reading: Reading, native: float, sign: int = 0, form: Form = Form.NONE) -> Fact:
        last = self.path.rpartition(".")[2]
        end = "low" if last.endswith("low") else "high" if last.endswith("high") else ""
        value = abs(native) * reading.factor
        return Fact(
            reading.family, value, abs(native), self.call, self.path, self.subject, self.kind, self.tags,
            end, sign, form,
        )  # fmt: skip


def subject_of(result: Any, arguments: Mapping[str, Any]) -> Subject:
    """What a whole result holds for: its deployment, and the model that was asked about."""
    inner = result.get("result", result) if isinstance(result, Mapping) else None
    if not isinstance(inner, Mapping):
        return Subject()
    model = str(arguments.get("model") or arguments.get("after") or inner.get("model") or "")
    place = inner.get("deployment")
    if isinstance(place, Mapping):
        target, runtime = str(place.get("target", "")), str(place.get("runtime", ""))
        return Subject(target, runtime, model, clock=_clock_in(place))
    return Subject(str(inner.get("id", "")), "", model)


def inside(value: Mapping[str, Any], place: Place) -> Place:
    """A row may speak of a target, a runtime or a layer of its own."""
    subject = place.subject
    target, runtime = value.get("target"), value.get("runtime")
    if isinstance(target, str):
        subject = subject._replace(target=target)
    if isinstance(runtime, str) and isinstance(target, str):
        subject = subject._replace(runtime=runtime)
    if isinstance(value.get("network"), str):  # a measurement, of another network or on another board
        subject = Subject(runtime=str(runtime or ""), clock=_clock_in(value))
    change = value.get("change")
    if isinstance(change, str) and change.startswith("use "):
        subject = subject._replace(runtime=change.removeprefix("use "))
    technique = value.get("technique") or _steps(value.get("changes")) or value.get("change")
    if isinstance(technique, str) and ("before" in value or "after" in value or "gain" in value):
        subject = subject._replace(technique=technique)
    if isinstance(value.get("index"), int) and "op" in value:
        subject = subject._replace(layer=int(value["index"]), op=str(value["op"]))
    if place.path.endswith("]") and place.path.rpartition(".")[2].startswith("targets["):
        subject = subject._replace(target=str(value.get("id", "")))
    position = value.get("deployment")
    if isinstance(position, int) and 0 <= position < len(place.sides):
        subject = place.sides[position]
    if sides := _sides(value, subject):
        place, subject = place._replace(sides=sides), subject._replace(target=SEVERAL)
    return place._replace(subject=_place_of_row(value, subject), tags=_labelled(value, place.tags))


def _labelled(value: Mapping[str, Any], tags: frozenset[str]) -> frozenset[str]:
    """An object may say in a text what its numbers are about."""
    if "size_bytes" in value:
        kind = str(value.get("kind"))
        tags = with_tags(tags, "size flash" if "flash" in kind else "size ram")
    if isinstance(value.get("field"), str) and "one" in value:
        tags |= {FIELD_OF_BOTH + _CORE.sub("", value["field"])}
    if "dense_gops" in value or "peak_gops" in value:
        tags = with_tags(tags, str(value.get("dtype")))
    if "macs_share" in value and str(value.get("processor", "")).startswith(_CPUS):
        tags = with_tags(tags, "oncpu")
    if isinstance(value.get("scheme"), str):
        tags = with_tags(tags, value["scheme"].replace("-", ""))
    for key in LABELS:
        label = value.get(key)
        if isinstance(label, str) and not (key == "name" and "sha256" in value):
            tags = with_tags(tags, label)
    return tags


def _changed(subject: Subject) -> Subject:
    """What a change to the runtime or the clock leaves open."""
    if "runtime" in subject.technique:
        name = subject.technique.rpartition("runtime")[2].lstrip("- ").split(" ")[0]
        subject = subject._replace(runtime="" if "+" in subject.technique else name)
    return subject._replace(clock=None) if "clock" in subject.technique else subject


def _unchanged(subject: Subject, model: str) -> Subject:
    """What a change starts from is not of the change."""
    runtime = "" if "runtime" in subject.technique else subject.runtime
    return subject._replace(technique="", runtime=runtime, model=model or subject.model)


def _clock_in(value: Mapping[str, Any]) -> float | None:
    clock = value.get("clock_mhz")
    return clock * 1e6 if isinstance(clock, int | float) and not isinstance(clock, bool) else None


def _place_of_row(value: Mapping[str, Any], subject: Subject) -> Subject:
    """A row may hold for a clock, and speak of a region of memory, of its own."""
    if (clock := _clock_in(value)) is not None:
        subject = subject._replace(clock=clock)
    told = value.get("told")
    if isinstance(told, str) and told.endswith("Hz") and is_number(value.get("value")):
        subject = subject._replace(clock=float(value["value"]) * 1e6)
    region, field = value.get("region"), value.get("field")
    if isinstance(field, str) and field.startswith("memories."):
        region = field.split(".")[1]
    part = value.get("what")
    if isinstance(part, str) and part.startswith("kernel "):
        subject = subject._replace(op=part.removeprefix("kernel "))
    return subject._replace(region=region) if isinstance(region, str) else subject


def _steps(changes: Any) -> str:
    if not isinstance(changes, list | tuple):
        return ""
    return " + ".join(str(step.get("technique", "")) for step in changes if isinstance(step, Mapping))


def _sides(value: Mapping[str, Any], subject: Subject) -> tuple[Subject, ...]:
    places = value.get("deployments")
    if isinstance(places, list | tuple) and all(isinstance(p, Mapping) for p in places):
        return tuple(
            subject._replace(target=str(p.get("target", "")), runtime=str(p.get("runtime", "")))
            for p in places
        )
    one, other = value.get("one"), value.get("other")
    if isinstance(one, str) and isinstance(other, str) and "differences" in value:
        return tuple(subject._replace(target=target) for target in (one, other))
    return ()


def side_of(key: str, place: Place) -> Place:
    """Of two targets that are told apart field by field."""
    if len(place.sides) == 2 and key in ("one", "other") and "]" in place.path:
        side = place.sides[key == "other"]
        return place._replace(subject=place.subject._replace(target=side.target, runtime=side.runtime))
    return place


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value != 0
