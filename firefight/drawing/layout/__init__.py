"""Maps of places laid out from their borders alone, and exact geometry of such drawings: pure, and of no game."""
