"""The arena as TensorFlow Lite Micro lays it out."""
