"""The rules' verdicts for Ethos-U beside Vela's own, on every model at hand and every configuration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from edgewright.tools.ethos_u.configurations import CONFIGURATIONS
from edgewright.tools.ethos_u.process import vela_version

from .corpora.ethos_u_operators import cases
from .corpora.tflm_graphs import networks
from .corpora.vela_agreement import Judged, judge, published, written

SEEDS = range(8)


def report() -> None:
    """Print the table, and every operator on which they differ."""
    version = vela_version()
    print(f"\n{'operators for Ethos-U, rules beside Vela':44} (Vela {version})")
    if version is None:
        print("Vela is not installed (extra ethos-u): nothing to compare with")
        return
    for title, models in _corpora():
        for line in _rows(title, models):
            print(line)


def _corpora() -> Iterator[tuple[str, Iterable[tuple[str, bytes]]]]:
    yield "one operator, on either side of the limits", written(dict(cases()))
    yield "random networks in four types", written(networks(SEEDS))
    yield "published models", published()


def _rows(title: str, models: Iterable[tuple[str, bytes]]) -> Iterator[str]:
    judged: Counter[str] = Counter()
    left: Counter[str] = Counter()
    unequal: list[Judged] = []
    failed: Counter[str] = Counter()
    for name, model in models:
        found = judge(name, model, CONFIGURATIONS)
        for operator in found.judged:
            judged[operator.configuration] += 1
            left[operator.configuration] += operator.by_vela
        unequal += found.unequal
        failed.update(why.split(", ", 1)[1].partition(":")[0] for why in found.failed)
    differ = Counter(operator.configuration for operator in unequal)
    yield f"{title}\n{'':14} {'operators':>10} {'on the CPU':>11} {'equal':>8} {'Vela failed on':>15}"
    for name in CONFIGURATIONS:
        equal = 1 - differ[name] / judged[name] if judged[name] else 1.0
        yield f"{name:14} {judged[name]:10,} {left[name]:11,} {equal:8.2%} {failed[name]:8,} models"
    yield from (f"  differs: {operator}" for operator in unequal)


if __name__ == "__main__":
    report()
