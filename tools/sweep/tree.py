"""A decision tree (CART: Breiman et al., Classification and Regression Trees, 1984) on few numeric features.

Written out here, for a library that learns trees weighs more than this package with all it stands on, and a
split is one sort and one cumulative sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from ..core.records import dataclass

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
DEPTH, LEAF = 5, 3
"""Deepest level, and fewest samples that a leaf may rest on."""


@dataclass(frozen=True, eq=False)
class Node:
    label: int
    """The most frequent of its samples."""
    rows: Ints
    """Samples it was learned from."""
    feature: int = -1
    threshold: float = 0.0
    """Samples at most this go left."""
    left: Node | None = None
    right: Node | None = None


def learn_tree(features: Floats, labels: Ints, *, depth: int = DEPTH, leaf: int = LEAF) -> Node:
    """Split by the largest decrease of the Gini impurity, until nothing is gained.

    Args:
        features: [samples, features], finite or infinite.
        labels: of each sample, from 0.
        depth: of the tree; 0 is a single leaf.
        leaf: fewest samples on either side of a split.
    """
    return _grown(features, labels, np.arange(len(labels)), depth, leaf)


def _grown(features: Floats, labels: Ints, rows: Ints, depth: int, leaf: int) -> Node:
    label = int(np.bincount(labels[rows]).argmax()) if len(rows) else 0
    split = _split(features[rows], labels[rows], leaf) if depth and len(rows) >= 2 * leaf else None
    if split is None:
        return Node(label, rows)
    feature, threshold = split
    goes_left = features[rows, feature] <= threshold
    left = _grown(features, labels, rows[goes_left], depth - 1, leaf)
    right = _grown(features, labels, rows[~goes_left], depth - 1, leaf)
    if left.feature < 0 and right.feature < 0 and left.label == right.label:
        return Node(label, rows)
    return Node(label, rows, feature, threshold, left, right)


def _split(features: Floats, labels: Ints, leaf: int) -> tuple[int, float] | None:
    """The best (feature, threshold); None where no split makes the sides purer."""
    classes, count = int(labels.max()) + 1, len(labels)
    best, found = _impurity(np.bincount(labels, minlength=classes)[None], count)[0] - 1e-9 * count, None
    for feature in range(features.shape[1]):
        order = np.argsort(features[:, feature], kind="stable")
        values = features[order, feature]
        left = np.cumsum(np.eye(classes)[labels[order]], axis=0)[:-1]
        sizes = np.arange(1, count)
        cost = _impurity(left, sizes) + _impurity(
            left[-1] + np.eye(classes)[labels[order[-1]]] - left, count - sizes
        )
        allowed = (values[1:] > values[:-1]) & (sizes >= leaf) & (count - sizes >= leaf)
        if not allowed.any():
            continue
        at = int(np.where(allowed, cost, np.inf).argmin())
        if cost[at] < best:
            best, found = cost[at], (feature, _between(float(values[at]), float(values[at + 1])))
    return found


def _impurity(counts: Floats | Ints, sizes: Ints | int) -> Floats:
    """Gini impurity × samples, for each row of class counts."""
    result: Floats = sizes - (counts.astype(np.float64) ** 2).sum(axis=1) / sizes
    return result


def _between(low: float, high: float) -> float:
    """Figures spread over decades: the geometric mean where both are above zero."""
    if np.isinf(high):
        return low
    return float(np.sqrt(low) * np.sqrt(high)) if low > 0 else (low + high) / 2


def predict(node: Node, features: Floats) -> Ints:
    found = np.zeros(len(features), dtype=np.int64)

    def fill(node: Node, rows: Ints) -> None:
        if node.left is None or node.right is None:
            found[rows] = node.label
            return
        goes_left = features[rows, node.feature] <= node.threshold
        fill(node.left, rows[goes_left])
        fill(node.right, rows[~goes_left])

    fill(node, np.arange(len(features)))
    return found


def tree_lines(
    node: Node, condition: Callable[[int, float, bool], str], leaf: Callable[[Node], str], indent: str = ""
) -> Iterator[str]:
    """The tree as indented text; `condition` words (feature, threshold, whether at most)."""
    if node.left is None or node.right is None:
        yield f"{indent}{leaf(node)}"
        return
    for side, at_most in ((node.left, True), (node.right, False)):
        yield f"{indent}{condition(node.feature, node.threshold, at_most)}"
        yield from tree_lines(side, condition, leaf, f"{indent}  ")


def held_out(
    features: Floats, labels: Ints, groups: Sequence[int], folds: int = 5
) -> tuple[Ints, Ints] | None:
    """Predictions for every sample by trees that saw nothing of its group, and by the commonest label.

    None where there is one group only.
    """
    of_fold = np.unique(np.asarray(groups), return_inverse=True)[1] % folds
    if not of_fold.any():
        return None
    learned, common = np.zeros_like(labels), np.zeros_like(labels)
    for fold in np.unique(of_fold):
        out = of_fold == fold
        learned[out] = predict(learn_tree(features[~out], labels[~out]), features[out])
        common[out] = np.bincount(labels[~out]).argmax()
    return learned, common
