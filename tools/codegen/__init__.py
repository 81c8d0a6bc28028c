"""Code to paste: what sets a model up on its runtime, with the sizes that were planned."""
