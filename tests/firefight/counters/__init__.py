"""Counters in play, at the table of a single firefight: their coming, naming, fire, losses, secrets and ends."""
