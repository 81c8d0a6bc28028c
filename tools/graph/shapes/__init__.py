"""Recomputes every shape of a graph from the shapes of its inputs."""
