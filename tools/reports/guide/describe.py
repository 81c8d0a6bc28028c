"""The guide as a document: classes, trees, cases, limits of validity, and the data as an appendix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.document import (
    Block,
    Code,
    Document,
    Items,
    Paragraph,
    Section,
    Table,
    Text,
    described,
    joined,
    notes,
    table_of,
    text,
)
from .guide_report import CaseStudy, ClassGuide, Guide, GuideTree

_SHOWN = 4


@described.register
def guide(found: Guide, *, data: bool = False) -> Document:
    """
    Args:
        found: the guide.
        data: with every estimate as an appendix, for a file.
    """
    sections = [
        Section("Classes of hardware", tuple(_classes(found))),
        *(Section(f"Which class, by {tree.criterion}", tuple(_tree(tree, f"trees[#{n}]")))
          for n, tree in enumerate(found.trees)),
        *(Section(f"Case: {case.title}", tuple(_case(case, f"cases[#{n}]")))
          for n, case in enumerate(found.cases)),
        Section("Limits of validity", tuple(_validity(found))),
        Section("Appendix: models and versions", tuple(_versions(found))),
    ]  # fmt: skip
    if data:
        sections.append(Section("Appendix: every estimate", (_data(found),)))
    title = text("When to take which hardware: {targets} targets")
    return Document(found, title, tuple(sections), notes=notes(found))


def _classes(found: Guide) -> Iterator[Block]:
    yield Paragraph(
        "Best for: models for which the class is chosen, by energy, price or latency, in more demands than "
        "an even share, of all pairs of limits that some deployment keeps. Avoid for: models that more than "
        "half of the class cannot run. Typical use: the median of the targets that run a model, where at "
        "least half do."
    )
    rows = [_class(one, f"classes[#{n}]") for n, one in enumerate(found.classes)]
    yield Table(("Class", "Targets", "Price", "Best for", "Avoid for", "Typical use"), tuple(rows))


def _class(one: ClassGuide, at: str) -> tuple[Text, ...]:
    best = [text(f"{{best_for[#{n}].model}} {{best_for[#{n}].share}}", at) for n in range(len(one.best_for))]
    avoid = [
        text("{model} {count} of {of}, {why}", f"{at}.avoid_when[#{n}]") for n in range(len(one.avoid_when))
    ]
    typical = []
    for n, rate in enumerate(one.typical_use):
        energy = f" at {{typical_use[#{n}].energy_uj}}" if rate.energy_uj is not None else ""
        typical.append(
            text(f"{{typical_use[#{n}].model}} {{typical_use[#{n}].inferences_per_second}}{energy}", at)
        )
    cells = (_listed(each) for each in (best, avoid, typical))
    return (text("{target_class}", at), text("{targets}", at), text("{price_usd}", at), *cells)


def _listed(parts: Sequence[Text]) -> Text:
    if not parts:
        return "none"
    shown = list(parts[:_SHOWN])
    more = f"; {len(parts) - _SHOWN} more" if len(parts) > _SHOWN else ""
    return joined(*(part if at == 0 else joined("; ", part) for at, part in enumerate(shown)), more)


def _tree(tree: GuideTree, at: str) -> Iterator[Block]:
    yield Paragraph(text("Learned from {demands} demands by {criterion}.", at))
    yield Code("", tree.text)
    if tree.held_out_accuracy is not None:
        yield Paragraph(
            text(
                "Of models that it had not seen such a tree is right in {held_out_accuracy} of demands; "
                "always the commonest class, in {majority_accuracy}.",
                at,
            )
        )


def _case(case: CaseStudy, at: str) -> Iterator[Block]:
    energy = " and {energy_uj}" if case.energy_uj is not None else ""
    yield Paragraph(text(f"{{model}} within {{latency_ms}}{energy} an inference:", at))
    yield table_of(
        case.rows, f"{at}.rows",
        ("Class", "{target_class}"), ("Meet it", "{meets}"), ("Of", "{of}"), ("Best", "{target}"),
        ("Runtime", "{runtime}"), ("Latency", "{latency_ms}"), ("Energy", "{energy_uj}"),
        ("Price", "{price_usd}"), ("Bound", "{bound}"), ("Why others do not", "{why_not}"),
        spare=("Runtime", "Bound", "Price"),
    )  # fmt: skip
    if case.causes:
        yield Paragraph(text("{causes}.", at))


def _validity(found: Guide) -> Iterator[Block]:
    yield Paragraph("Factor of the 90 % interval of a latency, by what was measured:")
    yield table_of(
        found.validity, "validity",
        ("Processor", "{device_class}"), ("This board and library", "{measured|}"),
        ("The library on another board with the core", "{same_core|}"), ("Nothing akin", "{elsewhere|}"),
    )  # fmt: skip
    yield Items(
        (
            text(
                "Energy is known of {energy_known_share} of the estimates that run, the price of "
                "{price_known_share} of targets: a choice by energy or price is one among these."
            ),
            "It holds for networks like the reference models; for yours, edgewright recommend ranks.",
            "Accuracy is no part of it: nothing here measures what a smaller type costs your model.",
        )
    )


def _versions(found: Guide) -> Iterator[Block]:
    yield table_of(
        found.models, "models",
        ("Model", "{name}"), ("MACs", "{macs}"), ("Parameters", "{parameter_bytes}"), ("SHA-256", "{sha256}"),
        spare=("SHA-256",),
    )  # fmt: skip
    yield Paragraph(text("Edgewright {version}, figures {figures}; SHA-256 of all estimates {data_sha256}."))


def _data(found: Guide) -> Table:
    return table_of(
        found.data, "data",
        ("Model", "{model}"), ("Target", "{target}"), ("Class", "{target_class}"), ("Runtime", "{runtime}"),
        ("Runs", "{runs}"), ("Latency", "{latency_ms}"), ("Energy", "{energy_uj}"),
        ("Arena", "{arena_bytes}"), ("Price", "{price_usd}"), folded="every estimate",
    )  # fmt: skip
