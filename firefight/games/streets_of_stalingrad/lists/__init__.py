"""What the text of the rules lists and no chart has: hexes, dates, phases, limits."""
