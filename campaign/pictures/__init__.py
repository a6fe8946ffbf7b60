"""How the sector map looks, in a page and on paper."""
