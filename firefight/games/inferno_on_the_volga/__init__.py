"""Inferno on the Volga: one German player, or two, against a Soviet side that rules lead."""
