"""A match: what its seats do, what is kept of that, and who may see it."""
