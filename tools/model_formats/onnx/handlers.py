"""What writes the operators of one kind of node."""

from __future__ import annotations

from collections.abc import Callable

from .document import Node
from .emitter import Emitter

Handler = Callable[[Emitter, Node], None]
Handlers = dict[str, Handler]
