"""Language models in files: headers alone are read, and no byte of a weight."""
