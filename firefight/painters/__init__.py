"""Painters: each makes one kind of file of a Drawing."""
