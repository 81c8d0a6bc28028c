"""Models of other frameworks made into .tflite files, by converters in environments of their own."""
