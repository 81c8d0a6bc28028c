"""Where the loop keeps a conversation that is not saved for later."""

from __future__ import annotations

from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.memory import InMemorySaver


class LatestOnlySaver(InMemorySaver):
    """Forgets every state but the latest, so that a long conversation does not fill the memory."""

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        saved = super().put(config, checkpoint, metadata, new_versions)
        place: dict[str, Any] = saved["configurable"]
        thread, namespace, latest = place["thread_id"], place["checkpoint_ns"], checkpoint["id"]
        states = self.storage[thread][namespace]
        self.storage[thread][namespace] = {latest: states[latest]}
        versions = checkpoint["channel_versions"]
        for blob in list(self.blobs):
            if blob[:2] == (thread, namespace) and versions.get(blob[2]) != blob[3]:
                self.blobs.pop(blob, None)
        for write in list(self.writes):
            if write[:2] == (thread, namespace) and write[2] != latest:
                self.writes.pop(write, None)
        return saved
