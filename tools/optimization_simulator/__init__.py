"""What each change would bring on this model and this deployment, alone and together."""
