"""A match: what its seats do, what is kept of it, and who may see it."""
