"""What the MCP server offers, as it was when last agreed upon: names, descriptions and schemas of its tools.

Refresh it, after a look at the difference: `pytest tests/snapshots/test_mcp_tools.py --update-snapshots`.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from .runner import json_difference

mcp = pytest.importorskip("mcp")
anyio = pytest.importorskip("anyio")
from edgewright.agent.mcp_server import build_server  # noqa: E402

LISTING = Path(__file__).parent / "mcp_tools.json"


def test_the_mcp_server_offers_the_tools_that_it_offered_before(
    tmp_path: Path, update_snapshots: bool
) -> None:
    async def listed() -> list[dict[str, Any]]:
        async with mcp.Client(build_server(tmp_path)) as client:
            tools = (await client.list_tools()).tools
            return [tool.model_dump(mode="json", exclude_none=True) for tool in tools]

    tools = anyio.run(listed)
    if update_snapshots:
        LISTING.write_text(json.dumps(tools, indent=1, ensure_ascii=False) + "\n")
        return
    difference = json_difference(json.loads(LISTING.read_text()), tools)
    assert not difference, difference
