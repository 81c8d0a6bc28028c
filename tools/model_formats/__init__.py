"""Model files, read into graphs and written from them."""
