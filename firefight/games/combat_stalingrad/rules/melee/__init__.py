"""Close Combat as both sides divide it: who attacks whom, at what odds, and what the dice do (19.2, 19.3)."""
