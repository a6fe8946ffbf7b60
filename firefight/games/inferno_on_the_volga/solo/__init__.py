"""The solo game against the app: its state, its steps, and what a player may know of it."""
