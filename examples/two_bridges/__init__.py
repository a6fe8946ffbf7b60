"""Two Bridges: two sides, counters that are hit, shaken and rallied, turns. The least that a game can be."""
