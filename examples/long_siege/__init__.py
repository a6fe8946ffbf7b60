"""A toy game of named days and numbered phases: scenarios with days of their own, what must be done first."""
