"""The close combat for a threatened sector (20.6.4 steps 1 and 3): who may meet whom, and what the dice do."""
