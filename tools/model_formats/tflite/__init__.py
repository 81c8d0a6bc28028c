"""Reading .tflite files: bounded, and without trust in what they say."""
