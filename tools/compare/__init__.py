"""Two versions of a model on one deployment: what got better, what worse, and which layers did it."""
