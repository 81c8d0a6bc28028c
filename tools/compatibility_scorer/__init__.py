"""How well a model suits a deployment, in points off 100."""
