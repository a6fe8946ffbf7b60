"""Turning Point: Stalingrad: its rules, its forms, its charts."""
