"""The house on the network, over real connections."""
