"""Counters, record and what is due: what lies on the table."""
