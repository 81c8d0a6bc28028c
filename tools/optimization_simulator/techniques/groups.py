"""Groups of channels that share their fate (union-find)."""

from __future__ import annotations


class Groups:
    """Numbered from 0; of groups that were tied, one stands for all."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        """Channels of each."""
        self._parents: list[int] = []
        self._fixed: list[bool] = []

    def new(self, size: int, *, fixed: bool = False) -> int:
        self._parents.append(len(self._parents))
        self.sizes.append(size)
        self._fixed.append(fixed)
        return len(self._parents) - 1

    def find(self, group: int) -> int:
        while self._parents[group] != group:
            group = self._parents[group]
        return group

    def fix(self, group: int) -> None:
        """Its channels have to stay."""
        self._fixed[self.find(group)] = True

    def tie(self, one: int, other: int) -> None:
        a, b = self.find(one), self.find(other)
        if a != b:
            self._parents[b] = a
            self._fixed[a] = self._fixed[a] or self._fixed[b]

    def free(self) -> dict[int, int]:
        """Size of every group that may change."""
        roots = (g for g in range(len(self._parents)) if self.find(g) == g)
        return {g: self.sizes[g] for g in roots if not self._fixed[g]}
