"""Dimensions that an exported program leaves open: small sums and products of names, computed, never run."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping

_LONGEST = 200
_LARGEST = 1 << 40
_CALLS: dict[str, Callable[..., int]] = {
    "Max": max, "Min": min, "FloorDiv": lambda a, b: a // b, "CleanDiv": lambda a, b: a // b,
    "IntTrueDiv": lambda a, b: a // b, "Mod": lambda a, b: a % b, "PythonMod": lambda a, b: a % b,
    "CeilDiv": lambda a, b: -(-a // b),
}  # fmt: skip
_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b, ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b, ast.Div: lambda a, b: a // b, ast.Mod: lambda a, b: a % b,
}  # fmt: skip


def names_in(expression: str) -> frozenset[str]:
    tree = _tree(expression)
    inner = () if tree is None else ast.walk(tree)
    return frozenset(node.id for node in inner if isinstance(node, ast.Name)) - frozenset(_CALLS)


def computed(expression: str, sizes: Mapping[str, int]) -> int | None:
    """What an expression is where `sizes` tells its names; None where that cannot be told."""
    tree = _tree(expression)
    try:
        found = None if tree is None else _value(tree.body, sizes)
    except (KeyError, ValueError, ZeroDivisionError, RecursionError, TypeError):
        return None
    return found if found is not None and 0 <= found <= _LARGEST else None


def _tree(expression: str) -> ast.Expression | None:
    if len(expression) > _LONGEST:
        return None
    try:
        return ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _value(node: ast.expr, sizes: Mapping[str, int]) -> int:
    match node:
        case ast.Constant(value=int() as number):
            return number
        case ast.Name(id=name):
            return sizes[name]
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_value(inner, sizes)
        case ast.BinOp(left=left, op=op, right=right):
            return _bounded(_OPERATORS[type(op)](_value(left, sizes), _value(right, sizes)))
        case ast.Call(func=ast.Name(id=name), args=given, keywords=[]):
            return _bounded(_CALLS[name](*(_value(each, sizes) for each in given)))
    raise ValueError("not a size")


def _bounded(number: int) -> int:
    if not math.isfinite(number) or abs(number) > _LARGEST:
        raise ValueError("beyond any tensor")
    return number
