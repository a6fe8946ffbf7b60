"""A campaign that plays itself without a table and without a database: the true acts, on rows that nobody saves."""

from .playing import REHEARSAL

__all__ = ["REHEARSAL"]
