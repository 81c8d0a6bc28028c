"""What lies in flash: the model and the code that runs it."""
