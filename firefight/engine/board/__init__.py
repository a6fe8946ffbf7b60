"""Places on a board: how they are written, and how far apart they are."""
