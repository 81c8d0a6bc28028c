"""The loop's state as it happens, in a SQLite file beside the transcript: what it has in mind."""

from __future__ import annotations

import json
import sqlite3
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path

from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    HumanMessage,
    ToolMessage,
    message_to_dict,
    messages_from_dict,
)
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata

from ..checkpoints import LatestOnlySaver
from ..llm.keys import without_keys
from .database import ORDER, DamagedFileError, open_database


class SavingSaver(LatestOnlySaver):
    """Writes each message once, when it is new or has changed, so that a turn costs what it adds.

    Where the file fails, the conversation goes on without it: the transcript holds all that was said.
    """

    def __init__(self, file: Path, thread: str) -> None:
        """Only what is said in `thread` is saved; another becomes the saved one by `follow`."""
        super().__init__()
        self._file = file
        self._thread = thread
        self._saved: dict[str, AnyMessage] = {}
        self._connection: sqlite3.Connection | None = None
        self._ended = False
        self._lock = threading.Lock()
        self.messages_written = 0

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        saved = super().put(config, checkpoint, metadata, new_versions)
        place = config["configurable"]
        if place["thread_id"] == self._thread and not place["checkpoint_ns"]:
            self._save(self.messages(self._thread))
        return saved

    def follow(self, thread: str) -> None:
        self._thread = thread
        self._save(self.messages(thread))

    def close(self) -> None:
        with self._lock:
            self._ended = True
            self._disconnect()

    def _save(self, messages: Sequence[AnyMessage]) -> None:
        with self._lock:
            if self._ended or (not messages and self._connection is None and not self._file.exists()):
                return
            try:
                self._write({message.id or "": message for message in messages})
            except (sqlite3.Error, OSError):
                self._ended = True
                self._disconnect()

    def _write(self, messages: dict[str, AnyMessage]) -> None:
        changed = {name: m for name, m in messages.items() if self._saved.get(name) is not m}
        if not changed and messages.keys() == self._saved.keys():
            return
        connection = self._connected()
        with connection:
            connection.executemany(
                "INSERT OR REPLACE INTO messages VALUES (?, ?)", map(_row, changed.items())
            )
            gone = self._saved.keys() - messages.keys()
            connection.executemany("DELETE FROM messages WHERE id = ?", [(name,) for name in gone])
            connection.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (ORDER, json.dumps([*messages])))
        self.messages_written += len(changed)
        self._saved = messages

    def _connected(self) -> sqlite3.Connection:
        """What stands in the file from before is replaced: whoever goes on with it has read it."""
        if self._connection is None:
            self._connection = open_database(self._file)
            weakref.finalize(self, self._connection.close)
            self._connection.execute("DELETE FROM messages")
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def messages_in(bodies: Sequence[str]) -> list[AnyMessage]:
    """The messages that rows of a file hold, oldest first.

    Raises:
        DamagedFileError: one of them is none.
    """
    try:
        messages = messages_from_dict([json.loads(body) for body in bodies])
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise DamagedFileError(str(error)) from error
    known = [m for m in messages if isinstance(m, HumanMessage | AIMessage | ToolMessage) and m.id]
    if len(known) < len(messages):
        raise DamagedFileError("a message of a kind that no conversation has")
    return list(known)


def _row(item: tuple[str, AnyMessage]) -> tuple[str, str]:
    name, message = item
    return name, without_keys(json.dumps(message_to_dict(message), default=str))
