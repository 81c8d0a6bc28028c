"""RAM and flash of a model on a deployment: liveness, the runtime's own planner, regions."""
