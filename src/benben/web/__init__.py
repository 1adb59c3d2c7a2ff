"""The house on the network: games, tables and their events over HTTP, for browsers and programs."""
