"""What is asked of the data themselves is counted from them."""

from collections import Counter

from edgewright.agent.pages import sections
from edgewright.agent.planner.answers.own_data import COMPUTED
from edgewright.hardware_db import load_target, measurements
from edgewright.hardware_db.census import census, prices
from edgewright.hardware_db.cited import ClaimKind
from edgewright.hardware_db.claims import claims
from edgewright.hardware_db.coefficients.errors import stored_errors
from edgewright.hardware_db.index import read_index


def test_every_figure_that_a_page_asks_for_is_computed_and_no_other() -> None:
    assert {section.computed for section in sections()} - {""} == COMPUTED.keys()


def test_figures_of_a_target_are_counted_as_its_claims_are() -> None:
    names = [target.id for target in read_index().targets]
    kinds = Counter[ClaimKind]()
    for name in names:
        target = load_target(name)
        kinds.update(claim.kind or target.sources[claim.source].kind for _, claim in claims(target))
    assert dict(census().claims) == dict(kinds)
    assert census().targets == len(names)


def test_the_worst_miss_is_worse_than_every_other() -> None:
    known = {row["id"] for row in measurements.rows() if row["latency_ms"]}
    logs = {key: float(row["network_out"]) for key, row in stored_errors().items() if row["network_out"]}
    worst = max((key for key in logs if key in known), key=lambda key: abs(logs[key]))
    row = next(row for row in measurements.rows() if row["id"] == worst)
    assert f"on {row['device']} with {row['runtime']}" in COMPUTED["worst"]()


def test_prices_are_those_of_the_targets() -> None:
    known = {target.id: target.price_usd for target in read_index().targets if target.price_usd is not None}
    assert {price.target: price.usd for price in prices()} == known
