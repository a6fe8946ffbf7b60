"""A game that the app leads: its state, its steps, and what each seat may know of it; in every mode."""
