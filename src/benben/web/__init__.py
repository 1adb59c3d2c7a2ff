"""Games, tables and their events over HTTP, for browsers and programs."""
