"""Times that were measured elsewhere, read from traces and compared layer by layer with the estimate."""
