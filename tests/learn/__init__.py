"""What teaches a game."""
