"""What others measured of the accuracy of a network."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from ...hardware_db.errors import UsageError
from ..core.quantity import Basis, Quantity
from ..core.records import dataclass
from ..model_zoo.published import ERRORS, PublishedModel, published_of, sources, spelt
from ..model_zoo.published_accuracy import AccuracyRow, ComparedAccuracy, PublishedAccuracy
from ..model_zoo.spec import dtype_named

_PERCENT = 100
_MOST = 12
_OF_RECIPES = "timm"
"""The source that names how weights were trained, behind the point: resnet50.a1_in1k."""


@dataclass(frozen=True)
class _Asked:
    """A network by name, and the type that its name holds."""

    name: str
    precision: str = ""

    def __str__(self) -> str:
        return f"{self.name}:{self.precision}" if self.precision else self.name


_Found = Mapping[_Asked, Sequence[PublishedModel]]


def published_accuracy(models: Sequence[str] | str, *, dtype: str | None = None) -> PublishedAccuracy:
    """Tell what was published of the accuracy of networks, and compare what was measured alike.

    Nothing is estimated and no network is run: each accuracy is that of the weights that its source measured.
    What is compared is of one dataset and metric, and of one source and type where there is such a choice.

    Args:
        models: networks by name, each with a width, a side or a type of its own as in `mobilenet_v2:0.5:160`;
            or language models. Of a file, or of what is not known by name, nothing was published.
        dtype: type whose accuracies are told where there are some, and compared where all have one.

    Raises:
        UsageError: no network, more than 12, or a type that is none.

    Example:
        >>> found = published_accuracy(["mobilenet_v2", "mobilenet_v2:0.5"])
        >>> [(row.model, row.accuracy, row.behind) for row in found.compared]
        [('mobilenet_v2', 0.718, <Quantity 0 points>), ('mobilenet_v2:0.5', 0.654, <Quantity 6.4 points>)]
    """
    names = [models] if isinstance(models, str) else list(dict.fromkeys(models))
    if not 0 < len(names) <= _MOST:
        raise UsageError(f"There are {len(names)} networks, not 1 to {_MOST}.")
    usual = "" if dtype is None else dtype_named(dtype).value
    asked = list(dict.fromkeys(_Asked(*spelt(name)) for name in names))
    found = {each: rows for each in asked if (rows := published_of(str(each)))}
    alike = _alike(found, usual)
    return PublishedAccuracy(
        models=tuple(map(str, asked)),
        rows=tuple(
            AccuracyRow(**_fields(each, row)) for each in found for row in _in_type(found[each], usual)
        ),
        compared=tuple(_compared(alike)),
        apart=tuple(str(each) for each in found if len(found) > 1 and each not in alike),
        unknown=tuple(str(each) for each in asked if each not in found),
        assumptions=tuple(_notes(found, alike, usual)),
    )


def _in_type(rows: Sequence[PublishedModel], usual: str) -> Sequence[PublishedModel]:
    return [row for row in rows if row.precision == usual] or rows


def _alike(found: _Found, usual: str) -> dict[_Asked, PublishedModel]:
    """A row of each on the dataset and by the metric that most of them share; none where no two do."""
    judged = dict.fromkeys((row.dataset, row.metric) for rows in found.values() for row in rows)
    groups = (
        {each: kept for each, rows in found.items() if (kept := [r for r in rows if _judged(r) == one])}
        for one in judged
    )
    shared = max(groups, key=len, default={})
    ways = dict.fromkeys(_way(row) for rows in shared.values() for row in rows)
    ordered = sorted(ways, key=lambda way: way[0] != usual)
    choices = [{each: _nearest(rows, way) for each, rows in shared.items()} for way in ordered]
    best = min(choices, key=_spread, default={})
    told = {each: row for each, row in best.items() if _is_fair(each, best)}
    return told if len(told) > 1 else {}


def _judged(row: PublishedModel) -> tuple[str, str]:
    return row.dataset, row.metric


def _way(row: PublishedModel) -> tuple[str, str, str]:
    """Type, publisher and recipe: what has to be the same first for a difference to be the networks' own."""
    tag = row.model.partition(".")[2] if row.source == _OF_RECIPES else ""
    return row.precision, _publisher(row), tag.partition(" ")[0]


def _publisher(row: PublishedModel) -> str:
    return sources()[row.source].title.partition(":")[0]


def _nearest(rows: Sequence[PublishedModel], way: tuple[str, ...]) -> PublishedModel:
    return min(rows, key=lambda row: [own != other for own, other in zip(_way(row), way, strict=True)])


def _spread(chosen: Mapping[_Asked, PublishedModel]) -> tuple[int, ...]:
    """In how many types, from how many publishers, by how many recipes."""
    return tuple(len(set(each)) for each in zip(*map(_way, chosen.values()), strict=True))


def _is_fair(asked: _Asked, chosen: Mapping[_Asked, PublishedModel]) -> bool:
    """Whether its types are of one publisher: weights of two differ in more than the type."""
    return len({_publisher(row) for each, row in chosen.items() if each.name == asked.name}) == 1


def _compared(alike: Mapping[_Asked, PublishedModel]) -> Iterator[ComparedAccuracy]:
    order = sorted(alike.items(), key=lambda pair: pair[1].rank_key)
    for each, row in order:
        points = round(row.rank_key - order[0][1].rank_key, 6)
        yield ComparedAccuracy(**_fields(each, row), behind=Quantity.exact(points, "points", Basis.PUBLISHED))


def _fields(asked: _Asked, row: PublishedModel) -> dict[str, str | float]:
    return {
        "model": str(asked),
        "weights": row.model,
        "dataset": row.dataset,
        "metric": row.metric,
        "accuracy": round(row.accuracy / _PERCENT, 6),
        "precision": row.precision,
        "publisher": _publisher(row),
        "source": sources()[row.source].where,
    }


def _notes(found: _Found, alike: Mapping[_Asked, PublishedModel], usual: str) -> Iterator[str]:
    for each, rows in found.items():
        if usual and usual not in {row.precision for row in rows}:
            yield f"No accuracy of {each} in {usual} was read."
    if len({each.name for each in found}) < len(found) and not alike:
        yield "No one source gives both of these types."
    types, publishers, recipes = _spread(alike) or (1, 1, 1)
    if types > 1 and not all(each.precision for each in alike):
        yield "Those compared were measured in different types."
    if publishers > 1:
        yield "Those compared are from different sources, which train and measure in their own ways."
    elif recipes > 1:
        yield "Those compared were trained by different recipes, so that not all of it is the networks' own."
    if any(row.metric in ERRORS for row in itertools.chain(*found.values())):
        yield "Of error rates less is better."


__all__ = ["published_accuracy"]
