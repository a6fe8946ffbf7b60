"""Inferno on the Volga, rule by rule."""
