"""Turning Point: Stalingrad, rule by rule."""
