"""One call of an ATen operator: what it is given, and the tensors that it makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from ...core.records import dataclass

Scalar = int | float | bool


class Name(str):
    """Of a tensor; text that is no tensor's name is a plain string."""

    __slots__ = ()


Argument = Scalar | str | Name | None | Sequence["Argument"]
_FOREVER = 2**63 - 1


@dataclass(frozen=True)
class Call:
    target: str
    """As its schema names it, without overload: conv2d, or with its library: torchvision.nms."""
    overload: str
    positional: tuple[Argument, ...]
    """In the order of the operator's schema; those at the end may be left out."""
    outputs: tuple[str, ...]
    named: Mapping[str, Argument] = field(default_factory=dict)

    def at(self, place: int, name: str = "") -> Argument:
        """None where it is not given."""
        if place < len(self.positional):
            return self.positional[place]
        return self.named.get(name)

    def tensor(self, place: int, name: str = "") -> str:
        """The name of a tensor; empty for one that is absent or a plain number."""
        found = self.at(place, name)
        return found if isinstance(found, Name) else ""

    def tensors(self, place: int) -> list[str]:
        found = self.at(place)
        return [each for each in found if isinstance(each, Name)] if isinstance(found, tuple) else []

    def whole(self, place: int, name: str = "", default: int = 0) -> int:
        found = self.at(place, name)
        return int(found) if isinstance(found, (int, float)) else default

    def number(self, place: int, name: str = "", default: float = 0.0) -> float:
        found = self.at(place, name)
        return float(found) if isinstance(found, (int, float)) else default

    def flag(self, place: int, name: str = "", *, default: bool = False) -> bool:
        return bool(self.whole(place, name, int(default)))

    def integers(self, place: int, name: str = "", *, rank: int | None = None) -> tuple[int, ...]:
        """A list of integers; a single one stands for each of `rank`."""
        found = self.at(place, name)
        given = found if isinstance(found, tuple) else () if found is None else (found,)
        whole = tuple(int(each) for each in given if isinstance(each, (int, float)))
        return whole * rank if rank is not None and len(whole) == 1 else whole

    def end(self, place: int, name: str = "") -> int:
        """The end of a slice; none given is the very end."""
        return self.whole(place, name, _FOREVER)

    def tensors_given(self) -> list[str]:
        """Every tensor among the arguments, those in lists too."""
        found: list[str] = []
        for each in (*self.positional, *self.named.values()):
            inner = each if isinstance(each, tuple) else (each,)
            found += [one for one in inner if isinstance(one, Name)]
        return found
