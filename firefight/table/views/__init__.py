"""Pages of a match."""
