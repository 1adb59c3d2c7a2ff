"""Reviews of finished games: what positions and decisions were worth, and what turned the game."""
