"""What a user's own measurements tell about their board."""
