"""The arena as LiteRT lays it out."""
