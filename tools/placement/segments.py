"""The pieces that a model runs in, and what goes over from one processor to another."""

from __future__ import annotations

from collections.abc import Sequence

from ...hardware_db.schema import Mapped, Partition
from ..core.records import dataclass
from ..graph import ModelGraph, Subgraph
from ..graph.costs.table import layer_table
from .op_placement import Runs, Segment
from .operators import Placed
from .partition import Piece, pieces, runs_in_order

_ACCELERATOR, _CPU = "accelerator", "cpu"
_UNKNOWN = "unknown"


@dataclass(frozen=True)
class Crossings:
    """Tensors that one processor makes and another reads."""

    bytes_by_reader: dict[int, int]
    """By the first operator that reads them there; what is read again counts once."""
    starts: int
    """Of the accelerator, for one inference."""
    sizes_known: bool

    @property
    def total_bytes(self) -> int | None:
        return sum(self.bytes_by_reader.values()) if self.sizes_known else None


def segments(graph: ModelGraph, placed: Sequence[Placed], how: Partition | None) -> tuple[Segment, ...]:
    """The main subgraph's operators in pieces; those that do not run, or are not known, are apart."""
    processors = [_processor(p) for p in placed]
    table = layer_table(graph)
    total = int(table.macs.sum())
    counted = bool(table.counted.all()) and total > 0
    return tuple(
        Segment(
            processor=processor,
            first=piece[0],
            last=piece[-1],
            ops=len(piece),
            macs_share=float(table.macs[list(piece)].sum() / total) if counted else None,
        )
        for processor, piece in _in_pieces(graph.main, processors, how)
    )


def crossings(
    graph: ModelGraph, placed: Sequence[Placed], how: Partition | None, *, untold_on_cpu: bool = False
) -> Crossings:
    """What moves where operators that nobody tells of are accelerated, or all on the CPU."""
    sides = [_CPU if on_cpu(p, untold_on_cpu=untold_on_cpu) else _ACCELERATOR for p in placed]
    main = graph.main
    maker = {tensor: index for index, op in enumerate(main.ops) for tensor in op.outputs}
    seen: set[tuple[int, str]] = set()
    by_reader: dict[int, int] = {}
    known = True
    for index, op in enumerate(main.ops):
        for tensor in op.inputs:
            side = sides[index]
            if tensor not in maker or sides[maker[tensor]] == side or (tensor, side) in seen:
                continue
            seen.add((tensor, side))
            size = main.tensors[tensor].bytes
            known = known and size is not None
            by_reader[index] = by_reader.get(index, 0) + (size or 0)
    starts = sum(side == _ACCELERATOR for side, _ in _in_pieces(main, sides, how))
    return Crossings(by_reader, starts, known)


def on_cpu(placed: Placed, *, untold_on_cpu: bool = False) -> bool:
    """Whether the CPU computes it beside an accelerator."""
    runs = placed.runs
    return runs is Runs.FALLBACK or (untold_on_cpu and runs is Runs.UNTOLD)


def _processor(placed: Placed) -> str:
    return _UNKNOWN if placed.runs in {Runs.UNTOLD, Runs.UNKNOWN} else placed.processor


def _in_pieces(
    subgraph: Subgraph, kinds: Sequence[str], how: Partition | None
) -> tuple[tuple[str, Piece], ...]:
    """A delegate gathers what can run together; elsewhere the order of the file is kept."""
    gathers = how is not None and how.mapped is not Mapped.EVERY
    return pieces(subgraph, kinds) if gathers else runs_in_order(kinds)
