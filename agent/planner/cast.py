"""What a conversation is about: each name and setting with who brought it in, when, and whether it stays."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Self

from ...tools.core.records import dataclass, replace


class Copied:
    """A record with values in place of some of its own."""

    def model_copy(self, *, update: Mapping[str, object]) -> Self:
        return replace(self, **update)  # type: ignore[type-var]


@dataclass(frozen=True)
class Mention(Copied):
    """A name or setting of the conversation."""

    role: str
    value: float | str
    first: int
    """The turn that brought it in."""
    last: int
    """The last turn that was about it, or whose answer showed it."""
    about: int = 0
    """The last turn whose question was about it."""
    said: int = 0
    """The last turn in which the user named it or took it up; 0 where answers alone did."""
    chosen: int = 0
    """The turn in which the user settled on it; 0 for never."""
    mine: bool = False
    """Whether the user calls it their own."""
    described: frozenset[str] = frozenset()
    """Words that the user put right beside its name: my laptop (MacBook Air), a used 3090."""


@dataclass(frozen=True)
class Cast(Copied):
    """All that was mentioned, in the order in which it came in, and what the last table put where."""

    turn: int = 0
    mentions: tuple[Mention, ...] = ()
    table: int = 0
    """The turn whose answer showed the last table; 0 for none."""
    best: str = ""
    """What that answer put first; empty where it says none."""
    figure: str = ""
    """The field of the first figure of the last answer: `energy_uj`."""
    of: tuple[tuple[str, float | str], ...] = ()
    """What it is of: target, type, batch, by role."""
    told: tuple[tuple[str, float], ...] = ()
    """Times and rates of that answer, in ms and 1/s, with the fields that they are."""

    def names(self, role: str) -> tuple[str, ...]:
        """All that was mentioned, the latest last."""
        return tuple(str(m.value) for m in self._of(role))

    def meant(self, role: str) -> tuple[float | str, ...]:
        """What the user named or took up, the latest last."""
        return tuple(m.value for m in self._of(role) if m.said)

    def by_meaning(self, role: str) -> tuple[str, ...]:
        """What the user named, the latest first, then what answers did."""
        return tuple(str(m.value) for m in sorted(self._of(role), key=lambda m: (-m.said, -m.last)))

    def in_order(self, role: str) -> tuple[str, ...]:
        """What the user named, in the order in which it came in; what answers named, where that is none."""
        own = [str(m.value) for m in self.mentions if m.role == role and m.said]
        return tuple(own) or tuple(str(m.value) for m in self.mentions if m.role == role)

    def suggested(self, roles: Container[str]) -> tuple[tuple[str, float | str], ...]:
        """Role and value of what the last answer brought in by itself."""
        return tuple(
            (m.role, m.value) for m in self.mentions if m.role in roles and not m.said and m.last == self.turn
        )

    def recent(self, role: str) -> tuple[str, ...]:
        """What this turn or the one before it named or told."""
        return tuple(str(m.value) for m in self._of(role) if m.last >= self.turn - 1)

    def said_at(self, role: str) -> int:
        """The last turn in which the user named one of several."""
        said = [m.said for m in self._of(role) if m.said]
        return max(said) if len(said) > 1 else 0

    def mine(self) -> tuple[str, ...]:
        return tuple(str(m.value) for m in self.mentions if m.mine)

    def chosen(self) -> str:
        """What was settled on last; empty for nothing."""
        found = max((m for m in self.mentions if m.chosen), key=lambda m: m.chosen, default=None)
        return str(found.value) if found else ""

    def focus(self, role: str, beside: Container[object] = ()) -> str:
        """The one that is spoken of: what an answer put first since the user named any, else the one that
        they named last; of several at once what the answer put first. Empty where it is none.

        Args:
            beside: what the question names itself.
        """
        own = [m for m in self._of(role) if m.said and m.value not in beside]
        last = max((m.said for m in own), default=0)
        named = [str(m.value) for m in own if m.said == last]
        best = self.best if role == "target" and self.best not in beside else ""
        if len(named) == 1 and (not best or self.table <= last):
            return named[0]
        return best

    def outdated(self, role: str, table: Container[object]) -> bool:
        """Whether the user named something since that the last table does not hold."""
        return any(m.said > self.table and m.value not in table for m in self._of(role))

    def with_turn(
        self,
        named: Iterable[tuple[str, float | str]],
        kept: Iterable[tuple[str, float | str]],
        *,
        chosen: Container[str] = (),
        mine: Container[str] = (),
        described: Mapping[float | str, frozenset[str]] | None = None,
    ) -> Cast:
        """With what a question names, and what it is about without naming it."""
        turn = self.turn + 1
        cast = self.model_copy(update={"turn": turn})._with(kept, {"last": turn, "about": turn})
        for role, value in named:
            flags = {"last": turn, "about": turn, "said": turn}
            flags |= {"chosen": turn} if value in chosen else {}
            flags |= {"mine": True} if value in mine else {}
            cast = cast._with([(role, value)], flags, (described or {}).get(value, frozenset()))
        return cast

    def with_answer(self, shown: Iterable[tuple[str, float | str]], best: str, *, table: bool) -> Cast:
        """With what an answer brought in."""
        known = tuple(m for m in self.mentions if m.said or m.role != "technique")
        cast = self.model_copy(update={"mentions": known})._with(shown, {"last": self.turn})
        return cast.model_copy(update={"table": self.turn, "best": best}) if table else cast

    def back_at(self, past: Cast) -> Cast:
        """With what was spoken of then as what was spoken of last, the rest long before."""
        then = {(m.role, m.value): m for m in past.mentions}
        moved = []
        for mention in self.mentions:
            before = then.get((mention.role, mention.value))
            ages = {age: getattr(before or mention, age) for age in ("last", "about", "said")}
            later = {age: old + self.turn - past.turn if before else 1 for age, old in ages.items() if old}
            moved.append(mention.model_copy(update={**ages, **later}))
        return self.model_copy(
            update={"mentions": tuple(moved), "best": past.best, "table": min(past.table, 1)}
        )

    def without(self, out: Container[str]) -> Cast:
        """Without what is out by now."""
        return self.model_copy(update={"mentions": tuple(m for m in self.mentions if m.value not in out)})

    def _of(self, role: str) -> list[Mention]:
        return sorted((m for m in self.mentions if m.role == role), key=lambda m: m.last)

    def described_as(self, role: str, word: str) -> tuple[str, ...]:
        """What such a word stood beside."""
        return tuple(str(m.value) for m in self.mentions if m.role == role and word in m.described)

    def _with(
        self,
        values: Iterable[tuple[str, float | str]],
        update: Mapping[str, object],
        described: frozenset[str] = frozenset(),
    ) -> Cast:
        known = {(m.role, m.value): m for m in self.mentions}
        for role, value in values:
            before = known.get((role, value)) or Mention(role=str(role), value=value, first=self.turn, last=0)
            words = {"described": before.described | described}
            known[role, value] = before.model_copy(update={**update, **words})
        return self.model_copy(update={"mentions": tuple(known.values())})
