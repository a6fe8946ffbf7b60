"""Who sits where, and whose turn it is."""
