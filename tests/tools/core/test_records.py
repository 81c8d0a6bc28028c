"""Frozen records against those of the standard library, which they stand in for."""

import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import field
from functools import cached_property
from typing import Any

import pytest

from edgewright.tools.core.records import dataclass, replace


def _point(decorate: Callable[..., Any]) -> Any:
    @decorate(frozen=True)
    class Point:
        """A point with all kinds of defaults."""

        x: int
        label: str = "p"
        tags: list[str] = field(default_factory=list)
        seen: int = field(default=0, compare=False, repr=False)
        twice: int = field(init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "twice", 2 * self.x)

    return Point


OURS, STANDARD = _point(dataclass), _point(dataclasses.dataclass)


@dataclass(frozen=True)
class Kept:
    size: int


def test_a_record_is_made_compared_and_shown_as_the_standard_library_does() -> None:
    for arguments in ((1,), (1, "q"), (1, "q", ["a"], 5)):
        ours, standard = OURS(*arguments), STANDARD(*arguments)
        assert repr(ours).rpartition(".")[2] == repr(standard).rpartition(".")[2]
        assert vars(ours) == vars(standard)
        assert dataclasses.asdict(ours) == dataclasses.asdict(standard)
    assert OURS(1) == OURS(1, seen=3) != OURS(2)
    assert OURS(1) != STANDARD(1)
    assert OURS.__match_args__ == STANDARD.__match_args__


def test_each_record_has_a_default_of_its_own() -> None:
    assert OURS(1).tags is not OURS(1).tags


@pytest.mark.parametrize("kind", [OURS, STANDARD])
def test_a_record_refuses_changes_and_missing_arguments(kind: Any) -> None:
    record = kind(1)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
        record.x = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'x'"):
        del record.x
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        kind()
    assert dataclasses.replace(record, x=3).twice == 6


def test_a_record_is_a_key_and_can_be_sent_to_another_process() -> None:
    assert {Kept(1): "a"}[Kept(1)] == "a"
    assert pickle.loads(pickle.dumps(Kept(2))) == Kept(2)


def test_a_record_extends_a_record_and_keeps_its_own_methods() -> None:
    @dataclass(frozen=True)
    class Named(Kept):
        name: str = ""

        def __repr__(self) -> str:
            return self.name

    assert repr(Named(1, "n")) == "n"
    assert Named(1, "n") == Named(1, "n")
    assert Named(1) != Kept(1)


def test_records_without_equality_are_told_apart_by_identity() -> None:
    @dataclass(frozen=True, eq=False)
    class Node:
        size: int

    assert Node(1) != Node(1)
    assert len({Node(1), Node(1)}) == 2


def test_a_changed_copy_forgets_what_was_worked_out_of_the_original() -> None:
    @dataclass(frozen=True)
    class Box:
        height: int
        width: int = 2

        @cached_property
        def area(self) -> int:
            return self.height * self.width

    box = Box(3)
    assert box.area == 6
    assert replace(box, height=4) == Box(4)
    assert replace(box, height=4).area == 8
    with pytest.raises(TypeError, match="Box has no field 'depth'"):
        replace(box, depth=1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        replace(box, height=4).height = 5
