"""The games as others know them: OpenSpiel's and PettingZoo's. Neither is needed to play."""
