"""Toy games: to be read first, walked by the tests, quoted by docs/a-game.md."""
