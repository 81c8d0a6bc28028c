"""Models that are run and timed on this machine."""
