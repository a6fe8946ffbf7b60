"""How a game's turn runs, and what its players agree on before they begin."""
