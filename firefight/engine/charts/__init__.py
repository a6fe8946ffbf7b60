"""Charts as data: kinds, books, an owner's tables, and what is checked of them."""
