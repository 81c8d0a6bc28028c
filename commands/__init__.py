"""The commands, one module a family: parse, call one function of `tools` or `agent`, print."""
