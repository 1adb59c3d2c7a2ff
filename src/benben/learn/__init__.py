"""What helps to learn the games: rulebooks, lessons, hints."""
