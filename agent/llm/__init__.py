"""Chat models, their endpoints and quirks, and keys."""
