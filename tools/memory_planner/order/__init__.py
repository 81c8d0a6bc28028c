"""The order of operators and the packing of their buffers that need least memory."""
