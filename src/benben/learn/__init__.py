"""Learning a game: its rulebook, a lesson that is played, and hints."""
