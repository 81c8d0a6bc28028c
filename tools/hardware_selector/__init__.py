"""Which hardware to take: every deployment ranked under the same limits, or a few side by side."""
