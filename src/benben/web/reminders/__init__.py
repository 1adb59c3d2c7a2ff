"""Telling people that it is their turn where a game takes days: feeds and mail."""
