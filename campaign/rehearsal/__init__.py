"""A campaign that plays itself without a table and without a database: the real acts, on rows that are never saved."""

from .playing import REHEARSAL

__all__ = ["REHEARSAL"]
