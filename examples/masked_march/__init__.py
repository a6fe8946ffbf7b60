"""Masked March: two sides with blocks, where each sees nothing of the other's but that they are there."""
