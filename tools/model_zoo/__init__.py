"""Networks that are known by name and need no file."""

from .named import architecture_aliases, architecture_names, build_architecture, is_architecture, names_dtype

__all__ = [
    "architecture_aliases",
    "architecture_names",
    "build_architecture",
    "is_architecture",
    "names_dtype",
]
