"""Every game through every page, and two toy games that live here alone."""
