"""Writing .tflite files."""
