"""Combat! Stalingrad: the rules of chapters 17 to 19 and the charts that they ask for."""
