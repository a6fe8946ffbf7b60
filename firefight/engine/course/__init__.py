"""How a game runs: the course of its turn, and the record that a match keeps besides its log."""
