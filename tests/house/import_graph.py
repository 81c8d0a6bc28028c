"""Which module of the package names which other: by any import, wherever it stands, or by a string."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LAYERS = ("agent", "commands", "prompts", "tools", "hardware_db")
RESOLVE_BY_NAME = frozenset({"tools", "agent.registry"})
"""Modules whose strings do not count: the public names of `tools`, and the registry of tools."""

_BY_NAME = frozenset({"import_module", "__import__", "__name__", "__package__"})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_RELATIVE_NAME = re.compile(r"\.+[a-z_]\w*(\.[a-z_]\w*)*")
Graph = Mapping[str, frozenset[str]]


@cache
def modules() -> dict[str, Path]:
    """Dotted name below the package → file; a package goes by the name of its folder."""
    files = [file for layer in LAYERS for file in sorted((ROOT / layer).rglob("*.py"))]
    return {_name(file): file for file in [*files, ROOT / "cli.py", ROOT / "start.py"]}


def _name(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@dataclass(frozen=True)
class Source:
    """What the tests ask of a file; its whole tree is not kept, as those of all files slow everything down."""

    imports: list[ast.ImportFrom | ast.Import]
    inner: list[ast.ImportFrom | ast.Import]
    """Imports inside functions."""
    strings: list[str]
    imports_by_name: bool


@cache
def source(file: Path) -> Source:
    imports, inner, strings, words = [], [], [], set[str]()
    left: list[tuple[ast.AST, bool]] = [(ast.parse(file.read_text()), False)]
    for node, inside in left:
        match node:
            case ast.Import() | ast.ImportFrom():
                imports.append(node)
                inner += [node] if inside else []
            case ast.Constant(value=str(text)):
                strings.append(text)
            case ast.Name(id=word) | ast.Attribute(attr=word):
                words.add(word)
        within = inside or isinstance(node, _FUNCTIONS)
        left += [(child, within) for child in ast.iter_child_nodes(node)]
    return Source(imports, inner, strings, not words.isdisjoint(_BY_NAME))


def _anchor(module: str, level: int) -> list[str]:
    """The package that `level` dots mean in `module`."""
    parts = module.split(".")
    up = level - (modules()[module].name == "__init__.py")
    return parts[: len(parts) - up] if up else parts


def _imported(module: str, imports: list[ast.ImportFrom | ast.Import]) -> Iterator[str]:
    for node in imports:
        if isinstance(node, ast.ImportFrom) and node.level:
            base = ".".join([*_anchor(module, node.level), *(node.module.split(".") if node.module else [])])
            for alias in node.names:
                inner = f"{base}.{alias.name}".lstrip(".")
                yield inner if inner in modules() else base


def _named(module: str, file: Source) -> Iterator[str]:
    """Modules that strings name. A lone ".onnx" is a file's suffix, unless the file imports by name."""
    for text in file.strings:
        dotted = text.lstrip(".")
        if text.startswith("edgewright."):
            yield text.removeprefix("edgewright.").partition(":")[0]
        elif _RELATIVE_NAME.fullmatch(text) and (file.imports_by_name or "." in dotted):
            yield ".".join([*_anchor(module, len(text) - len(dotted)), dotted])


@cache
def files() -> Graph:
    """Module → the modules that it names."""
    graph = {}
    for module, file in modules().items():
        reached = set(_imported(module, source(file).imports))
        if module not in RESOLVE_BY_NAME:
            reached |= set(_named(module, source(file)))
        graph[module] = frozenset(reached & modules().keys()) - {module}
    return graph


def units() -> Graph:
    """The same between packages: what stands directly in tools/ and agent/, and each other layer as one."""
    graph: dict[str, frozenset[str]] = {_unit(module): frozenset() for module in files()}
    for module, reached in files().items():
        graph[_unit(module)] |= {_unit(other) for other in reached} - {_unit(module)}
    return graph


def _unit(module: str) -> str:
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] in ("tools", "agent") else parts[0]


def circles(graph: Graph) -> set[frozenset[str]]:
    """The strongly connected components of more than one node."""
    reach = {node: _reachable(graph, node) for node in graph}
    components = {frozenset(other for other in reach[node] if node in reach[other]) for node in graph}
    return {component for component in components if len(component) > 1}


def _reachable(graph: Graph, start: str) -> set[str]:
    found, left = set[str](), [start]
    while left:
        new = graph[left.pop()] - found
        found |= new
        left.extend(new)
    return found


def inner_imports() -> tuple[list[str], list[str]]:
    """Imports inside functions, as "module:line": those of the package itself, and those of others."""
    own, foreign = set[str](), set[str]()
    for module, file in modules().items():
        for node in source(file).inner:
            is_own = isinstance(node, ast.ImportFrom) and node.level > 0
            (own if is_own else foreign).add(f"{module}:{node.lineno}")
    return sorted(own), sorted(foreign)
