"""Servers for programs and browsers of this machine: MCP over HTTP, and the page with the tools behind it."""
