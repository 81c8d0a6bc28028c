"""What chat models and MCP clients see: fourteen views over the records of the registry."""

from __future__ import annotations

from ...prompts import described_tools
from ..registry import TOOLS
from . import arguments, look_up, plans
from .errors import error_text
from .former import former, former_view, view_of
from .langchain import as_langchain_tools
from .view import View

__all__ = ["FORMER", "VIEWS", "View", "as_langchain_tools", "error_text", "former_view"]

_COMPOSED = (
    View("look_up", arguments.LookUp, look_up.look_up),
    View("inspect_model", arguments.InspectModel, plans.inspect_model),
    View("evaluate", arguments.Evaluate, plans.evaluate),
    View("improve", arguments.Improve, plans.improve),
    View("recommend_hardware", arguments.RecommendHardware, plans.recommend_hardware),
    View("recommend_model", arguments.RecommendModel, plans.recommend_model),
    View("find_limit", arguments.FindLimit, plans.find_limit),
    View("battery_life", arguments.Battery, plans.battery_life),
    View("pipeline", arguments.Pipeline, plans.pipeline),
    View("evidence", arguments.EvidenceFor, plans.evidence),
    View("firmware_code", arguments.Firmware, plans.firmware_code),
    View("import_profile", arguments.Imported, plans.import_profile),
    View("calibrate_target", arguments.Calibrate, plans.calibrate_target),
    View("generation", arguments.Generation, plans.generation),
)
_NAMED = frozenset(view.name for view in _COMPOSED)

VIEWS: tuple[View, ...] = (
    *_COMPOSED,
    *(view_of(tool) for tool in TOOLS if tool.function in described_tools() - _NAMED),
)
"""These, and one for each record beside them that has a text in `prompts/tools`."""
FORMER: tuple[View, ...] = former()
"""One for each function that was offered before these were."""
