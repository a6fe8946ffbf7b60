"""The rules: pure functions of inputs, charts and dice, a module for each subject."""
