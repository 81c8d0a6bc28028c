"""The interactive chat: `run` opens one."""
