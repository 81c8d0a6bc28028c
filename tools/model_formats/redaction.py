"""Names out of a model file, replaced by t0, op0 … where the user wants none of them to be seen.

Names of operators that a kernel library documents stay: they are public, and support hangs on them.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterator
from pathlib import Path

from ...hardware_db import load_runtime, runtime_ids
from ..core.records import replace
from ..core.settings import set_default_redaction
from ..graph import ModelGraph, Op, Signature, Subgraph

_CUSTOM = "CUSTOM:"
_PUBLIC_CUSTOM = frozenset({"ethos-u", "edgetpu-custom-op"})
_FLEX = "Flex"
_TEXT_OPTION = "_untrusted"
_HIDDEN = "hidden"


def redact_names(on: bool | None = True) -> None:
    """Deprecated: give `parse_model` and `deployment` settings with `redact_names`."""
    warnings.warn(
        "redact_names goes with the next release: pass settings=Settings(redact_names=True)",
        DeprecationWarning,
        stacklevel=2,
    )
    set_default_redaction(on)


def redacted(graph: ModelGraph, hardware_directories: tuple[Path, ...] = ()) -> ModelGraph:
    """The same model, with the same identity, under names that say nothing.

    Args:
        hardware_directories: of the user's own runtimes, whose custom operators are public as others' are.
    """
    public = _PUBLIC_CUSTOM | _documented(hardware_directories)
    codes = dict.fromkeys(
        op.custom_code_untrusted
        for sub in graph.subgraphs
        for op in sub.ops
        if op.custom_code_untrusted is not None and op.custom_code_untrusted not in public
    )
    numbered = {
        code: f"{_FLEX if code.startswith(_FLEX) else 'op'}{number}" for number, code in enumerate(codes)
    }
    texts = {text: f"name{number}" for number, text in enumerate(dict.fromkeys(_option_texts(graph)))}
    return replace(
        graph,
        subgraphs=tuple(_subgraph(sub, n, numbered, texts) for n, sub in enumerate(graph.subgraphs)),
        signatures=tuple(_signature(signature, n) for n, signature in enumerate(graph.signatures)),
        metadata_untrusted=tuple(
            (f"metadata{n}", size) for n, (_, size) in enumerate(graph.metadata_untrusted)
        ),
        description_untrusted=_HIDDEN if graph.description_untrusted else "",
        notes_untrusted=tuple((what, _HIDDEN) for what, _ in graph.notes_untrusted),
    )


def _subgraph(sub: Subgraph, number: int, codes: dict[str, str], texts: dict[str, str]) -> Subgraph:
    return replace(
        sub,
        name_untrusted=f"subgraph{number}",
        tensors=tuple(replace(t, name_untrusted=f"t{t.index}") for t in sub.tensors),
        ops=tuple(_op(op, codes, texts) for op in sub.ops),
    )


def _op(op: Op, codes: dict[str, str], texts: dict[str, str]) -> Op:
    code = op.custom_code_untrusted
    options = {
        name: texts.get(value, value) if name.endswith(_TEXT_OPTION) and isinstance(value, str) else value
        for name, value in op.options.items()
    }
    return replace(op, options=options, custom_code_untrusted=None if code is None else codes.get(code, code))


def _option_texts(graph: ModelGraph) -> Iterator[str]:
    for op in (op for sub in graph.subgraphs for op in sub.ops):
        for name, value in op.options.items():
            if name.endswith(_TEXT_OPTION) and isinstance(value, str) and value:
                yield value


def _signature(signature: Signature, number: int) -> Signature:
    return replace(
        signature,
        key_untrusted=f"signature{number}",
        inputs_untrusted=tuple((f"in{n}", i) for n, (_, i) in enumerate(signature.inputs_untrusted)),
        outputs_untrusted=tuple((f"out{n}", i) for n, (_, i) in enumerate(signature.outputs_untrusted)),
    )


@functools.cache
def _documented(own: tuple[Path, ...]) -> frozenset[str]:
    """Custom operators that a known kernel library has."""
    names = (name for runtime in runtime_ids(own) for name in load_runtime(runtime, own).operators)
    return frozenset(name.removeprefix(_CUSTOM) for name in names if name.startswith(_CUSTOM))
