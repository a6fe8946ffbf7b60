"""A hunt for one player: hounds look for a fox among animals that nobody tells apart, on a board that is tapped."""
