"""Pictures of counters and of the sector map."""
