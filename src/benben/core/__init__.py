"""What a game is. No input or output, and no game's name."""
