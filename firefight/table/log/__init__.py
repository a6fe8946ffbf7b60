"""The log of a match, as its readers may see it."""
