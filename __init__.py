"""Does this neural network fit this hardware, how fast, and what holds it back."""

__version__ = "0.1.0"
