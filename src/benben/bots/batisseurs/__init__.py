"""Bâtisseurs for two players, solved exactly."""
