"""Players: at random, at a glance, by search, by exact solution; `levels` is the ladder of them."""
