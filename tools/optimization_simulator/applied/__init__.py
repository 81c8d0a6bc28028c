"""Changes really made to a model file, and how far the prediction was from what came out."""
