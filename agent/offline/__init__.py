"""The offline planner: a LangChain chat model made of rules, for answers without any language model."""

from .planner import OfflinePlanner

__all__ = ["OfflinePlanner"]
