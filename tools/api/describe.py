"""The whole profile of a model in words and tables."""

from __future__ import annotations

from ..compatibility_scorer.describe import score
from ..core.document import Document, Paragraph, Section, described, joined, notes, place, text, within
from ..core.paths import keys_of
from ..cost_model import describe as performance
from ..graph import describe as model
from ..memory_planner import describe as memory
from ..optimization_simulator import describe as optimization
from ..roofline.describe import head as roofs
from .analysis import AnalysisReport


@described.register
def analysis(report: AnalysisReport) -> Document:
    sections = (
        Section("Model", tuple(within("model", [model.head(report.model)]))),
        Section("Memory", tuple(within("memory", memory.blocks(report.memory)))),
        Section("Time and energy", tuple(within("performance", [performance.head(report.performance)]))),
        Section("What holds it back", tuple(within("roofline", [roofs(report.roofline)]))),
        Section(
            "Layers", (_slowest(report), *within("performance", [performance.layers(report.performance)]))
        ),
        Section("Where operators run", (Paragraph(score("compatibility")),)),
        Section("What would help", tuple(within("optimization", optimization.blocks(report.optimization)))),
    )
    title = joined(f"{report.model.name} on ", place(report.roofline.deployment, "roofline.deployment"))
    return Document(report, title, sections, notes=notes(report, inside=("memory", "optimization")))


def _slowest(report: AnalysisReport) -> Paragraph:
    layers = report.roofline.layers
    slowest = max(range(len(layers)), key=lambda at: layers[at].share or 0.0, default=None)
    if slowest is None or not layers[slowest].share:
        return Paragraph("No layer's time is known.")
    at = f"roofline.layers[{keys_of(layers)[slowest]}]"
    return Paragraph(text("Layer {index} ({op}) takes {share} of the time and is {bound}-bound.", at))
