"""Where the loop keeps a conversation between two steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AnyMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    empty_checkpoint,
)
from langgraph.checkpoint.memory import InMemorySaver

MESSAGES = "messages"


class LatestOnlySaver(InMemorySaver):
    """Forgets every state but the latest, so that a long conversation does not fill the memory.

    Messages are kept as they are: they never change once said, and to serialise all of them at every step
    would cost more than the rest of the loop.
    """

    def __init__(self) -> None:
        super().__init__()
        self._messages: dict[tuple[str, str], tuple[AnyMessage, ...]] = {}

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        place: dict[str, Any] = config["configurable"]
        thread, namespace, latest = place["thread_id"], place["checkpoint_ns"], checkpoint["id"]
        values = dict(checkpoint["channel_values"])
        self._messages[thread, namespace] = tuple(values.pop(MESSAGES, ()))
        light = checkpoint.copy()
        light["channel_values"] = values
        saved = super().put(config, light, metadata, {k: v for k, v in new_versions.items() if k != MESSAGES})
        self._forget(thread, namespace, latest, checkpoint["channel_versions"])
        return saved

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        found = super().get_tuple(config)
        if found is None:
            return None
        place: dict[str, Any] = found.config["configurable"]
        messages = self._messages.get((place["thread_id"], place["checkpoint_ns"]), ())
        if messages:
            found.checkpoint["channel_values"][MESSAGES] = list(messages)
        return found

    def delete_thread(self, thread_id: str) -> None:
        super().delete_thread(thread_id)
        for place in [place for place in self._messages if place[0] == thread_id]:
            del self._messages[place]

    def follow(self, thread: str) -> None:
        """From here on `thread` is the conversation, where only one is saved."""

    def close(self) -> None:
        """Where it is saved in a file: end that."""

    def messages(self, thread: str) -> Sequence[AnyMessage]:
        """What the conversation has in mind."""
        return self._messages.get((thread, ""), ())

    def begin(self, thread: str, messages: Sequence[AnyMessage]) -> None:
        """Let a conversation start as if these had been said in it."""
        checkpoint = empty_checkpoint()
        version = self.get_next_version(None, None)
        checkpoint["channel_values"] = {MESSAGES: list(messages)}
        checkpoint["channel_versions"] = {MESSAGES: version}
        place: RunnableConfig = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
        self.put(place, checkpoint, {"source": "input", "step": -1}, {MESSAGES: version})

    def _forget(self, thread: str, namespace: str, latest: str, versions: ChannelVersions) -> None:
        states = self.storage[thread][namespace]
        self.storage[thread][namespace] = {latest: states[latest]}
        for blob in list(self.blobs):
            if blob[:2] == (thread, namespace) and versions.get(blob[2]) != blob[3]:
                self.blobs.pop(blob, None)
        for write in list(self.writes):
            if write[:2] == (thread, namespace) and write[2] != latest:
                self.writes.pop(write, None)
