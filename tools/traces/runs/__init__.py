"""Two measured runs of a model, compared."""
