"""Masked March: blocks of two sides, of which each sees no more of the other's than that they are there."""
