"""A toy game of odd shape: three sides, 2d6 and a d8, a deck, no phases, boxes, one chart of bands by bands."""
