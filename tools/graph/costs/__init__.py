"""What each operator computes and moves."""

from .table import layer_table

__all__ = ["layer_table"]
