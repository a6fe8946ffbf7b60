"""The charts of Battle for Stalingrad as rules: pure functions of values, dice and charts."""
