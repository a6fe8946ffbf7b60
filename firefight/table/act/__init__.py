"""One act: it knows nobody."""
